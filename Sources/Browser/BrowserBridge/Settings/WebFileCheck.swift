import SettingsFile
import SystemdSupport

/// What `modemd-web --check` says.
package struct WebFileCheck {
  package let line: String
  package let isGood: Bool

  /// - Parameter credentials: those of the service; nil if there are none at hand.
  package init(_ path: String, credentials: CredentialsDirectory?) {
    do throws(SettingsError) {
      let settings = try WebSettings.read(path, credentials: credentials)
      line = "\(path): good: \(settings.backends.map(\.key).joined(separator: ", "))"
      isGood = true
    } catch {
      line = "\(error)"
      isGood = false
    }
  }
}
