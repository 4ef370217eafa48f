/// Writes a value as JSON text (RFC 8259) in one pass. An object's members keep the order in which
/// the value gives them.
///
/// A number that JSON cannot represent becomes text: `NaN`, `Infinity` or `-Infinity`. Of nested
/// containers that a value opens, only the innermost may be written to.
public struct JSONWriter {
  /// What happens to a member that is nil.
  public enum Nils: Hashable, Sendable {
    /// It is there, and null.
    case asNull
    /// It is left out.
    case leftOut
  }

  /// The text of a value. A value without content is `{}`.
  ///
  /// - Throws: what the value throws, and an error if it writes to a container that another one
  ///   ended.
  public static func write(_ value: some Encodable, nils: Nils) throws -> [UInt8] {
    let text = JSONText(nils)
    try text.value(value)
    guard !text.isBroken else { throw EndedContainer() }
    return text.bytes
  }

  private struct EndedContainer: Error {}
}

/// The text so far, and its open containers.
private final class JSONText {
  private(set) var bytes: [UInt8] = []
  let writesNulls: Bool
  private var open: [(end: UInt8, hasItems: Bool)] = []
  /// Whether something was written to a closed place.
  private(set) var isBroken = false

  init(_ nils: JSONWriter.Nils) { writesNulls = nils == .asNull }

  /// How many objects and arrays are open.
  var depth: Int { open.count }

  func begin(_ mark: UInt8, end: UInt8) {
    bytes.append(mark)
    open.append((end, false))
  }

  /// Begins an item of the container at `depth`; containers open inside it end.
  func item(at depth: Int) {
    end(to: depth)
    guard open.indices.contains(depth - 1) else { return isBroken = true }
    if open[depth - 1].hasItems { bytes.append(UInt8(ascii: ",")) }
    open[depth - 1].hasItems = true
  }

  func member(_ name: String, at depth: Int) {
    item(at: depth)
    string(name)
    bytes.append(UInt8(ascii: ":"))
  }

  private func end(to depth: Int) {
    while open.count > depth, let last = open.popLast() { bytes.append(last.end) }
  }

  func value(_ value: some Encodable) throws {
    let (place, start) = (depth, bytes.count)
    try value.encode(to: PlaceEncoder(text: self, place: place, start: start))
    end(to: place)
    if bytes.count == start { word("{}") }
  }

  func word(_ word: StaticString) { bytes += UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount) }

  func boolean(_ value: Bool) { word(value ? "true" : "false") }

  func integer(_ value: some FixedWidthInteger) { bytes += String(value).utf8 }

  func number(_ value: Double) {
    guard value.isFinite else { return string(value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity") }
    if let whole = Int(exactly: value), whole.magnitude < 1 << 53 { return integer(whole) }
    bytes += value.description.utf8
  }

  /// RFC 8259, 7.
  func string(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { units in
      if units.allSatisfy(Self.isPlain) { bytes += units } else { for unit in units { escaped(unit) } }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isPlain(_ unit: UInt8) -> Bool {
    unit >= 0x20 && unit != UInt8(ascii: "\"") && unit != UInt8(ascii: "\\")
  }

  private func escaped(_ unit: UInt8) {
    guard !Self.isPlain(unit) else { return bytes.append(unit) }
    switch unit {
    case UInt8(ascii: "\""): word("\\\"")
    case UInt8(ascii: "\\"): word("\\\\")
    case 0x0A: word("\\n")
    case 0x0D: word("\\r")
    case 0x09: word("\\t")
    default:
      word("\\u00")
      for digit in [unit >> 4, unit & 0xF] { bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
    }
  }
}

/// Encodes the value of one place.
private struct PlaceEncoder: Encoder, SingleValueEncodingContainer {
  let text: JSONText
  /// How many containers are open around the place.
  let place: Int
  /// Where the place begins.
  let start: Int

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    // A class and its parent both ask.
    if text.bytes.count == start { text.begin(UInt8(ascii: "{"), end: UInt8(ascii: "}")) }
    return KeyedEncodingContainer(Members<Key>(text: text, depth: place + 1))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if text.bytes.count == start { text.begin(UInt8(ascii: "["), end: UInt8(ascii: "]")) }
    return Items(text: text, depth: place + 1)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() { text.word("null") }
  func encode(_ value: Bool) { text.boolean(value) }
  func encode(_ value: String) { text.string(value) }
  func encode(_ value: Double) { text.number(value) }
  func encode(_ value: Float) { text.number(Double(value)) }
  func encode(_ value: Int) { text.integer(value) }
  func encode(_ value: Int8) { text.integer(value) }
  func encode(_ value: Int16) { text.integer(value) }
  func encode(_ value: Int32) { text.integer(value) }
  func encode(_ value: Int64) { text.integer(value) }
  func encode(_ value: UInt) { text.integer(value) }
  func encode(_ value: UInt8) { text.integer(value) }
  func encode(_ value: UInt16) { text.integer(value) }
  func encode(_ value: UInt32) { text.integer(value) }
  func encode(_ value: UInt64) { text.integer(value) }
  func encode(_ value: some Encodable) throws { try text.value(value) }
}

/// An object's members.
private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let text: JSONText
  let depth: Int

  var codingPath: [any CodingKey] { [] }

  private func name(_ key: Key) { text.member(key.stringValue, at: depth) }

  private func optional(_ value: (some Encodable)?, _ key: Key) throws {
    if let value { try encode(value, forKey: key) } else { null(key) }
  }

  private func null(_ key: Key) {
    if text.writesNulls { encodeNil(forKey: key) }
  }

  func encodeNil(forKey key: Key) {
    name(key)
    text.word("null")
  }
  func encode(_ value: Bool, forKey key: Key) {
    name(key)
    text.boolean(value)
  }
  func encode(_ value: String, forKey key: Key) {
    name(key)
    text.string(value)
  }
  func encode(_ value: Double, forKey key: Key) {
    name(key)
    text.number(value)
  }
  func encode(_ value: Int, forKey key: Key) {
    name(key)
    text.integer(value)
  }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    name(key)
    try text.value(value)
  }

  // Each type by name: the protocol has a default for each, which leaves nil out.
  func encodeIfPresent(_ value: Bool?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { null(key) }
  }
  func encodeIfPresent(_ value: String?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { null(key) }
  }
  func encodeIfPresent(_ value: Double?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { null(key) }
  }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) {
    if let value { encode(value, forKey: key) } else { null(key) }
  }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try optional(value, key) }
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try optional(value, key) }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { encoder(key).container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder(named: "super") }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

  private func encoder(_ key: Key) -> PlaceEncoder { encoder(named: key.stringValue) }

  private func encoder(named name: String) -> PlaceEncoder {
    text.member(name, at: depth)
    return PlaceEncoder(text: text, place: depth, start: text.bytes.count)
  }
}

/// An array's items.
private struct Items: UnkeyedEncodingContainer {
  let text: JSONText
  let depth: Int
  private(set) var count = 0

  init(text: JSONText, depth: Int) {
    self.text = text
    self.depth = depth
  }

  var codingPath: [any CodingKey] { [] }

  private mutating func begin() {
    text.item(at: depth)
    count += 1
  }

  mutating func encodeNil() {
    begin()
    text.word("null")
  }
  mutating func encode(_ value: String) {
    begin()
    text.string(value)
  }
  mutating func encode<T: Encodable>(_ value: T) throws {
    begin()
    try text.value(value)
  }

  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { encoder() }

  private mutating func encoder() -> PlaceEncoder {
    begin()
    return PlaceEncoder(text: text, place: depth, start: text.bytes.count)
  }
}
