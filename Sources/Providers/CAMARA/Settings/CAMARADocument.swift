import AuthCore
import AuthFlows
import CAMARACommonalities
import RedirectChain
import SettingsFile
import TokenSigning
import Web
import CAMARAFlows
import ProviderSettings

/// The file of a provider of the kind `camara`. Its secrets are the credentials `NAME.client-secret` or `NAME.client-key`.
package struct CAMARADocument: ProviderDocument, CAMARAServerDocument {
  struct Paths: Decodable {
    var numberVerification: String?
    var simSwap: String?
  }

  var frontEnd: String?
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
  var backendAnswer: String?
  var numberVerificationVersion: String?
  var simSwapVersion: String?
  var paths: Paths?
  package var purpose: String?
  var scopeForm: String?
  var scopes: [String: String]?
  package var pkce: Bool?
  package var promptNone: Bool?
  var loginHint: Bool?
  var hashNumber: Bool?
  var simSwapToken: String?
  package var route: String?
  package var authorizationSeconds: Int?

  package static let keys: [String: SettingsKeys] = {
    var keys = serverKeys
    for key in [
      "frontEnd", "backendAnswer", "numberVerificationVersion", "simSwapVersion", "scopeForm", "loginHint",
      "hashNumber", "simSwapToken",
    ] { keys[key] = .value }
    keys["paths"] = .object(["numberVerification": .value, "simSwap": .value])
    keys["scopes"] = .object(
      Dictionary(CAMARAService.allCases.map { ($0.rawValue, SettingsKeys.value) }) { first, _ in first })
    return keys
  }()

  package func settings(_ secrets: ProviderSecrets) throws(SettingsError) -> CAMARASettings {
    let tools = OpenIDTools(sha256: { Digest.sha256($0) })
    let client = try client(secrets)
    let frontEnd: CAMARAFrontEnd? = try SettingsError.word(frontEnd, "frontEnd")
    let known = try frontEnd.map { frontEnd throws(SettingsError) in
      frontEnd.settings(client: client, redirectURI: try Self.url(redirectURI, "redirectURI"), tools)
    }
    let server = try server(client, tools, known: known?.server)
    var settings = known ?? CAMARASettings(server)
    settings.server = server
    try applyVersions(to: &settings)
    try applyScopes(to: &settings)
    settings.sendsLoginHint = loginHint ?? settings.sendsLoginHint
    settings.hashesNumber = hashNumber ?? settings.hashesNumber
    settings.backendAnswer = backendAnswer ?? settings.backendAnswer
    settings.simSwapToken = try SettingsError.word(simSwapToken, "simSwapToken") ?? settings.simSwapToken
    return settings
  }

  private func applyVersions(to settings: inout CAMARASettings) throws(SettingsError) {
    settings.numberVerification =
      try SettingsError.word(numberVerificationVersion, "numberVerificationVersion") ?? settings.numberVerification
    settings.simSwap = try SettingsError.word(simSwapVersion, "simSwapVersion") ?? settings.simSwap
    settings.numberVerificationPath = try SettingsError.path(paths?.numberVerification, "paths.numberVerification")
    settings.simSwapPath = try SettingsError.path(paths?.simSwap, "paths.simSwap")
    // Version 0.4 only accepts subscribers' tokens.
    if settings.simSwap == .v0, simSwapToken == nil { settings.simSwapToken = .subscriber }
  }

  private func applyScopes(to settings: inout CAMARASettings) throws(SettingsError) {
    settings.scopeForm = try SettingsError.word(scopeForm, "scopeForm") ?? settings.scopeForm
    for (name, scope) in scopes ?? [:] {
      if let service = CAMARAService(rawValue: name) { settings.scopes[service] = scope }
    }
  }
}
