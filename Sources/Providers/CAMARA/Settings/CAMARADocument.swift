import AuthCore
import AuthFlows
import CAMARACommonalities
import RedirectChain
import SettingsFile
import TokenSigning
import Web
import CAMARAFlows
import ProviderSettings

/// The file of a provider of the kind `camara`. Its secrets are the credentials
/// `NAME.client-secret` or `NAME.client-key`.
package struct CAMARADocument: ProviderDocument {
  private let registration: CAMARAServerDocument
  private let apis: APIs

  private struct APIs: Decodable {
    var frontEnd: String?
    var backendAnswer: String?
    var numberVerificationVersion: String?
    var simSwapVersion: String?
    var paths: Paths?
    var scopeForm: String?
    var scopes: [String: String]?
    var loginHint: Bool?
    var hashNumber: Bool?
    var simSwapToken: String?
  }

  private struct Paths: Decodable {
    var numberVerification: String?
    var simSwap: String?
  }

  package init(from decoder: any Decoder) throws {
    registration = try CAMARAServerDocument(from: decoder)
    apis = try APIs(from: decoder)
  }

  package static let keys: [String: SettingsKeys] = {
    var keys = SettingsKeys(of: Self.self).fields
    // Of the words that a user may choose, those alone.
    keys["scopes"] = .object(
      Dictionary(CAMARAService.allCases.map { ($0.rawValue, SettingsKeys.value) }) { first, _ in first })
    return keys
  }()

  package func settings(_ secrets: ProviderSecrets) throws(SettingsError) -> CAMARASettings {
    let tools = OpenIDTools(sha256: { Digest.sha256($0) })
    let client = try registration.client(secrets)
    let frontEnd: CAMARAFrontEnd? = try SettingsError.word(apis.frontEnd, "frontEnd")
    let known = try frontEnd.map { frontEnd throws(SettingsError) in
      frontEnd.settings(
        client: client, redirectURI: try CAMARAServerDocument.url(registration.redirectURI, "redirectURI"), tools)
    }
    let server = try registration.server(client, tools, known: known?.server)
    var settings = known ?? CAMARASettings(server)
    settings.server = server
    try applyVersions(to: &settings)
    try applyScopes(to: &settings)
    settings.sendsLoginHint = apis.loginHint ?? settings.sendsLoginHint
    settings.hashesNumber = apis.hashNumber ?? settings.hashesNumber
    settings.backendAnswer = apis.backendAnswer ?? settings.backendAnswer
    settings.simSwapToken = try SettingsError.word(apis.simSwapToken, "simSwapToken") ?? settings.simSwapToken
    try CAMARAServerDocument.checkUse(of: settings.server)
    return settings
  }

  private func applyVersions(to settings: inout CAMARASettings) throws(SettingsError) {
    settings.numberVerification =
      try SettingsError.word(apis.numberVerificationVersion, "numberVerificationVersion") ?? settings.numberVerification
    settings.simSwap = try SettingsError.word(apis.simSwapVersion, "simSwapVersion") ?? settings.simSwap
    settings.numberVerificationPath = try SettingsError.path(apis.paths?.numberVerification, "paths.numberVerification")
    settings.simSwapPath = try SettingsError.path(apis.paths?.simSwap, "paths.simSwap")
    // Version 0.4 only accepts subscribers' tokens.
    if settings.simSwap == .v0, apis.simSwapToken == nil { settings.simSwapToken = .subscriber }
  }

  private func applyScopes(to settings: inout CAMARASettings) throws(SettingsError) {
    settings.scopeForm = try SettingsError.word(apis.scopeForm, "scopeForm") ?? settings.scopeForm
    for (name, scope) in apis.scopes ?? [:] {
      if let service = CAMARAService(rawValue: name) { settings.scopes[service] = scope }
    }
  }
}
