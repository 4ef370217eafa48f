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
    var authorization: String?
    var operatorTokensFrom: String?
    var backchannelEndpoint: String?
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
    settings.operatorTokens = try operatorTokens(for: settings.server, secrets.name)
    if settings.operatorTokens == nil { try CAMARAServerDocument.checkUse(of: settings.server) }
    return settings
  }

  /// How Number Verification knows the subscriber.
  private enum Authorization: String, CaseIterable {
    case bearer, jwtBearer, ciba
  }

  /// - Parameter name: this provider's own.
  private func operatorTokens(
    for server: CAMARAServer, _ name: String
  ) throws(SettingsError) -> CAMARASettings.OperatorTokens? {
    let way: Authorization = try SettingsError.word(apis.authorization, "authorization") ?? .bearer
    let endpoint = try CAMARAServerDocument.url(apis.backchannelEndpoint, "backchannelEndpoint")
    guard way != .bearer else {
      guard apis.operatorTokensFrom == nil else {
        throw SettingsError(
          .wrongValue, "operatorTokensFrom: no token is used unless authorization is jwtBearer or ciba",
          key: "operatorTokensFrom")
      }
      return nil
    }
    guard let source = apis.operatorTokensFrom, !source.isEmpty, source != name else {
      throw SettingsError(
        key: "operatorTokensFrom", expected: "the name of a provider of the kind ts43, which gets the operator tokens")
    }
    guard server.route == .host else {
      throw SettingsError(
        key: "route", expected: "host with authorization \(way.rawValue), which needs no bearer")
    }
    guard server.redirect?.isFetched != true else {
      throw SettingsError(
        .wrongValue,
        "redirectIsBackend: a backend that has the redirect URI cannot spend operator tokens; leave it out, or set authorization to bearer",
        key: "redirectIsBackend")
    }
    return CAMARASettings.OperatorTokens(try grant(way, endpoint, of: server.client), from: source)
  }

  private func grant(
    _ way: Authorization, _ endpoint: WebURL?, of client: OpenIDClient
  ) throws(SettingsError) -> OperatorTokenGrant {
    if way == .ciba {
      guard let endpoint else {
        throw SettingsError(
          key: "backchannelEndpoint", expected: "the https URL of backchannel requests, as authorization is ciba")
      }
      if case .none = client.authentication {
        throw SettingsError(
          .wrongValue,
          "authorization: ciba needs a client that proves itself; give the credential client-key or client-secret",
          key: "authorization")
      }
      return .backchannel(endpoint)
    }
    guard case .signature = client.authentication else {
      throw SettingsError(
        .wrongValue,
        "authorization: jwtBearer needs a client that signs; give the credential client-key, and set clientAuthentication to privateKey or leave it out",
        key: "authorization")
    }
    return .jwtBearer
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
