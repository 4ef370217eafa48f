/// A description that is not Varlink: the place, and what was expected there.
public struct InterfaceSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// From 1.
  public let line: Int
  public let message: String

  public var description: String { "line \(line): \(message)" }
}

/// Splits a description into words and marks, and keeps the comments above them.
struct InterfaceScanner {
  enum Token: Hashable {
    case word(String)
    case mark(String)
    case end
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  /// Where the last token began, from 1.
  private(set) var tokenLine = 1
  /// Comment lines since the last blank line or token, without `#` and the blank after it.
  private(set) var comment: [String] = []

  init(_ text: String) { bytes = Array(text.utf8) }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// The next token, and the comment directly above it.
  mutating func next() throws(InterfaceSyntaxError) -> (token: Token, comment: [String]) {
    skipBlanksAndComments()
    tokenLine = line
    let above = comment
    comment = []
    guard let byte = current else { return (.end, above) }
    // A dash is part of an interface's name, and also begins the arrow of a method.
    if Self.isWordByte(byte) {
      let start = position
      while let byte = current, Self.isWordByte(byte) || byte == UInt8(ascii: "-") && !isArrow { position += 1 }
      return (.word(String(decoding: bytes[start..<position], as: UTF8.self)), above)
    }
    if isArrow {
      position += 2
      return (.mark("->"), above)
    }
    guard "()[]:,?".utf8.contains(byte) else {
      throw InterfaceSyntaxError(line: line, message: "a character that no Varlink interface has (byte \(byte))")
    }
    position += 1
    return (.mark(String(UnicodeScalar(byte))), above)
  }

  private var isArrow: Bool {
    current == UInt8(ascii: "-") && position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: ">")
  }

  private mutating func skipBlanksAndComments() {
    var lineBreaks = 0
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        lineBreaks += 1
        if lineBreaks > 1 { comment = [] }
        position += 1
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
        position += 1
      case UInt8(ascii: "#"):
        let start = position + 1
        while let byte = current, byte != UInt8(ascii: "\n") { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        comment.append(text.first == " " ? String(text.dropFirst()) : text)
        lineBreaks = 0
      default:
        return
      }
    }
  }
}
