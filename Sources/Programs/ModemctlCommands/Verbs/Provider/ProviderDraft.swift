import JSONTree
import ModemAPI
import ModemctlCore

/// A provider's file before it is written, with the secrets that belong to it.
struct ProviderDraft {
  let kind: VerifyInterface.ProviderKind
  private(set) var document: JSONValue
  private(set) var secrets: [String: [UInt8]] = [:]
  /// The keys that have a value.
  private(set) var keys: Set<String> = []

  init(_ kind: VerifyInterface.ProviderKind) {
    self.kind = kind
    document = .object(["kind": .string(kind.kind)])
  }

  var text: String { JSONText.document(document) }

  /// Sets a key to what a person wrote.
  ///
  /// - Throws: `ModemctlError` for a value of another form than the key's.
  mutating func set(_ key: String, to text: String) throws {
    let row = kind.keys.first { $0.key == key && !$0.secret }
    let value = try Self.value(text, row?.form ?? .text, key)
    document = Self.setting(value, at: key.split(separator: ".").map(String.init)[...], in: document)
    keys.insert(key)
  }

  /// Sets a credential.
  ///
  /// - Throws: `ModemctlError` for one that the kind does not have, or an empty one.
  mutating func set(secret key: String, to bytes: [UInt8]) throws {
    let known = kind.keys.filter(\.secret).map(\.key)
    // Some have a number or a name of the user's choice in their name.
    let isAllowed =
      (1...200).contains(key.utf8.count) && key.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x2f }
    guard isAllowed else { throw ModemctlError(.usage, "\(kind.kind) has the credentials \(list(known))") }
    guard !bytes.isEmpty else { throw ModemctlError(.usage, "the secret \(key) is empty") }
    guard String(validating: bytes, as: UTF8.self) != nil, bytes.count <= 65_536 else {
      throw ModemctlError(.usage, "the secret \(key) is no text of at most 65536 bytes")
    }
    secrets[key] = bytes
  }

  private func list(_ words: [String]) -> String { words.isEmpty ? "none" : words.joined(separator: ", ") }

  /// A value as JSON: by the key's form, so that a client id of digits stays text.
  private static func value(_ text: String, _ form: VerifyInterface.ProviderKey.Form, _ key: String) throws -> JSONValue
  {
    switch form {
    case .number:
      guard let number = Int(text) else { throw ModemctlError(.usage, "\(key) is not a whole number") }
      return .int(number)
    case .boolean:
      guard let flag = Bool(text) else { throw ModemctlError(.usage, "\(key) is not true or false") }
      return .bool(flag)
    case .list:
      if let whole = JSONValue(parsing: Array(text.utf8)), case .array = whole { return whole }
      return .array((ArgumentWords.list(text) ?? []).map { .string($0) })
    case .object:
      guard let whole = JSONValue(parsing: Array(text.utf8)), case .object = whole else {
        throw ModemctlError(.usage, "\(key) is not an object in JSON")
      }
      return whole
    case .text, .other: return .string(text)
    }
  }

  private static func setting(_ value: JSONValue, at path: ArraySlice<String>, in tree: JSONValue?) -> JSONValue {
    guard let first = path.first else { return value }
    var members: [String: JSONValue] = [:]
    if case .object(let own)? = tree { members = own }
    members[first] = setting(value, at: path.dropFirst(), in: members[first])
    return .object(members)
  }
}
