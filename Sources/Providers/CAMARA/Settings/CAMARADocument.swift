import AuthCore
import AuthFlows
import RedirectChain
import SettingsFile
import TokenSigning
import Web
import CAMARAFlows
import ProviderSettings

/// The file of a provider of the kind `camara`. Its secrets are the credentials
/// `NAME.client-secret` or `NAME.client-key`.
package struct CAMARADocument: ProviderDocument {
  struct Paths: Decodable {
    var numberVerification: String?
    var simSwap: String?
  }

  var frontEnd: String?
  var root: String?
  var authorizationEndpoint: String?
  var tokenEndpoint: String?
  var clientID: String?
  var clientAuthentication: String?
  var keyAlgorithm: String?
  var keyID: String?
  var assertionAudience: String?
  var assertionSeconds: Int?
  var redirectURI: String?
  var redirectIsBackend: Bool?
  var backendAnswer: String?
  var numberVerificationVersion: String?
  var simSwapVersion: String?
  var paths: Paths?
  var purpose: String?
  var scopeForm: String?
  var scopes: [String: String]?
  var pkce: Bool?
  var promptNone: Bool?
  var loginHint: Bool?
  var hashNumber: Bool?
  var simSwapToken: String?
  var route: String?
  var authorizationSeconds: Int?

  package static let keys: [String: SettingsKeys] = {
    let plain = [
      "frontEnd", "root", "authorizationEndpoint", "tokenEndpoint", "clientID", "clientAuthentication", "keyAlgorithm",
      "keyID", "assertionAudience", "assertionSeconds", "redirectURI", "redirectIsBackend", "backendAnswer",
      "numberVerificationVersion", "simSwapVersion", "purpose", "scopeForm", "pkce", "promptNone", "loginHint",
      "hashNumber", "simSwapToken", "route", "authorizationSeconds",
    ]
    var keys = Dictionary(plain.map { ($0, SettingsKeys.value) }) { first, _ in first }
    keys["paths"] = .object(["numberVerification": .value, "simSwap": .value])
    keys["scopes"] = .object(
      Dictionary(CAMARAService.allCases.map { ($0.rawValue, SettingsKeys.value) }) { first, _ in first })
    return keys
  }()

  package func settings(_ secrets: ProviderSecrets) throws(SettingsError) -> CAMARASettings {
    let tools = OpenIDTools(sha256: { Digest.sha256($0) })
    guard let clientID, !clientID.isEmpty else {
      throw SettingsError(key: "clientID", expected: "the client id of the registration")
    }
    let client = OpenIDClient(id: clientID, try authentication(secrets))
    var settings = try base(client, tools)
    settings.redirect = try redirect(settings.redirect)
    try applyVersions(to: &settings)
    try applyScopes(to: &settings)
    settings.usesPKCE = pkce ?? settings.usesPKCE
    settings.promptsNone = promptNone ?? settings.promptsNone
    settings.sendsLoginHint = loginHint ?? settings.sendsLoginHint
    settings.hashesNumber = hashNumber ?? settings.hashesNumber
    settings.backendAnswer = backendAnswer ?? settings.backendAnswer
    settings.simSwapToken = try SettingsError.word(simSwapToken, "simSwapToken") ?? settings.simSwapToken
    settings.route = try SettingsError.word(route, "route") ?? settings.route
    settings.assertionTime =
      try SettingsError.number(assertionSeconds, "assertionSeconds", 1...300) ?? settings.assertionTime
    if let seconds = try SettingsError.number(authorizationSeconds, "authorizationSeconds", 1...300) {
      settings.authorizationTime = .seconds(seconds)
    }
    return settings
  }

  /// The front end's own settings, or those from the file.
  private func base(_ client: OpenIDClient, _ tools: OpenIDTools) throws(SettingsError) -> CAMARASettings {
    let frontEnd: CAMARAFrontEnd? = try SettingsError.word(frontEnd, "frontEnd")
    let root = try SettingsError.endpoint(root, "root")
    let authorization = try Self.url(authorizationEndpoint, "authorizationEndpoint")
    let token = try Self.url(tokenEndpoint, "tokenEndpoint")
    if let root, root.url.scheme != .https { throw SettingsError(key: "root", expected: "an https URL") }
    if let frontEnd {
      var settings = frontEnd.settings(client: client, redirectURI: try Self.url(redirectURI, "redirectURI"), tools)
      settings.root = root ?? settings.root
      settings.authorizationEndpoint = authorization ?? settings.authorizationEndpoint
      settings.tokenEndpoint = token ?? settings.tokenEndpoint
      return settings
    }
    guard let root else { throw SettingsError(key: "root", expected: "the https URL under which the APIs are") }
    guard let token else { throw SettingsError(key: "tokenEndpoint", expected: "the https URL where tokens are given") }
    return CAMARASettings(
      root: root, authorizationEndpoint: authorization, tokenEndpoint: token, client: client, tools)
  }

  private static func url(_ text: String?, _ key: String) throws(SettingsError) -> WebURL? {
    guard let text else { return nil }
    guard let url = try? WebURL(text), url.scheme == .https else {
      throw SettingsError(key: key, expected: "an https URL")
    }
    return url
  }

  private func redirect(_ own: CAMARASettings.Redirect?) throws(SettingsError) -> CAMARASettings.Redirect? {
    guard let redirectURI else { return own }
    if redirectIsBackend ?? own?.isFetched ?? false {
      return try Self.url(redirectURI, "redirectURI").map { .fetched($0) }
    }
    guard let uri = try? RedirectURI(redirectURI) else {
      throw SettingsError(key: "redirectURI", expected: "the redirect URI of the registration")
    }
    return .intercepted(uri, text: redirectURI)
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
    if let purpose {
      guard !purpose.isEmpty, purpose.utf8.allSatisfy({ (0x41...0x5a).contains($0 & 0xdf) }) else {
        throw SettingsError(key: "purpose", expected: "a term of the Data Privacy Vocabulary, in letters")
      }
      settings.purpose = purpose
    }
    for (name, scope) in scopes ?? [:] {
      if let service = CAMARAService(rawValue: name) { settings.scopes[service] = scope }
    }
  }
}

extension CAMARADocument {
  /// How a client authenticates at the token endpoint.
  enum Authentication: String, CaseIterable {
    case none, secretBasic, secretPost, privateKey
  }

  private func authentication(_ secrets: ProviderSecrets) throws(SettingsError) -> OpenIDClient.Authentication {
    let secret = try secrets.text("client-secret")
    let key = try secrets.text("client-key")
    let way: Authentication =
      try SettingsError.word(clientAuthentication, "clientAuthentication")
      ?? (key != nil ? .privateKey : secret != nil ? .secretBasic : .none)
    switch way {
    case .none: return .none
    case .secretBasic: return .basic(try Self.needed(secret, "client-secret"))
    case .secretPost: return .post(try Self.needed(secret, "client-secret"))
    case .privateKey:
      let algorithm: SigningKey.Algorithm = try SettingsError.word(keyAlgorithm, "keyAlgorithm") ?? .rs256
      let text = try Self.needed(key, "client-key")
      do throws(AuthError) {
        return .signature(try SigningKey(text, algorithm, id: keyID), audience: assertionAudience)
      } catch {
        throw SettingsError(.wrongValue, "the credential client-key does not fit: \(error.message)")
      }
    }
  }

  private static func needed(_ secret: Secret?, _ name: String) throws(SettingsError) -> Secret {
    guard let secret else {
      throw SettingsError(.wrongValue, "clientAuthentication needs the credential \(name) of this provider")
    }
    return secret
  }
}
