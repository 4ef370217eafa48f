import FoundationEssentials

/// The one place where JSON is read and written.
enum JSONCoding {
  static func encode(_ value: some Encodable) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    // Infinite numbers are the only values of wire types that JSON cannot hold: they become text rather than an error.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return (try? encoder.encode(value)).map { [UInt8]($0) } ?? Array("{}".utf8)
  }

  static func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }
}

/// What every call says beside its parameters.
struct CallHeader: Decodable {
  let method: String
  let more: Bool?
  let oneway: Bool?
  let upgrade: Bool?
}

/// A call's parameters, read strictly: a name that the method does not have is an error.
struct CallBody<Parameters: VarlinkParameters>: Decodable {
  let parameters: Parameters

  init(from decoder: any Decoder) throws {
    let body = try decoder.container(keyedBy: AnyKey.self)
    guard body.contains("parameters"), try !body.decodeNil(forKey: "parameters") else {
      parameters = try Parameters(from: NoFields())
      return
    }
    let fields = try body.nestedContainer(keyedBy: AnyKey.self, forKey: "parameters")
    if let unknown = fields.allKeys.first(where: { !Parameters.fieldNames.contains($0.stringValue) }) {
      throw VarlinkError.invalidParameter(unknown.stringValue)
    }
    parameters = try body.decode(Parameters.self, forKey: "parameters")
  }

  /// Reads the body, and turns what is wrong with it into InvalidParameter with the field's name.
  static func read(_ source: CallSource) throws -> Parameters {
    guard case .frame(let bytes) = source else { return try Parameters(from: NoFields()) }
    do {
      return try JSONCoding.decode(Self.self, from: bytes).parameters
    } catch let error as DecodingError {
      throw VarlinkError.invalidParameter(error.fieldName ?? unnamedField(bytes) ?? "parameters")
    }
  }

  /// The field that cannot be read, where the decoder does not say: as for a number that an Int cannot hold. It is the one
  /// without which another error comes, or none.
  private static func unnamedField(_ bytes: [UInt8]) -> String? {
    guard case .object(let call)? = try? JSONCoding.decode(JSONValue.self, from: bytes),
      case .object(let fields)? = call["parameters"]
    else { return nil }
    return fields.keys.sorted().first { name in
      var others = fields
      others[name] = nil
      do {
        _ = try JSONCoding.decode(Self.self, from: JSONCoding.encode(["parameters": others]))
        return true
      } catch {
        return (error as? DecodingError)?.fieldName != nil
      }
    }
  }
}

struct AnyKey: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init(stringLiteral value: String) { stringValue = value }
  init?(intValue: Int) { nil }
}

extension DecodingError {
  /// The parameter that could not be read, with the path inside it where it has one; nil where the error names none.
  fileprivate var fieldName: String? {
    let path: [any CodingKey] =
      switch self {
      case .keyNotFound(let key, let context): context.codingPath + [key]
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
        context.codingPath
      @unknown default: []
      }
    let names = path.drop { $0.stringValue == "parameters" }.map { key in
      key.intValue.map(String.init) ?? key.stringValue
    }
    if names.isEmpty, path.contains(where: { $0.stringValue == "parameters" }) { return "parameters" }
    return names.isEmpty ? nil : names.joined(separator: ".")
  }
}

/// Stands for `{}` where a call has no parameters at all.
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
