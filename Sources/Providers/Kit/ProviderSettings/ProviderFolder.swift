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
  /// Reads all files of a folder; without a folder, there are none. A file that cannot be used
  /// disables its own provider, and is among the set's faults.
  ///
  /// - Parameter kinds: those that a file may name.
  /// - Throws: `SettingsError` if the folder itself cannot be read.
  package static func read(
    _ folder: String, kinds: [any ProviderDocument.Type], credentials: CredentialsDirectory?
  ) throws(SettingsError) -> ProviderSet {
    var providers = ProviderSet()
    for file in try files(in: folder) {
      let name = String(file.dropLast(".json".utf8.count))
      do throws(SettingsError) {
        try checkName(name)
        try add(
          contentsOf: "\(folder)/\(file)", ProviderSecrets(name: name, credentials: credentials), to: &providers,
          kinds: kinds)
      } catch {
        providers.add(ProviderFault(name: name, file: "\(folder)/\(file)", line: error.line, text: error.advice))
      }
    }
    return providers
  }

  /// Adds the provider that a file describes.
  ///
  /// - Throws: `SettingsError` with the line, without the file.
  package static func add(
    contentsOf file: String, _ secrets: ProviderSecrets, to providers: inout ProviderSet,
    kinds: [any ProviderDocument.Type]
  ) throws(SettingsError) {
    try SettingsFile.settings(contentsOf: file, keys: .value) { (tree: JSONValue) throws(SettingsError) in
      try add(tree, secrets, to: &providers, kinds: kinds)
    }
  }

  /// Looks for what is wrong with the text of a file that is not there yet.
  ///
  /// - Parameter file: its path, as the fault names it.
  /// - Returns: nil if it can be used.
  package static func fault(
    in text: [UInt8], of file: String, _ secrets: ProviderSecrets, kinds: [any ProviderDocument.Type]
  ) -> ProviderFault? {
    var providers = ProviderSet()
    do throws(SettingsError) {
      try checkName(secrets.name)
      try SettingsFile.settings(in: text, keys: .value) { (tree: JSONValue) throws(SettingsError) in
        try add(tree, secrets, to: &providers, kinds: kinds)
      }
      return nil
    } catch {
      return ProviderFault(name: secrets.name, file: file, line: error.line, text: error.advice)
    }
  }

  private static func files(in folder: String) throws(SettingsError) -> [String] {
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).filter {
        $0.hasSuffix(".json") && !$0.hasPrefix(".")
      }.sorted()
    } catch {
      throw SettingsError(.unreadable, "\(folder): the folder cannot be read", cause: "\(error)")
    }
  }

  private static func checkName(_ name: String) throws(SettingsError) {
    guard isName(name[...]) else {
      throw SettingsError(.wrongValue, "a provider's file is named with 1 to 64 small letters, digits and dashes")
    }
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
    let words = kinds.map { kind(of: $0) }
    guard let word = tree["kind"]?.string, let document = kinds.first(where: { kind(of: $0) == word }) else {
      if let given = tree["kind"]?.string, let near = NearestWord.find(given, among: words) {
        // What is so like a word is no secret.
        throw SettingsError(.wrongValue, "kind: there is no \(given); did you mean \(near)?", key: "kind")
      }
      throw SettingsError(key: "kind", expected: "one of \(words.joined(separator: ", "))")
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
        throw error.inside("overrides.\(network)")
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

extension SettingsError {
  /// One sentence for people: what is wrong with a provider's file, and where all keys are told.
  fileprivate var advice: String {
    knownKeys.isEmpty ? sentence : "\(sentence); modemd.providers(5) has the keys of each kind"
  }
}

extension JSONValue {
  /// This object with its members replaced by another's; nested objects are merged in the same way.
  fileprivate func replacing(with other: JSONValue) -> JSONValue {
    guard case .object(let own) = self, case .object(let others) = other else { return other }
    return .object(own.merging(others) { $0.replacing(with: $1) })
  }
}
