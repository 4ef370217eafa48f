/// The form of a message with a one-time code: literal text with one place for the code.
///
///     Your code is {digits}          a run of 4 to 8 digits
///     {digits:6} is your code        exactly 6 digits
///     PIN: {alnum:4-10}.             letters and digits
///     {any}code{any}{digits:6}       other text between
///
/// Letters match regardless of case, and any white space matches any other. `{{` and `}}` are
/// braces. A pattern is not anchored. A match takes time proportional to the product of the lengths
/// of pattern and text, whatever they hold.
package struct CodePattern: Hashable, Sendable {
  /// What the code may consist of: a complete run of such characters.
  struct Capture: Hashable, Sendable {
    var isDigitsOnly: Bool
    var length: ClosedRange<Int>
  }

  enum Element: Hashable, Sendable {
    case literal(Character)
    case space
    /// Up to 200 characters.
    case any
  }

  private let before: [Element]
  private let capture: Capture
  private let after: [Element]

  /// Longer patterns are refused, in characters.
  package static let lengthLimit = 200

  /// Reads a pattern.
  ///
  /// - Throws: `ShortMessageError` `badPattern`, which explains what is wrong.
  package init(_ text: String) throws(ShortMessageError) {
    guard text.count <= Self.lengthLimit else {
      throw Self.bad("it has \(text.count) characters where at most \(Self.lengthLimit) are expected")
    }
    var elements: [Element] = []
    var found: (capture: Capture, at: Int)?
    var rest = Array(text)[...]
    while let character = rest.popFirst() {
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        rest.removeFirst()
        elements.append(.literal(character))
      case "{":
        guard let end = rest.firstIndex(of: "}") else { throw Self.bad("a { has no }; write {{ for a brace") }
        let name = String(rest[..<end])
        rest = rest[(end + 1)...]
        if name == "any" {
          elements.append(.any)
        } else {
          guard found == nil else { throw Self.bad("it has more than one place for the code") }
          found = (try Self.capture(name), elements.count)
        }
      case "}": throw Self.bad("a } has no {; write }} for a brace")
      default:
        let isSpace = character.isWhitespace
        if !isSpace || elements.last != .space || found?.at == elements.count {
          elements.append(isSpace ? .space : .literal(Self.folded(character)))
        }
      }
    }
    guard let found else { throw Self.bad("it has no place for the code, such as {digits} or {digits:6}") }
    capture = found.capture
    before = Array(elements[..<found.at])
    after = Array(elements[found.at...])
  }

  private static func capture(_ name: String) throws(ShortMessageError) -> Capture {
    let halves = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let kind = halves[0]
    guard kind == "digits" || kind == "alnum" else {
      throw bad("there is {digits}, {digits:6}, {digits:4-8}, {alnum:4-8} and {any}, and no other place")
    }
    var length = 4...8
    if halves.count == 2 {
      let numbers = halves[1].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
      guard (1...2).contains(numbers.count), let low = numbers[0], let high = numbers[numbers.count - 1],
        (1...32).contains(low), (low...32).contains(high)
      else { throw bad("the length of a code is one number, or two with a hyphen, from 1 to 32") }
      length = low...high
    }
    return Capture(isDigitsOnly: kind == "digits", length: length)
  }

  private static func bad(_ why: String) -> ShortMessageError {
    ShortMessageError(.badPattern, "the pattern cannot be used: \(why)")
  }

  private static func folded(_ character: Character) -> Character {
    let lower = character.lowercased()
    return lower.count == 1 ? lower.first ?? character : character
  }

  // MARK: Matching

  /// The first run in the text at the pattern's place for the code.
  package func match(_ text: String) -> OneTimeCode? {
    let characters = Array(CodeText.plainDigits(text))
    let folded = characters.map(Self.folded)
    // Where the text before the code may end, and where the text after it may begin.
    let ends = reached(by: before, in: folded, from: Set(0...folded.count))
    let reversed = reached(by: after.reversed(), in: folded.reversed(), from: Set(0...folded.count))
    for run in CodeText.runs(in: characters, digitsOnly: capture.isDigitsOnly)
    where capture.length.contains(run.count) && ends.contains(run.lowerBound)
      && reversed.contains(folded.count - run.upperBound)
    {
      return OneTimeCode(String(characters[run]))
    }
    return nil
  }

  private func reached(by elements: [Element], in text: [Character], from starts: Set<Int>) -> Set<Int> {
    var positions = starts
    for element in elements {
      switch element {
      case .literal(let character):
        positions = Set(positions.filter { $0 < text.count && text[$0] == character }.map { $0 + 1 })
      case .space:
        var next: Set<Int> = []
        for position in positions {
          var end = position
          while end < text.count, text[end].isWhitespace, next.insert(end + 1).inserted { end += 1 }
        }
        positions = next
      case .any:
        var next: Set<Int> = []
        var last = Int.min
        for position in 0...text.count {
          if positions.contains(position) { last = position }
          if last != .min, position - last <= 200 { next.insert(position) }
        }
        positions = next
      }
      if positions.isEmpty { return [] }
    }
    return positions
  }
}
