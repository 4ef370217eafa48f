import JSONTree

/// The source of a call's parameters.
enum CallSource: Sendable {
  /// The call has none.
  case bare
  /// These; null if there are none.
  case parameters(JSONValue)
}

/// Reads a call without parameters, as most calls for identity are, faster than a JSON decoder can.
///
/// It accepts the four names of a call and `parameters`, each at most once, plain ASCII text and an
/// empty object. Anything else, including malformed JSON, is left to the decoder, which alone
/// decides what is an error.
struct PlainCall {
  private let bytes: [UInt8]
  private var position = 0

  /// The call in a frame; nil if the decoder must read it.
  static func read(_ frame: [UInt8]) -> CallHeader? {
    var call = PlainCall(bytes: frame)
    return call.header()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func header() -> CallHeader? {
    guard take(UInt8(ascii: "{")) else { return nil }
    var method: String?
    var more: Bool?
    var oneway: Bool?
    var upgrade: Bool?
    var hasParameters = false
    repeat {
      guard let name = text(), take(UInt8(ascii: ":")) else { return nil }
      switch name {
      case "method" where method == nil:
        method = text()
        guard method != nil else { return nil }
      case "parameters" where !hasParameters:
        hasParameters = true
        guard take(UInt8(ascii: "{")), take(UInt8(ascii: "}")) else { return nil }
      case "more" where more == nil:
        more = boolean()
        guard more != nil else { return nil }
      case "oneway" where oneway == nil:
        oneway = boolean()
        guard oneway != nil else { return nil }
      case "upgrade" where upgrade == nil:
        upgrade = boolean()
        guard upgrade != nil else { return nil }
      default: return nil
      }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")), let method else { return nil }
    skipSpace()
    return position == bytes.count ? CallHeader(method: method, more: more, oneway: oneway, upgrade: upgrade) : nil
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  /// RFC 8259, section 2: space, tab, line feed, carriage return.
  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  /// A string of printable ASCII without an escape.
  private mutating func text() -> String? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        defer { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
      case UInt8(ascii: "\\"): return nil
      case 0x20..<0x7F: position += 1
      default: return nil
      }
    }
    return nil
  }

  private mutating func boolean() -> Bool? {
    skipSpace()
    for (word, value) in [("true" as StaticString, true), ("false", false)] {
      let count = word.utf8CodeUnitCount
      guard bytes.count - position >= count else { continue }
      let isWord = bytes[position..<(position + count)].elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: count))
      if isWord {
        position += count
        return value
      }
    }
    return nil
  }
}
