/// Reads a JSON text (RFC 8259) in one pass, in time proportional to its length.
///
/// Its depth and the number of its values are limited, so a stranger's text costs no more than its
/// bytes. A duplicate name in an object is an error, because two readers could interpret it
/// differently.
public struct JSONReader {
  /// How much a text may hold.
  public struct Limits: Hashable, Sendable {
    /// Nesting of objects and arrays.
    public var depth: Int
    /// Values of any kind, objects and arrays among them.
    public var values: Int

    public init(depth: Int = 64, values: Int = 65_536) {
      self.depth = depth
      self.values = values
    }
  }

  /// Why a text was not read.
  public enum Flaw: Error, Hashable, Sendable {
    /// It is not JSON; the offset of the byte that shows it.
    case syntax(at: Int)
    case tooDeep(limit: Int)
    case tooManyValues(limit: Int)
  }

  private let bytes: [UInt8]
  private let limits: Limits
  private var position = 0
  private var depth = 0
  private var values = 0

  private init(_ bytes: [UInt8], _ limits: Limits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// The value of a whole text.
  ///
  /// A number that no `Double` can hold is read as infinite. A reader that needs a number there
  /// then rejects it.
  public static func read(_ bytes: [UInt8], _ limits: Limits = Limits()) throws(Flaw) -> JSONValue {
    var reader = JSONReader(bytes, limits)
    let value = try reader.value()
    reader.skipSpace()
    guard reader.position == bytes.count else { throw reader.flaw }
    return value
  }

  private var flaw: Flaw { .syntax(at: position) }

  private mutating func value() throws(Flaw) -> JSONValue {
    values += 1
    guard values <= limits.values else { throw .tooManyValues(limit: limits.values) }
    skipSpace()
    guard position < bytes.count else { throw flaw }
    switch bytes[position] {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object() throws(Flaw) -> JSONValue {
    try enter()
    var members: [String: JSONValue] = [:]
    guard !take(UInt8(ascii: "}")) else { return leave(.object(members)) }
    repeat {
      skipSpace()
      let start = position
      let name = try string()
      guard take(UInt8(ascii: ":")) else { throw flaw }
      guard members.updateValue(try value(), forKey: name) == nil else { throw .syntax(at: start) }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw flaw }
    return leave(.object(members))
  }

  private mutating func array() throws(Flaw) -> JSONValue {
    try enter()
    var items: [JSONValue] = []
    guard !take(UInt8(ascii: "]")) else { return leave(.array(items)) }
    repeat { items.append(try value()) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw flaw }
    return leave(.array(items))
  }

  private mutating func enter() throws(Flaw) {
    position += 1
    depth += 1
    guard depth <= limits.depth else { throw .tooDeep(limit: limits.depth) }
  }

  private mutating func leave(_ value: JSONValue) -> JSONValue {
    depth -= 1
    return value
  }

  private mutating func word(_ text: StaticString, _ value: JSONValue) throws(Flaw) -> JSONValue {
    let count = text.utf8CodeUnitCount
    let word = UnsafeBufferPointer(start: text.utf8Start, count: count)
    guard bytes.count - position >= count, bytes[position..<(position + count)].elementsEqual(word) else { throw flaw }
    position += count
    return value
  }

  /// RFC 8259, 6.
  private mutating func number() throws(Flaw) -> JSONValue {
    let start = position
    _ = takeHere(UInt8(ascii: "-"))
    if !takeHere(UInt8(ascii: "0")) { try digits() }
    var isWhole = true
    if takeHere(UInt8(ascii: ".")) {
      isWhole = false
      try digits()
    }
    if takeHere(UInt8(ascii: "e")) || takeHere(UInt8(ascii: "E")) {
      isWhole = false
      if !takeHere(UInt8(ascii: "+")) { _ = takeHere(UInt8(ascii: "-")) }
      try digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let number = Int(text) { return .int(number) }
    guard let number = Double(text) else { throw .syntax(at: start) }
    return Int(exactly: number).map { .int($0) } ?? .double(number)
  }

  private mutating func digits() throws(Flaw) {
    let start = position
    while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) { position += 1 }
    guard position > start else { throw flaw }
  }

  /// RFC 8259, 7.
  private mutating func string() throws(Flaw) -> String {
    guard takeHere(UInt8(ascii: "\"")) else { throw flaw }
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      guard bytes[position] >= 0x20 else { throw flaw }
      // From here on there are escapes, so the text differs from the bytes.
      guard bytes[position] != UInt8(ascii: "\\") else { return try escapedString(from: start) }
      position += 1
    }
    guard position < bytes.count else { throw flaw }
    defer { position += 1 }
    return try text(bytes[start..<position])
  }

  private mutating func escapedString(from start: Int) throws(Flaw) -> String {
    var units = Array(bytes[start..<position])
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      let byte = bytes[position]
      guard byte >= 0x20 else { throw flaw }
      position += 1
      if byte == UInt8(ascii: "\\") { try escape(into: &units) } else { units.append(byte) }
    }
    guard takeHere(UInt8(ascii: "\"")) else { throw flaw }
    return try text(units[...])
  }

  private mutating func escape(into units: inout [UInt8]) throws(Flaw) {
    guard position < bytes.count else { throw flaw }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(letter)
    case UInt8(ascii: "b"): units.append(0x08)
    case UInt8(ascii: "f"): units.append(0x0C)
    case UInt8(ascii: "n"): units.append(0x0A)
    case UInt8(ascii: "r"): units.append(0x0D)
    case UInt8(ascii: "t"): units.append(0x09)
    case UInt8(ascii: "u"): units += Array(String(Character(try scalar())).utf8)
    default: throw .syntax(at: position - 1)
    }
  }

  /// The value after `\u`: a character of the basic plane, or the two halves of another one.
  private mutating func scalar() throws(Flaw) -> Unicode.Scalar {
    let first = try hexadecimal()
    var code = UInt32(first)
    if (0xD800..<0xDC00).contains(first) {
      guard takeHere(UInt8(ascii: "\\")), takeHere(UInt8(ascii: "u")) else { throw flaw }
      let second = try hexadecimal()
      guard (0xDC00..<0xE000).contains(second) else { throw flaw }
      code = 0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw flaw }
    return scalar
  }

  private mutating func hexadecimal() throws(Flaw) -> UInt16 {
    var number: UInt16 = 0
    for _ in 0..<4 {
      guard position < bytes.count, let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue else {
        throw flaw
      }
      number = number << 4 | UInt16(digit)
      position += 1
    }
    return number
  }

  private func text(_ units: ArraySlice<UInt8>) throws(Flaw) -> String {
    guard let text = String(validating: units, as: UTF8.self) else { throw flaw }
    return text
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

  /// RFC 8259, 2: space, tab, line feed, carriage return.
  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }
}
