/// A message, or a part of one, as a library prints it: `Name = 'value'` and `[0] = 'value'`.
struct PrintedWords: Sendable {
  let printed: String

  init(_ printed: some StringProtocol) { self.printed = String(printed) }

  /// All of it as one value; nil where it is what a library prints for nothing.
  var text: String? { presence(of: printed) }
  /// All of it as one number.
  var number: Int? { text.flatMap { Int($0) } }

  /// The text of a field; nil where it is not there or has none.
  subscript(name: String) -> String? {
    var rest = printed[...]
    while let found = rest.firstRange(of: "\(name) = '") {
      let isWhole =
        found.lowerBound == printed.startIndex || printed[printed.index(before: found.lowerBound)] == " "
      rest = rest[found.upperBound...]
      guard isWhole else { continue }
      // A TLV in the form of MBIMEx 3.0 has its text at its end.
      if rest.hasPrefix("{ tlv"), let text = rest.firstRange(of: "tlv string = ") {
        rest = rest[text.upperBound...]
        guard let end = rest.firstRange(of: " }'") else { return nil }
        return presence(of: rest[..<end.lowerBound])
      }
      guard let end = rest.firstIndex(of: "'") else { return nil }
      return presence(of: rest[..<end])
    }
    return nil
  }

  func number(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

  /// A field of several words, in their order.
  func list(_ name: String) -> [String] {
    (self[name] ?? "").split(separator: ",").compactMap { presence(of: $0) }
  }

  /// The elements of the first array in it: `[0] = 'one ' [1] = 'two '`.
  var elements: [String] {
    var (elements, rest) = ([String](), printed[...])
    while let found = rest.firstRange(of: "[\(elements.count)] = '") {
      rest = rest[found.upperBound...]
      guard let end = rest.firstIndex(of: "'") else { break }
      elements.append(presence(of: rest[..<end]) ?? "")
    }
    return elements
  }

  /// The part from a field on; nil where it is not there.
  func from(_ name: String) -> PrintedWords? {
    printed.firstRange(of: "\(name) = ").map { PrintedWords(printed[$0.lowerBound...]) }
  }

  /// The part before a text, or all of it.
  func before(_ text: String) -> PrintedWords {
    PrintedWords(printed[..<(printed.firstRange(of: text)?.lowerBound ?? printed.endIndex)])
  }

  /// The parts behind each occurrence of a text, each up to the next one.
  func parts(behind text: String) -> [PrintedWords] {
    var (parts, rest) = ([PrintedWords](), printed[...])
    while let found = rest.firstRange(of: text) {
      rest = rest[found.upperBound...]
      parts.append(PrintedWords(rest[..<(rest.firstRange(of: text)?.lowerBound ?? rest.endIndex)]))
    }
    return parts
  }
}

/// Without the blanks at the ends; nil where it is what a library prints for nothing.
private func presence(of printed: some StringProtocol) -> String? {
  let isBlank = { (character: Character) in
    character.isWhitespace || character.unicodeScalars.allSatisfy { $0.value < 0x20 }
  }
  let text = String(String(printed.drop(while: isBlank)).reversed().drop(while: isBlank).reversed())
  return text.isEmpty || text == "(null)" ? nil : text
}

extension StringProtocol {
  func firstRange(of text: String) -> Range<Index>? {
    var start = startIndex
    while start != endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      formIndex(after: &start)
    }
    return nil
  }
}
