/// Reads XML from its bytes, tag by tag, as far as data needs it: elements, attributes, text, the
/// five named entities and numeric references. It skips comments, processing instructions and the
/// document type. Entities are neither declared nor fetched, and a document type that declares
/// something itself ends the text.
///
/// It is lenient where documents of operators are wrong and nothing is lost: a lone `&` stands for
/// itself, and a tag without its `>` ends where the next one begins.
///
/// It is our own, on the standard library: Foundation's reader links libxml2, which can declare and
/// fetch entities, and the hardware side links no Foundation of that size.
package struct MarkupScanner {
  package enum Token: Hashable, Sendable {
    case start(String, attributes: [String: String])
    case end(String)
    case text(String)
  }

  /// Characters of the longest reference, between `&` and `;`, as in `#x10ffff`.
  private static let referenceLimit = 10

  private let bytes: [UInt8]
  private var position = 0
  /// The end of an empty element, `<a/>`, which follows its start.
  private var pendingEnd: String?
  /// Whether the text is malformed where the last token ended, so that none follows.
  package private(set) var isMalformed = false
  /// Whether a document type was skipped.
  package private(set) var hasDocumentType = false

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next token; nil at the end, and if the text is malformed.
  package mutating func next() -> Token? {
    if let name = pendingEnd {
      pendingEnd = nil
      return .end(name)
    }
    while !isMalformed, position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else {
        let text = take(until: UInt8(ascii: "<"))
        return .text(Self.unescaped(text))
      }
      if starts(with: "<!--") {
        position += 4
        guard skip(past: "-->") else { return malformed() }
      } else if starts(with: "<?") {
        guard skip(past: "?>") else { return malformed() }
      } else if starts(with: "<![CDATA[") {
        position += 9
        let start = position
        guard skip(past: "]]>") else { return malformed() }
        return .text(String(decoding: bytes[start..<position - 3], as: UTF8.self))
      } else if starts(with: "<!") {
        let start = position
        hasDocumentType = true
        // Declarations would stand in brackets before the `>`.
        guard skip(past: ">"), !bytes[start..<position].contains(UInt8(ascii: "[")) else { return malformed() }
      } else {
        return tag() ?? malformed()
      }
    }
    return nil
  }

  private mutating func malformed() -> Token? {
    isMalformed = true
    // The start that it would follow was not told.
    pendingEnd = nil
    return nil
  }

  private mutating func tag() -> Token? {
    position += 1
    let isEnd = position < bytes.count && bytes[position] == UInt8(ascii: "/")
    if isEnd { position += 1 }
    let name = word()
    guard !name.isEmpty else { return nil }
    var attributes: [String: String] = [:]
    while true {
      skipSpace()
      guard position < bytes.count else { return nil }
      switch bytes[position] {
      case UInt8(ascii: ">"):
        position += 1
        return isEnd ? .end(name) : .start(name, attributes: attributes)
      case UInt8(ascii: "<"):
        return isEnd ? .end(name) : .start(name, attributes: attributes)
      case UInt8(ascii: "/"):
        position += 1
        if !isEnd { pendingEnd = name }
      default:
        // Two readers could take either value of a repeated one.
        guard let (key, value) = attribute(), attributes[key] == nil else { return nil }
        attributes[key] = value
      }
    }
  }

  private mutating func attribute() -> (String, String)? {
    let key = word()
    skipSpace()
    guard !key.isEmpty, position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return nil }
    position += 1
    skipSpace()
    guard position < bytes.count, case let quote = bytes[position], quote == 0x22 || quote == 0x27 else { return nil }
    position += 1
    let value = take(until: quote)
    guard position < bytes.count else { return nil }
    position += 1
    return (key, Self.unescaped(value))
  }

  private mutating func word() -> String {
    let start = position
    while position < bytes.count, !Self.endsWord(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ">"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "<"): true
    default: isSpace(byte)
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  private mutating func skipSpace() {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
  }

  private mutating func take(until end: UInt8) -> ArraySlice<UInt8> {
    let start = position
    while position < bytes.count, bytes[position] != end { position += 1 }
    return bytes[start..<position]
  }

  private func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    return text.withUTF8Buffer { bytes[position..<position + count].elementsEqual($0) }
  }

  private mutating func skip(past text: StaticString) -> Bool {
    while position < bytes.count {
      if starts(with: text) {
        position += text.utf8CodeUnitCount
        return true
      }
      position += 1
    }
    return false
  }

  private static let named: [Substring: Character] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
    var result = ""
    var rest = Substring(String(decoding: bytes, as: UTF8.self))
    while let mark = rest.firstIndex(of: "&") {
      result += rest[..<mark]
      rest = rest[mark...].dropFirst()
      // Looks a few characters ahead only, so that the time is proportional to the text.
      let name = rest.prefix(referenceLimit).prefix { $0 != ";" }
      let end = name.endIndex
      guard end < rest.endIndex, rest[end] == ";", let character = character(name) else {
        result.append("&")
        continue
      }
      result.append(character)
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// What a reference stands for; nil for one that is not known.
  private static func character(_ name: Substring) -> Character? {
    if let character = named[name] { return character }
    guard name.first == "#" else { return nil }
    let digits = name.dropFirst()
    let number = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap(Unicode.Scalar.init).map(Character.init)
  }
}
