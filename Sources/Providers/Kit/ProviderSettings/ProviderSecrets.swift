import AuthCore
import SettingsFile
import SystemdSupport

/// The secrets of one provider: files of the service's credentials folder, `NAME.KEY`. The
/// provider's file never holds them.
package struct ProviderSecrets: Sendable {
  package let name: String
  private let credentials: CredentialsDirectory?
  private let given: [String: Secret]

  /// - Parameter given: secrets that the service does not have yet, by their keys.
  package init(name: String, credentials: CredentialsDirectory?, given: [String: Secret] = [:]) {
    self.name = name
    self.credentials = credentials
    self.given = given
  }

  /// The text of a secret without a trailing line break; nil if there is none.
  ///
  /// - Parameter key: as in `client-secret`.
  /// - Throws: `SettingsError` if it exists but cannot be used.
  package func text(_ key: String) throws(SettingsError) -> Secret? {
    // A file may choose it, and errors name it.
    guard (1...200).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x2f }) else {
      throw SettingsError(
        .wrongValue, "the name of a credential is not 1 to 200 printable characters without blanks and slashes")
    }
    if let secret = given[key] { return secret }
    // If a whole folder is loaded, each file has the credential's name as a prefix
    // (systemd.exec(5), LoadCredential=).
    for file in ["\(name).\(key)", "modemd_\(name).\(key)"] {
      do {
        guard let bytes = try credentials?.read(file) else { continue }
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else {
          throw SettingsError(.unreadable, "the credential \(file) is empty or no text")
        }
        return Secret(text.hasSuffix("\n") ? String(text.dropLast()) : text)
      } catch let error as SystemdError {
        throw SettingsError(.unreadable, "the credential \(file) cannot be used", cause: error.message)
      } catch let error as SettingsError {
        throw error
      } catch {
        throw SettingsError(.unreadable, "the credential \(file) cannot be used")
      }
    }
    return nil
  }
}
