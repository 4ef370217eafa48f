import AuthCore
import AuthFlows
import RedirectChain
import SettingsFile
import Web

/// The part of a provider's file that belongs to its kind.
package protocol ProviderDocument: Decodable, Sendable {
  associatedtype Settings: ProviderConfiguration

  /// The keys that it may have besides `kind`, `networks` and `overrides`.
  static var keys: [String: SettingsKeys] { get }

  /// What each key means, and each of the provider's credentials: for people who write a file, and
  /// for programs that ask for what a file needs.
  static var rows: [SettingsKeyRow] { get }

  /// Checks the document and makes settings from it.
  ///
  /// - Parameter secrets: the provider's credentials.
  /// - Throws: `SettingsError` that names the key and what was expected.
  func settings(_ secrets: ProviderSecrets) throws(SettingsError) -> Settings
}

extension ProviderDocument {
  /// The word of this kind in files and calls.
  package static var kind: String { Settings.kind }

  package static var rows: [SettingsKeyRow] { [] }

  /// The document's properties.
  package static var keys: [String: SettingsKeys] { SettingsKeys(of: Self.self).fields }
}

extension SettingsError {
  /// A value of a provider's file that must be an http or https URL without a query.
  package static func endpoint(_ text: String?, _ key: String) throws(SettingsError) -> Endpoint? {
    guard let text else { return nil }
    do {
      return try Endpoint(text)
    } catch {
      throw SettingsError(
        .wrongValue, "\(key) is not an http or https URL without query", key: key, cause: "\(error)")
    }
  }

  /// A value that must be one of a few words.
  package static func word<Value: RawRepresentable & CaseIterable>(
    _ text: String?, _ key: String, _: Value.Type = Value.self
  ) throws(SettingsError) -> Value? where Value.RawValue == String {
    guard let text else { return nil }
    guard let value = Value(rawValue: text) else {
      if let near = NearestWord.find(text, among: Value.allCases.map(\.rawValue)) {
        throw SettingsError(
          .wrongValue,
          "\(key) is not one of \(Value.allCases.map(\.rawValue).joined(separator: ", ")); did you mean \(near)?",
          key: key)
      }
      throw SettingsError(key: key, expected: "one of " + Value.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return value
  }

  /// A number that must be in a range.
  package static func number(_ value: Int?, _ key: String, _ range: ClosedRange<Int>) throws(SettingsError) -> Int? {
    guard let value else { return nil }
    guard range.contains(value) else {
      throw SettingsError(key: key, expected: "\(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// Names of domains with a single owner: neither whole top levels nor domains under which
  /// unrelated parties register or rent names.
  package static func domains(_ names: [String]?, _ key: String) throws(SettingsError) -> Set<String>? {
    guard let names else { return nil }
    for name in names {
      guard (try? WebURL("https://\(name)/"))?.host == name.lowercased() else {
        throw SettingsError(key: key, expected: "names of hosts or domains, as in login.example")
      }
      guard !WebURL.isSharedDomain(name.lowercased()) else {
        throw SettingsError(key: key, expected: "names of one owner; anybody gets names under \(name)")
      }
    }
    return Set(names.map { $0.lowercased() })
  }

  /// A value that must be the path of a URL.
  package static func path(_ text: String?, _ key: String) throws(SettingsError) -> String? {
    guard let text else { return nil }
    let isPath =
      text.hasPrefix("/") && !text.hasSuffix("/") && !text.contains("?") && !text.contains("#")
      && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    guard isPath else {
      throw SettingsError(key: key, expected: "a path that begins with / and does not end with it, without query")
    }
    return text
  }
}
