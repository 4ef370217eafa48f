import AuthFlows
import CAMARACommonalities
import NumberRecyclingFlows
import ProviderSettings
import SettingsFile
import TokenSigning

/// The file of a provider of the kind `numberRecycling`. Its secret is the credential
/// `NAME.client-secret` or `NAME.client-key`.
package struct NumberRecyclingDocument: ProviderDocument, CAMARAServerDocument {
  package var root: String?
  package var authorizationEndpoint: String?
  package var tokenEndpoint: String?
  package var clientID: String?
  package var clientAuthentication: String?
  package var keyAlgorithm: String?
  package var keyID: String?
  package var assertionAudience: String?
  package var assertionSeconds: Int?
  package var redirectURI: String?
  package var redirectIsBackend: Bool?
  package var purpose: String?
  package var pkce: Bool?
  package var promptNone: Bool?
  package var route: String?
  package var authorizationSeconds: Int?
  /// The version of Number Recycling: v0.1, v0.2 or v0.3.
  ///
  /// - Default: `"v0.2"`
  /// - Example: `"v0.3"`
  var version: String?
  /// Replaces the whole path of the API.
  ///
  /// - Default: `"/number-recycling/VERSION"`
  /// - Example: `"/number-recycling/v0.2"`
  var path: String?
  /// Whose token is used: byNumber, client or subscriber.
  ///
  /// - Default: `"byNumber"`
  /// - Example: `"client"`
  var token: String?

  package func settings(_ secrets: ProviderSecrets) throws(SettingsError) -> NumberRecyclingSettings {
    let tools = OpenIDTools(sha256: { Digest.sha256($0) })
    var settings = NumberRecyclingSettings(try server(try client(secrets), tools))
    settings.version = try SettingsError.word(version, "version") ?? settings.version
    settings.path = try SettingsError.path(path, "path")
    settings.token = try SettingsError.word(token, "token") ?? settings.token
    return settings
  }
}
