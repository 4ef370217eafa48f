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
  /// An https URL with /.well-known/openid-configuration below it.
  ///
  /// - Default: none
  /// - Example: `"https://operator.example"`
  var issuer: String?
  /// The client id at the operator, with the credential NAME.client-secret. A discovery service
  /// gives one for each operator.
  ///
  /// - Default: by discovery
  /// - Example: `"app-1"`
  var clientID: String?
  /// A credential's name instead of client-secret, for an override whose operator has another
  /// secret.
  ///
  /// - Default: `"client-secret"`
  /// - Example: `"client-secret-26201"`
  var clientCredential: String?
  /// As registered.
  ///
  /// - Default: none: it is needed
  /// - Example: `"https://app.example/back"`
  var redirectURI: String?
  /// The scopes.
  ///
  /// - Default: `["openid"]`
  /// - Example: `["openid", "mc_authn"]`
  var scope: [String]?
  /// The levels of assurance.
  ///
  /// - Default: `["2"]`
  /// - Example: `["3", "2"]`
  var acr: [String]?
  /// The version of the profile.
  ///
  /// - Default: the newest that is also in the operator's mc_version, or 1.1
  /// - Example: `"mc_v2.3"`
  var version: String?
  /// How pages are shown.
  ///
  /// - Default: `"page"`
  /// - Example: `"touch"`
  var display: String?
  /// How old an authentication may be, in seconds.
  ///
  /// - Default: `3600`
  /// - Example: `300`
  var maxAgeSeconds: Int?
  /// The languages of pages.
  ///
  /// - Default: none
  /// - Example: `["de"]`
  var uiLocales: [String]?
  /// The languages of claims.
  ///
  /// - Default: none
  /// - Example: `["de"]`
  var claimsLocales: [String]?
  /// The application's name.
  ///
  /// - Default: what discovery tells
  /// - Example: `"Gate"`
  var clientName: String?
  /// Whether a correlation id is sent.
  ///
  /// - Default: `true`
  /// - Example: `false`
  var sendsCorrelationID: Bool?
  /// Whether the SIM's own number is the login hint if a call has none.
  ///
  /// - Default: `false`
  /// - Example: `true`
  var sendsNumber: Bool?
  /// Whose codes tell the operator: home or serving.
  ///
  /// - Default: `"home"`
  /// - Example: `"serving"`
  var network: String?
  /// The form of number validation: plus or plain.
  ///
  /// - Default: `"plus"`
  /// - Example: `"plain"`
  var validation: String?
  /// Whether only a seamless authentication counts.
  ///
  /// - Default: `true`
  /// - Example: `false`
  var requiresSeamless: Bool?
  /// The network for the exchange, tokens, keys and information: host or bearer.
  ///
  /// - Default: `"host"`
  /// - Example: `"bearer"`
  var route: String?
  /// How long the operator may redirect, in seconds, 1 to 300.
  ///
  /// - Default: `120`
  /// - Example: `60`
  var authorizationSeconds: Int?
  /// How often the operator may redirect, 1 to 50.
  ///
  /// - Default: `24`
  /// - Example: `10`
  var maximumRedirects: Int?
  /// The pause between redirects of a host to its own page, in seconds, 0 to 60.
  ///
  /// - Default: `5`
  /// - Example: `2`
  var handsetPauseSeconds: Int?
  /// How far the operator's clock may be off, in seconds, 0 to 600.
  ///
  /// - Default: `60`
  /// - Example: `5`
  var clockSkewSeconds: Int?
  /// How many operators that discovery found are kept.
  ///
  /// - Default: `64`
  /// - Example: `8`
  var cacheEntries: Int?
  /// How long each is kept at least, in seconds.
  ///
  /// - Default: `300`
  /// - Example: `60`
  var cacheLeastSeconds: Int?
  var appServer: MobileConnectAppServerDocument?
  var serverInitiated: MobileConnectServerInitiatedDocument?
  /// Domains, with the names below them, of endpoints that discovery or metadata names.
  ///
  /// - Default: the domain of what names them
  /// - Example: `["operator.example"]`
  var operatorDomains: [String]?

  /// For an operator whose endpoints nobody is asked for.
  struct Endpoints: Decodable {
    /// The https URL of authorizations.
    ///
    /// - Default: that of `metadata`
    /// - Example: `"https://operator.example/authorize"`
    var authorization: String?
    /// The https URL of tokens.
    ///
    /// - Default: that of `metadata`
    /// - Example: `"https://operator.example/token"`
    var token: String?
    /// The https URL of user information.
    ///
    /// - Default: that of `metadata`
    /// - Example: `"https://operator.example/userinfo"`
    var userinfo: String?
    /// The https URL of premium information.
    ///
    /// - Default: that of `metadata`
    /// - Example: `"https://operator.example/premiuminfo"`
    var premiuminfo: String?
    /// The https URL where tokens are revoked.
    ///
    /// - Default: that of `metadata`
    /// - Example: `"https://operator.example/revoke"`
    var revoke: String?
    /// The https URL where tokens are renewed.
    ///
    /// - Default: `token`
    /// - Example: `"https://operator.example/token"`
    var refresh: String?
    /// The https URL of the operator's keys.
    ///
    /// - Default: that of `metadata`
    /// - Example: `"https://operator.example/jwks"`
    var jwks: String?
    /// The https URL of the operator's metadata, which names the others.
    ///
    /// - Default: none
    /// - Example: `"https://operator.example/.well-known/openid-configuration"`
    var metadata: String?
    /// The issuer of ID tokens.
    ///
    /// - Default: that of `metadata`
    /// - Example: `"https://operator.example"`
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
