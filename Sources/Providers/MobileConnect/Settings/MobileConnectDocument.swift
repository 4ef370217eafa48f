import AuthCore
import AuthFlows
import ModemModel
import NetworkAddress
import RedirectChain
import SettingsFile
import TokenSigning
import Web
import MobileConnectFlows
import ProviderSettings

/// The file of a provider of the kind `mobileConnect`.
///
///     { "kind": "mobileConnect", "redirectURI": "https://app.example/back",
///       "scope": ["openid", "mc_authn"],
///       "discovery": { "url": "https://discover.exchange.example/v2/discovery",
///                      "clientID": "…" } }
///
/// Secrets: `client-secret`, or the one that `clientCredential` names, `discovery-secret`,
/// `request-key`.
package struct MobileConnectDocument: ProviderDocument {
  var discovery: MobileConnectDiscoveryDocument?
  var endpoints: Endpoints?
  var issuer: String?
  var clientID: String?
  var clientCredential: String?
  var redirectURI: String?
  var scope: [String]?
  var acr: [String]?
  var version: String?
  var display: String?
  var maxAgeSeconds: Int?
  var uiLocales: [String]?
  var claimsLocales: [String]?
  var clientName: String?
  var sendsCorrelationID: Bool?
  var sendsNumber: Bool?
  var network: String?
  var validation: String?
  var requiresSeamless: Bool?
  var route: String?
  var authorizationSeconds: Int?
  var maximumRedirects: Int?
  var handsetPauseSeconds: Int?
  var clockSkewSeconds: Int?
  var cacheEntries: Int?
  var cacheLeastSeconds: Int?
  var appServer: MobileConnectAppServerDocument?
  var serverInitiated: MobileConnectServerInitiatedDocument?
  var operatorDomains: [String]?

  /// For an operator whose endpoints nobody is asked for.
  struct Endpoints: Decodable {
    var authorization: String?
    var token: String?
    var userinfo: String?
    var premiuminfo: String?
    var revoke: String?
    var refresh: String?
    var jwks: String?
    var metadata: String?
    var issuer: String?
  }

  package func settings(_ secrets: ProviderSecrets) throws(SettingsError) -> MobileConnectSettings {
    guard discovery != nil || endpoints != nil || issuer != nil || appServer != nil else {
      throw SettingsError(key: "discovery", expected: "there, or endpoints, issuer or appServer in its place")
    }
    let tools = OpenIDTools(sha256: { Digest.sha256($0) })
    let memory = MobileConnectMemory(
      capacity: try SettingsError.number(cacheEntries, "cacheEntries", 1...10_000) ?? 64,
      least: .seconds(try SettingsError.number(cacheLeastSeconds, "cacheLeastSeconds", 0...86_400) ?? 300))
    var settings = MobileConnectSettings(try source(secrets), tools, memory: memory) { token, keys in
      await TokenSignature.verdict(on: token, by: keys)
    }
    settings.client = try client(secrets)
    settings.redirect = try redirect()
    settings.appServer = try appServer?.server()
    settings.serverInitiated = try serverInitiated?.mode(secrets)
    settings.version = try readVersion()
    settings.operatorDomains = try SettingsError.domains(operatorDomains, "operatorDomains") ?? []
    settings.usesServingNetwork = try SettingsError.word(network, "network", NetworkWord.self) == .serving
    settings.validation = try SettingsError.word(validation, "validation") ?? settings.validation
    settings.requiresSeamless = requiresSeamless ?? settings.requiresSeamless
    settings.route = try SettingsError.word(route, "route") ?? settings.route
    settings.defaults = try defaults()
    try applyLimits(to: &settings)
    return settings
  }

  private enum NetworkWord: String, CaseIterable {
    case home, serving
  }

  private func applyLimits(to settings: inout MobileConnectSettings) throws(SettingsError) {
    if let seconds = try SettingsError.number(authorizationSeconds, "authorizationSeconds", 1...300) {
      settings.authorizationTime = .seconds(seconds)
    }
    settings.maximumRedirects =
      try SettingsError.number(maximumRedirects, "maximumRedirects", 1...50) ?? settings.maximumRedirects
    if let seconds = try SettingsError.number(handsetPauseSeconds, "handsetPauseSeconds", 0...60) {
      settings.handsetPause = .seconds(seconds)
    }
    settings.clockSkew = try SettingsError.number(clockSkewSeconds, "clockSkewSeconds", 0...600) ?? settings.clockSkew
  }

  private func source(_ secrets: ProviderSecrets) throws(SettingsError) -> MobileConnectSettings.Source? {
    guard [discovery != nil, endpoints != nil, issuer != nil].count(where: { $0 }) < 2 else {
      throw SettingsError(
        .wrongValue, "discovery, endpoints and issuer exclude each other: one of them tells the operator")
    }
    if let discovery {
      return .discovery(try discovery.discovery(secrets, redirectURI: redirectURI))
    }
    if let issuer {
      guard let endpoint = try SettingsError.endpoint(issuer, "issuer"), endpoint.url.scheme == .https else {
        throw SettingsError(key: "issuer", expected: "an https URL without query")
      }
      return .issuer(endpoint)
    }
    return try endpoints.map { given throws(SettingsError) in .endpoints(try given.found()) }
  }

  private func client(_ secrets: ProviderSecrets) throws(SettingsError) -> MobileConnectClient? {
    guard let clientID else {
      // A discovery service gives one for each operator.
      guard endpoints != nil || issuer != nil else { return nil }
      throw SettingsError(key: "clientID", expected: "the client id of the registration at the operator")
    }
    let name = clientCredential ?? "client-secret"
    guard let secret = try secrets.text(name) else {
      throw SettingsError(
        .wrongValue, "clientID has no secret; give the credential \(secrets.name).\(name)", key: "clientID")
    }
    return MobileConnectClient(id: clientID, secret: secret)
  }

  private func redirect() throws(SettingsError) -> MobileConnectRedirect? {
    guard let redirectURI else {
      guard appServer != nil, discovery == nil, endpoints == nil, issuer == nil else {
        throw SettingsError(key: "redirectURI", expected: "the redirect URI of the registration")
      }
      return nil
    }
    do {
      return try MobileConnectRedirect(redirectURI)
    } catch {
      throw SettingsError(key: "redirectURI", expected: "the redirect URI of the registration, an absolute one")
    }
  }

  private func readVersion() throws(SettingsError) -> MobileConnectVersion? {
    guard let version else { return nil }
    guard let read = MobileConnectVersion(version) else {
      throw SettingsError(
        key: "version",
        expected: "a version as in " + MobileConnectVersion.known.map(\.text).joined(separator: ", "))
    }
    return read
  }

  private func defaults() throws(SettingsError) -> MobileConnectDefaults {
    var defaults = MobileConnectDefaults()
    defaults.scope = scope ?? defaults.scope
    defaults.acr = acr ?? defaults.acr
    defaults.display = try SettingsError.word(display, "display") ?? defaults.display
    defaults.maximumAge = maxAgeSeconds ?? defaults.maximumAge
    defaults.uiLocales = uiLocales ?? []
    defaults.claimsLocales = claimsLocales ?? []
    defaults.clientName = clientName
    defaults.sendsCorrelationID = sendsCorrelationID ?? defaults.sendsCorrelationID
    defaults.sendsNumber = sendsNumber ?? defaults.sendsNumber
    var request = MobileConnectRequest()
    request.scope = defaults.scope
    request.acr = defaults.acr
    request.maximumAge = defaults.maximumAge
    request.uiLocales = defaults.uiLocales
    request.claimsLocales = defaults.claimsLocales
    request.clientName = defaults.clientName
    do throws(AuthError) {
      try request.check()
    } catch {
      throw SettingsError(.wrongValue, error.message)
    }
    return defaults
  }
}

extension MobileConnectDocument.Endpoints {
  /// The operator, whose ID tokens could not be validated without an issuer and keys.
  fileprivate func found() throws(SettingsError) -> MobileConnectOperator {
    var found = MobileConnectOperator()
    let all: [(String, String?, MobileConnectOperator.Relation)] = [
      ("authorization", authorization, .authorization), ("token", token, .token), ("userinfo", userinfo, .userinfo),
      ("premiuminfo", premiuminfo, .premiuminfo), ("revoke", revoke, .revocation), ("refresh", refresh, .refresh),
      ("jwks", jwks, .keys), ("metadata", metadata, .metadata),
    ]
    for (key, text, relation) in all {
      found.endpoints[relation] = try SettingsError.secureURL(text, "endpoints.\(key)")
    }
    found.issuer = issuer
    guard metadata == nil else { return found }
    for (key, text) in [("authorization", authorization), ("token", token), ("jwks", jwks), ("issuer", issuer)]
    where text == nil {
      throw SettingsError(key: "endpoints.\(key)", expected: "there, as there is no endpoints.metadata that tells it")
    }
    return found
  }
}

extension SettingsError {
  /// A value that must be an https URL.
  static func secureURL(_ text: String?, _ key: String) throws(SettingsError) -> WebURL? {
    guard let text else { return nil }
    guard let url = try? WebURL(text), url.scheme == .https else {
      throw SettingsError(key: key, expected: "an https URL")
    }
    return url
  }

  /// A value that must be an address.
  static func address(_ text: String?, _ key: String) throws(SettingsError) -> IPAddress? {
    guard let text else { return nil }
    guard let address = IPAddress(text) else { throw SettingsError(key: key, expected: "an IPv4 or IPv6 address") }
    return address
  }
}
