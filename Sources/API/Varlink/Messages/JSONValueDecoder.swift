import JSONTree

/// Decodes wire types from a JSON value that has already been read.
///
/// Each error carries the path to its cause, and a nested `JSONValue` is used unchanged.
struct JSONValueDecoder: Decoder {
  /// Whose words are read.
  enum Side {
    /// A caller's parameters, in which a word that the interface does not declare is an error.
    case parameters
    /// A service's replies, which may hold words of a later version.
    case replies
  }

  let value: JSONValue
  let side: Side
  var codingPath: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ value: JSONValue, of side: Side, at path: [any CodingKey] = []) {
    self.value = value
    self.side = side
    codingPath = path
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = value else { throw mismatch([String: JSONValue].self) }
    return KeyedDecodingContainer(Members<Key>(members: members, side: side, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let items) = value else { throw mismatch([JSONValue].self) }
    return Items(items: items, side: side, codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func decoded<T: Decodable>(_ type: T.Type) throws -> T {
    guard type == JSONValue.self else { return try T(from: self) }
    guard value.isFinite, let value = value as? T else { throw mismatch(type) }
    return value
  }

  private func mismatch(_ type: any Any.Type) -> DecodingError {
    .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "another kind of value"))
  }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let value) = value else { throw mismatch(type) }
    return value
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let text) = value else { throw mismatch(type) }
    return text
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch value {
    case .int(let number): return Double(number)
    case .double(let number) where number.isFinite: return number
    default: throw mismatch(type)
    }
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decoded(type) }

  private func integer<Number: FixedWidthInteger>() throws -> Number {
    guard case .int(let number) = value, let exact = Number(exactly: number) else { throw mismatch(Number.self) }
    return exact
  }
}

/// An object's members.
private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: JSONValue]
  let side: JSONValueDecoder.Side
  let codingPath: [any CodingKey]

  var allKeys: [Key] { members.keys.compactMap { Key(stringValue: $0) } }
  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { members[key.stringValue] ?? .null == .null }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder(key).decoded(type) }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { JSONValueDecoder(members["super"] ?? .null, of: side, at: codingPath) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func decoder(_ key: Key) throws -> JSONValueDecoder {
    guard let value = members[key.stringValue] else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: "not there"))
    }
    return JSONValueDecoder(value, of: side, at: codingPath + [key])
  }
}

/// An array's items, one after the other.
private struct Items: UnkeyedDecodingContainer {
  let items: [JSONValue]
  let side: JSONValueDecoder.Side
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(items: [JSONValue], side: JSONValueDecoder.Side, codingPath: [any CodingKey]) {
    self.items = items
    self.side = side
    self.codingPath = codingPath
  }

  var count: Int? { items.count }
  var isAtEnd: Bool { currentIndex >= items.count }

  mutating func decodeNil() throws -> Bool {
    guard try next().value == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let item = try next().decoded(type)
    currentIndex += 1
    return item
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let item = try next().container(keyedBy: type)
    currentIndex += 1
    return item
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let item = try next().unkeyedContainer()
    currentIndex += 1
    return item
  }

  mutating func superDecoder() throws -> any Decoder {
    let item = try next()
    currentIndex += 1
    return item
  }

  private func next() throws -> JSONValueDecoder {
    let path = codingPath + [Index(position: currentIndex)]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(JSONValue.self, .init(codingPath: path, debugDescription: "the array ends"))
    }
    return JSONValueDecoder(items[currentIndex], of: side, at: path)
  }

  private struct Index: CodingKey {
    let position: Int
    var stringValue: String { String(position) }
    var intValue: Int? { position }

    init(position: Int) { self.position = position }
    init?(stringValue: String) { return nil }
    init?(intValue: Int) { position = intValue }
  }
}
