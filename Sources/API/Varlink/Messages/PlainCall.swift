import JSONTree

/// The source of a call's parameters.
enum CallSource: Sendable {
  /// The call has none.
  case bare
  /// A few, which need no decoder.
  case plain(PlainFields)
  /// These; null if there are none.
  case parameters(JSONValue)
}

/// Reads a call without parameters or with a few plain ones, as most calls for identity are, faster
/// than a JSON decoder can.
///
/// It accepts the four names of a call and `parameters`, each at most once, and an object of a few
/// members whose values are plain ASCII text, whole numbers, true, false or null. Anything else,
/// including malformed JSON and a name that comes twice, is left to the decoder, which alone
/// decides what is an error.
struct PlainCall {
  /// More parameters than this are left to the decoder.
  static let mostFields = 8
  /// What limits must allow at least: then the decoder's limits refuse nothing that is plain. An
  /// object in an object; both, the other four values of a call, and the parameters.
  static let needed = JSONReader.Limits(depth: 2, values: 6 + mostFields)

  private let bytes: [UInt8]
  private var position = 0

  /// The call in a frame; nil if the decoder must read it.
  static func read(_ frame: [UInt8]) -> ReadCall? {
    var call = PlainCall(bytes: frame)
    return call.call()
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func call() -> ReadCall? {
    guard take(UInt8(ascii: "{")) else { return nil }
    var method: String?
    var more: Bool?
    var oneway: Bool?
    var upgrade: Bool?
    var source: CallSource?
    repeat {
      guard let name = text(), take(UInt8(ascii: ":")) else { return nil }
      switch name {
      case "method" where method == nil:
        method = text()
        guard method != nil else { return nil }
      case "parameters" where source == nil:
        source = parameters()
        guard source != nil else { return nil }
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
    guard position == bytes.count else { return nil }
    return ReadCall(
      header: CallHeader(method: method, more: more, oneway: oneway, upgrade: upgrade), source: source ?? .bare)
  }

  private mutating func parameters() -> CallSource? {
    guard take(UInt8(ascii: "{")) else { return nil }
    guard !take(UInt8(ascii: "}")) else { return .bare }
    var fields = PlainFields()
    repeat {
      guard fields.all.count < Self.mostFields, let name = text(), fields[name] == nil, take(UInt8(ascii: ":")),
        let value = value()
      else { return nil }
      fields.all.append(PlainFields.Field(name: name, value: value))
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? .plain(fields) : nil
  }

  private mutating func value() -> JSONValue? {
    skipSpace()
    guard position < bytes.count else { return nil }
    switch bytes[position] {
    case UInt8(ascii: "\""): return text().map { .string($0) }
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return boolean().map { .bool($0) }
    case UInt8(ascii: "n"): return takeWord("null") ? .null : nil
    default: return integer().map { .int($0) }
    }
  }

  /// A whole number of at most 18 digits, without a fraction or an exponent, and not `-0`.
  private mutating func integer() -> Int? {
    let isNegative = takeHere(UInt8(ascii: "-"))
    let start = position
    var number = 0
    while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
      guard position - start < 18 else { return nil }
      number = number * 10 + Int(digit)
      position += 1
    }
    guard position > start else { return nil }
    // JSON has no leading zeros (RFC 8259, 6).
    guard bytes[start] != UInt8(ascii: "0") || position - start == 1 && !isNegative else { return nil }
    if position < bytes.count, [".", "e", "E"].contains(Unicode.Scalar(bytes[position])) { return nil }
    return isNegative ? -number : number
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    return takeHere(byte)
  }

  private mutating func takeHere(_ byte: UInt8) -> Bool {
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
    if takeWord("true") { return true }
    return takeWord("false") ? false : nil
  }

  private mutating func takeWord(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    let isWord = bytes[position..<(position + count)].elementsEqual(
      UnsafeBufferPointer(start: word.utf8Start, count: count))
    if isWord { position += count }
    return isWord
  }
}
