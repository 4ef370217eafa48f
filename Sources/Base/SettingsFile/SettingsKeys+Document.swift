extension SettingsKeys {
  /// What a document decodes: its properties are the keys that a file may have, and are written
  /// nowhere else.
  ///
  /// - Parameter document: an object whose properties are all optional: values, lists, objects of
  ///   the same kind, and objects by names that the user chooses (a dictionary).
  package init(of document: any Decodable.Type) {
    if let named = document as? any NamedFields.Type {
      self = .named(SettingsKeys(of: named.field))
      return
    }
    let record = KeyRecord()
    // Whatever is no object ends with an error at once.
    _ = try? document.init(from: KeyRecorder(record: record))
    self = record.isObject ? .object(record.fields) : .value
  }

  /// What kind of value stands at each key of a document, by the key's path.
  package static func forms(of document: any Decodable.Type) -> [String: SettingsForm] {
    let record = KeyRecord()
    _ = try? document.init(from: KeyRecorder(record: record))
    return record.forms
  }

  /// The keys of an object; none where it is none.
  package var fields: [String: SettingsKeys] {
    switch self {
    case .object(let fields): fields
    case .value, .named: [:]
    }
  }
}

/// A kind of value in a configuration file.
package enum SettingsForm: String, Hashable, Sendable {
  case text, number, boolean, list, object
}

/// An object whose keys the user chooses.
private protocol NamedFields {
  static var field: any Decodable.Type { get }
}

extension Dictionary: NamedFields where Key == String, Value: Decodable {
  static var field: any Decodable.Type { Value.self }
}

private final class KeyRecord {
  var isObject = false
  var fields: [String: SettingsKeys] = [:]
  var forms: [String: SettingsForm] = [:]

  /// Notes an object, a list, or an object by names, with what is below it.
  func note(_ type: any Decodable.Type, at key: String) {
    let below = type is any NamedFields.Type ? [:] : SettingsKeys.forms(of: type)
    forms[key] = below.isEmpty ? ("\(type)".hasPrefix("Array<") ? .list : .object) : nil
    for (path, form) in below { forms["\(key).\(path)"] = form }
  }
}

/// A document in which nothing stands: it notes what is looked for.
private struct KeyRecorder: Decoder {
  struct Nothing: Error {}

  let record: KeyRecord
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    record.isObject = true
    return KeyedDecodingContainer(Fields(record: record))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Nothing() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Nothing() }

  private struct Fields<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let record: KeyRecord
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool {
      record.fields[key.stringValue] = .value
      return false
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
      record.fields[key.stringValue] = SettingsKeys(of: type)
      record.note(type, at: key.stringValue)
      return nil
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) -> String? { value(.text, key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) -> Bool? { value(.boolean, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) -> Int? { value(.number, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) -> Double? { value(.number, key) }

    private func value<Value>(_ form: SettingsForm, _ key: Key) -> Value? {
      record.fields[key.stringValue] = .value
      record.forms[key.stringValue] = form
      return nil
    }

    func decodeNil(forKey key: Key) -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { throw Nothing() }
    func nestedContainer<Inner: CodingKey>(
      keyedBy type: Inner.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Inner> { throw Nothing() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw Nothing() }
    func superDecoder() throws -> any Decoder { throw Nothing() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw Nothing() }
  }
}
