import AuthFlows
import ProviderSettings
import SettingsFile
import SystemdSupport

/// What the files of this program say, read at one time: at the start, and at each reload.
struct Configuration: Sendable {
  /// Where the files are.
  struct Places: Sendable {
    let settings: SettingsFile.Place
    /// The folder of the providers' files; it may be missing.
    let providers: String
    let credentials: CredentialsDirectory?
  }

  let settings: Settings
  let providers: ProviderSet
  /// Where the providers' files are, and what they may be.
  let files: ProviderFiles

  /// Reads everything anew.
  ///
  /// - Throws: `SettingsError` or `SystemdError` that names the file and what was expected.
  init(_ places: Places) throws {
    files = ProviderFiles(
      folder: places.providers, kinds: KnownProviders.documents, credentials: places.credentials)
    settings = try Settings.read(places.settings.path, credentials: places.credentials)
    providers = try ProviderFolder.read(
      places.providers, kinds: KnownProviders.documents, credentials: places.credentials)
  }

  /// Refuses to take the place of another configuration if a provider that serves would be lost by
  /// a mistake in its file.
  ///
  /// - Throws: `SettingsError` that names the file.
  func check(after former: Configuration) throws(SettingsError) {
    let serving = Set(former.providers.names.map(\.name))
    guard let fault = providers.faults.first(where: { serving.contains($0.name) }) else { return }
    throw SettingsError(.wrongValue, "\(fault); correct it, then reload the service")
  }

  /// For people, in one line.
  var summary: String {
    let names = providers.names.map(\.name)
    let disabled = providers.faults.map { "; disabled: \($0)" }.joined()
    return
      (names.isEmpty
      ? "no provider" : "\(names.count) provider\(names.count == 1 ? "" : "s") (\(names.joined(separator: ", ")))")
      + disabled
  }
}
