import JSONTree

/// The only place where JSON is read and written.
enum JSONCoding {
  /// A reply's or an error's fields: all declared fields, with null for those without a value.
  static func encode(_ value: some Encodable) -> [UInt8] { text(of: value, nils: .asNull) }

  /// A call's parameters. A service older than the caller refuses unknown names, so null parameters
  /// are omitted.
  static func encode(parameters: some VarlinkParameters) -> [UInt8] { text(of: parameters, nils: .leftOut) }

  // Wire types throw nothing.
  private static func text(of value: some Encodable, nils: JSONWriter.Nils) -> [UInt8] {
    (try? JSONWriter.write(value, nils: nils)) ?? Array("{}".utf8)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try JSONValueDecoder(JSONReader.read(bytes, .init(depth: 512, values: .max)), of: .replies).decode(type)
  }
}

/// Everything in a call except its parameters.
struct CallHeader: Decodable, Hashable, Sendable {
  let method: String
  let more: Bool?
  let oneway: Bool?
  let upgrade: Bool?
}

/// A call from a frame: its header, and its parameters as JSON.
struct ReadCall: Sendable {
  let header: CallHeader
  let source: CallSource

  /// Reads a frame once.
  ///
  /// - Throws: if it is not a call, or holds more than `limits` allow.
  static func read(_ frame: [UInt8], _ limits: JSONReader.Limits) throws -> ReadCall {
    guard case .object(let members) = try JSONReader.read(frame, limits) else { throw NoCall() }
    let header = CallHeader(
      method: try string(members["method"]), more: try boolean(members["more"]),
      oneway: try boolean(members["oneway"]), upgrade: try boolean(members["upgrade"]))
    return ReadCall(header: header, source: .parameters(members["parameters"] ?? .null))
  }

  private struct NoCall: Error {}

  private static func string(_ value: JSONValue?) throws -> String {
    guard case .string(let text)? = value else { throw NoCall() }
    return text
  }

  private static func boolean(_ value: JSONValue?) throws -> Bool? {
    switch value {
    case nil, .null: return nil
    case .bool(let value): return value
    default: throw NoCall()
    }
  }
}

/// A call's parameters, read strictly: an unknown name is an error.
enum CallBody<Parameters: VarlinkParameters> {
  /// Reads the parameters, and reports errors in them as InvalidParameter with the field's name.
  static func read(_ source: CallSource) throws -> Parameters {
    let value: JSONValue
    switch source {
    case .bare, .parameters(.null): return try Parameters(from: NoFields())
    case .plain(let fields):
      if let parameters = plain(fields) { return parameters }
      value = fields.object
    case .parameters(let parameters): value = parameters
    }
    guard case .object(let fields) = value else { throw VarlinkError.invalidParameter("parameters") }
    if let unknown = fields.keys.filter({ !Parameters.fieldNames.contains($0) }).min() {
      throw VarlinkError.invalidParameter(unknown)
    }
    do {
      return try Parameters(from: JSONValueDecoder(value, of: .parameters))
    } catch let error as DecodingError {
      throw VarlinkError.invalidParameter(error.fieldName ?? "parameters")
    }
  }
}

extension CallBody {
  /// The parameters, if the decoder would read the same; nil leaves it to the decoder.
  private static func plain(_ fields: PlainFields) -> Parameters? {
    guard fields.all.allSatisfy({ Parameters.fieldNames.contains($0.name) }) else { return nil }
    return try? Parameters(from: PlainFieldsDecoder(fields: fields))
  }
}

extension DecodingError {
  /// The unreadable parameter, with the path inside it if there is one; nil if the error names
  /// none.
  fileprivate var fieldName: String? {
    let path: [any CodingKey] =
      switch self {
      case .keyNotFound(let key, let context): context.codingPath + [key]
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        context.codingPath
      @unknown default: []
      }
    let names = path.map { key in key.intValue.map(String.init) ?? key.stringValue }
    return names.isEmpty ? nil : names.joined(separator: ".")
  }
}

/// Represents `{}` for a call without parameters.
private struct NoFields: Decoder {
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Fields<Key>())
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw missing("parameters") }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw missing("parameters") }

  private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }
    func contains(_ key: Key) -> Bool { false }
    func decodeNil(forKey key: Key) throws -> Bool { true }
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { throw missing(key.stringValue) }
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { nil }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw missing(key.stringValue) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw missing(key.stringValue)
    }
    func superDecoder() throws -> any Decoder { throw missing("super") }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw missing(key.stringValue) }
  }
}

private func missing(_ name: String) -> VarlinkError { VarlinkError.invalidParameter(name) }
