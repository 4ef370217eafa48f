import SettingsFile

/// A key of a provider's file, or one of its credentials, for people. Everything that is told about
/// it is written here alone: `scripts/settings-pages` reads the rows for modemd.providers(5), and
/// `modemctl provider add` asks for what they say.
package struct SettingsKeyRow: Hashable, Sendable {
  /// Who needs the value.
  package enum Need: Hashable, Sendable {
    /// No file of this kind works without it.
    case required
    /// Many files have it, so that people are asked for it.
    case asked
    /// Few files have it.
    case optional
  }

  /// The key's path, as in `backend.url`; of a credential, what follows the provider's name and the
  /// dot, as in `client-secret`.
  package let key: String
  /// In whole sentences: what it is, and the values that it may have.
  package let meaning: String
  /// What holds without the key; nil where the meaning says it, or nothing holds.
  package private(set) var standard: String?
  package private(set) var need: Need
  /// A value that it may have, a text without its quotes; nil for a credential.
  package private(set) var example: String?
  /// The key that may tell the value in place of this one.
  private var substitute: String?
  /// Whether it is a credential, which never stands in the file.
  package private(set) var isSecret = false
  /// The key that needs this credential; nil for a credential that stands by itself.
  package private(set) var companion: String?

  private init(_ key: String, _ meaning: String, _ need: Need) {
    self.key = key
    self.meaning = meaning
    self.need = need
  }

  private init(_ key: String, _ meaning: String, _ need: Need, standard: String?, example: String) {
    self.init(key, meaning, need)
    self.standard = standard
    self.example = example
  }

  /// A key that few files have.
  package static func key(_ key: String, _ meaning: String, standard: String? = nil, example: String) -> Self {
    Self(key, meaning, .optional, standard: standard, example: example)
  }

  /// A key that people are asked for, and may leave out.
  package static func asked(_ key: String, _ meaning: String, standard: String? = nil, example: String) -> Self {
    Self(key, meaning, .asked, standard: standard, example: example)
  }

  /// A key that every file of the kind needs.
  ///
  /// - Parameter substitute: the key that may tell its value, in kinds that have that key.
  package static func required(
    _ key: String, _ meaning: String, unless substitute: String? = nil, example: String
  ) -> Self {
    var row = Self(key, meaning, .required, standard: nil, example: example)
    row.substitute = substitute
    return row
  }

  /// A credential.
  ///
  /// - Parameter companion: the key that needs it, as in `clientID`.
  package static func secret(
    _ name: String, _ meaning: String, _ need: Need = .asked, with companion: String? = nil
  ) -> Self {
    var row = Self(name, meaning, need)
    row.isSecret = true
    row.companion = companion
    return row
  }

  /// The row in a kind of provider that has a certain key: it is needed no more if that key may
  /// tell its value.
  package func told(by key: String) -> SettingsKeyRow {
    guard substitute == key else { return self }
    var row = self
    row.need = .asked
    row.standard = "that of \(key), else it is needed"
    return row
  }

  /// What kind of value it has, if no document says it.
  package var commonForm: SettingsForm {
    switch key {
    case "networks": .list
    case "overrides": .object
    default: .text
    }
  }

  /// The keys that files of all kinds have.
  package static let common: [SettingsKeyRow] = [
    .required("kind", "The kind of provider: one of the sections below.", example: "truID"),
    .asked(
      "networks", "The SIMs that the provider is for: MCCs of 3 digits, or MCCs with MNC.", standard: "all",
      example: "[\"234\", \"26201\"]"),
    .key(
      "overrides",
      "By MCC, or MCC with MNC: what differs for SIMs of that network, in the form of the file itself.",
      standard: "{}", example: "{ \"26201\": { \"clientID\": \"app-2\" } }"),
  ]
}
