import JSONTree

/// A few parameters of a call, each of them text, a whole number, true, false or null.
struct PlainFields: Sendable {
  struct Field: Sendable {
    let name: String
    let value: JSONValue
  }

  var all: [Field] = []

  /// The value of a field; nil if there is none of this name.
  subscript(name: String) -> JSONValue? { all.first { $0.name == name }?.value }

  /// The same for the decoder.
  var object: JSONValue { .object(all.reduce(into: [:]) { $0[$1.name] = $1.value }) }
}

/// Makes parameters of plain fields without a tree of JSON. What it cannot make, the decoder
/// may: its errors never reach a caller.
struct PlainFieldsDecoder: Decoder {
  struct Unfit: Error {}

  let fields: PlainFields
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(PlainMembers<Key>(fields: fields))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unfit() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Unfit() }
}

private struct PlainMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private typealias Unfit = PlainFieldsDecoder.Unfit

  let fields: PlainFields

  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { fields.all.compactMap { Key(stringValue: $0.name) } }
  func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }
  func decodeNil(forKey key: Key) -> Bool { fields[key.stringValue] ?? .null == .null }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    guard case .string(let text)? = fields[key.stringValue] else { throw Unfit() }
    return text
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    guard case .bool(let value)? = fields[key.stringValue] else { throw Unfit() }
    return value
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    guard case .int(let number)? = fields[key.stringValue] else { throw Unfit() }
    return number
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    guard let value = fields[key.stringValue] else { throw Unfit() }
    return try JSONValueDecoder(value, of: .parameters).decoded(type)
  }

  // These three by name: the protocol's own look twice for a field.
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    switch fields[key.stringValue] {
    case nil, .null?: return nil
    case .string(let text)?: return text
    default: throw Unfit()
    }
  }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    switch fields[key.stringValue] {
    case nil, .null?: return nil
    case .bool(let value)?: return value
    default: throw Unfit()
    }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    switch fields[key.stringValue] {
    case nil, .null?: return nil
    case .int(let number)?: return number
    default: throw Unfit()
    }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> { throw Unfit() }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw Unfit() }
  func superDecoder() throws -> any Decoder { throw Unfit() }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw Unfit() }
}
