import AuthCore
import AuthFlows
import SettingsFile
import TokenSigning
import MobileConnectFlows
import ProviderSettings

/// `serverInitiated` of a file of the kind `mobileConnect`.
struct MobileConnectServerInitiatedDocument: Decodable {
  /// The https URL of requests that the server begins.
  ///
  /// - Default: what discovery or metadata says
  /// - Example: `"https://operator.example/si"`
  var endpoint: String?
  /// The https URL where the answer is asked for.
  ///
  /// - Default: what discovery or metadata says
  /// - Example: `"https://operator.example/si/poll"`
  var pollingEndpoint: String?
  /// The id of the RSA key that signs requests, which is the credential NAME.request-key.
  ///
  /// - Default: none
  /// - Example: `"key-1"`
  var keyID: String?
  /// The version of the profile.
  ///
  /// - Default: `"mc_si_r2_v1.0"`
  /// - Example: `"mc_si_r2_v1.0"`
  var version: String?
  /// For whom requests are signed (aud).
  ///
  /// - Default: the issuer
  /// - Example: `"https://operator.example"`
  var audience: String?
  /// The grant type of polling.
  ///
  /// - Default: `"urn:openid:params:grant-type:ciba"`
  /// - Example: `"urn:openid:params:grant-type:ciba"`
  var grantType: String?
  /// A URL where the operator tells the end. modemd itself asks.
  ///
  /// - Default: none
  /// - Example: `"https://app.example/notify"`
  var notificationURI: String?
  /// How long to wait for the end, in seconds, 1 to 600.
  ///
  /// - Default: `120`
  /// - Example: `60`
  var patienceSeconds: Int?
  /// How often to ask, in seconds, 1 to 60.
  ///
  /// - Default: `5`
  /// - Example: `2`
  var intervalSeconds: Int?

  func mode(_ secrets: ProviderSecrets) throws(SettingsError) -> MobileConnectServerInitiated {
    guard let keyID, !keyID.isEmpty else {
      throw SettingsError(key: "serverInitiated.keyID", expected: "the id of the registered key that signs requests")
    }
    guard let key = try secrets.text("request-key") else {
      throw SettingsError(
        .wrongValue, "serverInitiated has no key; give the credential \(secrets.name).request-key",
        key: "serverInitiated.keyID")
    }
    var mode: MobileConnectServerInitiated
    do throws(AuthError) {
      // The profile has RS256 alone.
      mode = MobileConnectServerInitiated(signer: try SigningKey(key, .rs256, id: keyID))
    } catch {
      throw SettingsError(.wrongValue, "the credential request-key does not fit: \(error.message)")
    }
    mode.endpoint = try SettingsError.secureURL(endpoint, "serverInitiated.endpoint")
    mode.pollingEndpoint = try SettingsError.secureURL(pollingEndpoint, "serverInitiated.pollingEndpoint")
    mode.version = version ?? mode.version
    mode.audience = audience
    mode.grantType = grantType ?? mode.grantType
    mode.notificationURI = notificationURI
    if let seconds = try SettingsError.number(patienceSeconds, "serverInitiated.patienceSeconds", 1...600) {
      mode.patience = .seconds(seconds)
    }
    if let seconds = try SettingsError.number(intervalSeconds, "serverInitiated.intervalSeconds", 1...60) {
      mode.interval = .seconds(seconds)
    }
    return mode
  }
}
