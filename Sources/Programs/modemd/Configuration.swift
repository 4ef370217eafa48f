import ProviderSettings
import AuthFlows
import SystemdSupport

/// What the files of this program say, read at one time: at the start, and at each reload.
struct Configuration: Sendable {
  /// Where the files are.
  struct Places: Sendable {
    /// The configuration file; nil for none.
    let settings: String?
    /// The folder of the providers' files; it may be missing.
    let providers: String
    let credentials: CredentialsDirectory?
  }

  let settings: Settings
  let providers: ProviderSet

  /// Reads everything anew.
  ///
  /// - Throws: `SettingsError` or `SystemdError` that names the file and what was expected.
  init(_ places: Places) throws {
    settings = try Settings.read(places.settings, credentials: places.credentials)
    providers = try ProviderFolder.read(
      places.providers, kinds: KnownProviders.documents, credentials: places.credentials)
  }

  /// For people, in one line.
  var summary: String {
    let names = providers.names.map(\.name)
    return names.isEmpty
      ? "no provider" : "\(names.count) provider\(names.count == 1 ? "" : "s") (\(names.joined(separator: ", ")))"
  }
}
