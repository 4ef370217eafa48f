/// Finds the one-time code in a message without knowing the message's form.
package enum CodeSearch {
  /// The code, by the first of these rules that finds one:
  ///
  /// 1. the text after `#` in a last line that begins with `@` and a host, as in
  ///    `@example.com #123456` (origin-bound one-time codes);
  /// 2. the first run of 6 digits;
  /// 3. two groups of 3 digits with a hyphen or a space between, as in `123-456`, joined;
  /// 4. the longest run of 4 to 8 digits, the first of several.
  ///
  /// Runs next to a Latin letter, as in `AB1234`, count only if there is no other. Runs of more
  /// than 8 digits are usually telephone numbers.
  package static func code(in text: String) -> OneTimeCode? {
    let characters = Array(CodeText.plainDigits(text))
    if let code = boundCode(in: characters) { return code }
    let all = CodeText.runs(in: characters, digitsOnly: true)
    let free = all.filter { !touchesLetter($0, in: characters) }
    for runs in [free, all] {
      if let run = runs.first(where: { $0.count == 6 }) { return OneTimeCode(String(characters[run])) }
      if let code = pairedCode(among: runs, in: characters) { return code }
      var best: Range<Int>?
      for run in runs where (4...8).contains(run.count) && run.count > best?.count ?? 0 { best = run }
      if let best { return OneTimeCode(String(characters[best])) }
    }
    return nil
  }

  private static func boundCode(in text: [Character]) -> OneTimeCode? {
    guard let line = text.split(whereSeparator: \.isNewline).last, line.first == "@",
      let mark = line.lastIndex(of: "#"), mark > line.startIndex + 2, line[mark - 1] == " "
    else { return nil }
    let code = line[(mark + 1)...].prefix { $0.isASCIIDigit || $0.isASCIILetter }
    return (4...32).contains(code.count) ? OneTimeCode(String(code)) : nil
  }

  private static func pairedCode(among runs: [Range<Int>], in text: [Character]) -> OneTimeCode? {
    for (one, two) in zip(runs, runs.dropFirst())
    where one.count == 3 && two.count == 3 && two.lowerBound == one.upperBound + 1
      && (text[one.upperBound] == "-" || text[one.upperBound] == " ")
    {
      return OneTimeCode(String(text[one] + text[two]))
    }
    return nil
  }

  private static func touchesLetter(_ run: Range<Int>, in text: [Character]) -> Bool {
    run.lowerBound > 0 && text[run.lowerBound - 1].isASCIILetter
      || run.upperBound < text.count && text[run.upperBound].isASCIILetter
  }
}
