import AuthCore
import AuthFlows
import SettingsFile
import TokenSigning
import MobileConnectFlows
import ProviderSettings

/// `serverInitiated` of a file of the kind `mobileConnect`.
struct MobileConnectServerInitiatedDocument: Decodable {
  var endpoint: String?
  var pollingEndpoint: String?
  var keyID: String?
  var version: String?
  var audience: String?
  var grantType: String?
  var notificationURI: String?
  var patienceSeconds: Int?
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
