import SettingsFile

/// A key of a provider's file, or one of its credentials, for people: manual pages print it, and
/// `modemctl provider add` asks for it.
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
  /// One phrase: what it is, and the values that it may have.
  package let meaning: String
  /// What holds without the key; nil where the meaning says it, or nothing holds.
  package let standard: String?
  package let need: Need
  /// Whether it is a credential, which never stands in the file.
  package let isSecret: Bool
  /// The key that needs this credential; nil for a credential that stands by itself.
  package let companion: String?

  private init(
    _ key: String, _ meaning: String, standard: String?, _ need: Need, isSecret: Bool = false, companion: String? = nil
  ) {
    self.key = key
    self.meaning = meaning
    self.standard = standard
    self.need = need
    self.isSecret = isSecret
    self.companion = companion
  }

  /// A key that few files have.
  package static func key(_ key: String, _ meaning: String, standard: String? = nil) -> SettingsKeyRow {
    SettingsKeyRow(key, meaning, standard: standard, .optional)
  }

  /// A key that people are asked for, and may leave out.
  package static func asked(_ key: String, _ meaning: String, standard: String? = nil) -> SettingsKeyRow {
    SettingsKeyRow(key, meaning, standard: standard, .asked)
  }

  /// A key that every file of the kind needs.
  package static func required(_ key: String, _ meaning: String) -> SettingsKeyRow {
    SettingsKeyRow(key, meaning, standard: nil, .required)
  }

  /// A credential.
  ///
  /// - Parameter companion: the key that needs it, as in `clientID`.
  package static func secret(
    _ name: String, _ meaning: String, _ need: Need = .asked, with companion: String? = nil
  ) -> SettingsKeyRow {
    SettingsKeyRow(name, meaning, standard: nil, need, isSecret: true, companion: companion)
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
    .required("kind", "the kind of provider"),
    .asked(
      "networks", "MCCs, or MCCs with MNC, of the SIMs that it is for, such as [\"234\", \"26201\"]", standard: "all"),
    .key("overrides", "by MCC, or MCC with MNC: what differs for SIMs of that network, in the form of the file itself"),
  ]
}
