import AuthCore
import AuthFlows
import FoundationEssentials
import JSONTree
import SettingsFile
import SystemdSupport

/// Reads the providers' files: `NAME.json` in one folder, each a JSON object.
///
///     { "kind": "truID", "networks": ["234", "26201"], …,
///       "overrides": { "23415": { … } } }
///
/// `networks` are the MCCs, or MCCs with MNC, of the SIMs that the provider serves. The members in
/// `overrides` for a network replace those above. Secrets are credentials, `NAME.KEY`.
package enum ProviderFolder {
  /// Reads all files of a folder; without a folder, there are none.
  ///
  /// - Parameter kinds: those that a file may name.
  /// - Throws: `SettingsError` that names the file, the key and what was expected.
  package static func read(
    _ folder: String, kinds: [any ProviderDocument.Type], credentials: CredentialsDirectory?
  ) throws(SettingsError) -> ProviderSet {
    var providers = ProviderSet()
    for file in try files(in: folder) {
      let name = String(file.dropLast(".json".utf8.count))
      let secrets = ProviderSecrets(name: name, credentials: credentials)
      try SettingsFile.read("\(folder)/\(file)", keys: .value) { (tree: JSONValue) throws(SettingsError) in
        try add(tree, secrets, to: &providers, kinds: kinds)
      }
    }
    return providers
  }

  private static func files(in folder: String) throws(SettingsError) -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json") }.sorted()
    } catch {
      throw SettingsError(.unreadable, "\(folder): the folder cannot be read", cause: "\(error)")
    }
    for name in names where !isName(name.dropLast(".json".utf8.count)) {
      throw SettingsError(
        .wrongValue, "\(folder)/\(name): a provider's file is named with 1 to 64 small letters, digits and dashes")
    }
    return names
  }

  private static func isName(_ text: Substring) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d }
  }

  /// Adds the provider that a file describes.
  package static func add(
    _ tree: JSONValue, _ secrets: ProviderSecrets, to providers: inout ProviderSet,
    kinds: [any ProviderDocument.Type]
  ) throws(SettingsError) {
    let words = kinds.map { kind(of: $0) }.joined(separator: ", ")
    guard let word = tree["kind"]?.string, let document = kinds.first(where: { kind(of: $0) == word }) else {
      throw SettingsError(key: "kind", expected: "one of \(words)")
    }
    try add(document, tree, secrets, to: &providers)
  }

  private static func kind<Document: ProviderDocument>(of _: Document.Type) -> String { Document.Settings.kind }

  private static func add<Document: ProviderDocument>(
    _: Document.Type, _ tree: JSONValue, _ secrets: ProviderSecrets, to providers: inout ProviderSet
  ) throws(SettingsError) {
    let keys = SettingsKeys.object(
      Document.keys.merging([
        "kind": .value, "networks": .value, "overrides": .named(.object(Document.keys)),
      ]) { own, _ in own })
    let common: CommonDocument = try decode(tree, keys)
    for network in common.networks ?? [] where !isNetwork(network) {
      throw SettingsError(key: "networks", expected: "MCCs of 3 digits, or MCCs with MNC of 5 or 6")
    }
    var overrides: [String: Document.Settings] = [:]
    for (network, part) in (common.overrides ?? [:]).sorted(by: { $0.key < $1.key }) {
      guard isNetwork(network) else {
        throw SettingsError(key: "overrides", expected: "named by MCCs of 3 digits, or MCCs with MNC of 5 or 6")
      }
      let document: Document = try decode(tree.replacing(with: part), keys)
      do {
        overrides[network] = try document.settings(secrets)
      } catch {
        throw SettingsError(error.code, "overrides.\(network).\(error.message)", cause: error.cause)
      }
    }
    let document: Document = try decode(tree, keys)
    providers.add(
      NamedProvider(
        name: secrets.name, networks: common.networks.map { Set($0) }, settings: try document.settings(secrets),
        overrides: overrides))
  }

  private static func decode<Document: Decodable>(
    _ tree: JSONValue, _ keys: SettingsKeys
  ) throws(SettingsError) -> Document {
    try SettingsFile.decode(Array(tree.text.utf8), keys: keys)
  }

  private static func isNetwork(_ text: String) -> Bool {
    [3, 5, 6].contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}

/// The members that every provider's file may have.
private struct CommonDocument: Decodable {
  var networks: [String]?
  var overrides: [String: JSONValue]?
}

extension JSONValue {
  /// This object with its members replaced by another's; nested objects are merged in the same way.
  fileprivate func replacing(with other: JSONValue) -> JSONValue {
    guard case .object(let own) = self, case .object(let others) = other else { return other }
    return .object(own.merging(others) { $0.replacing(with: $1) })
  }
}
