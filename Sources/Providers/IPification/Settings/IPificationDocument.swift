import AuthCore
import AuthFlows
import RedirectChain
import SettingsFile
import Web
import IPificationFlows
import ProviderSettings

/// The file of a provider of the kind `ipification`. Its secret is the credential
/// `NAME.client-secret`.
package struct IPificationDocument: ProviderDocument {
  /// Where coverage and authorization are: production, stage, a region by two letters, or an https
  /// URL.
  ///
  /// - Default: `"production"`
  /// - Example: `"stage"`
  var host: String?
  /// The same for token and user information.
  ///
  /// - Default: `host`
  /// - Example: `"production"`
  var tokenHost: String?
  /// The realm in the paths.
  ///
  /// - Default: `"ipification"`
  /// - Example: `"ipification"`
  var realm: String?
  var paths: Paths?
  /// The client id of the registration, with the credential NAME.client-secret.
  ///
  /// - Default: none: it is needed
  /// - Example: `"app-1"`
  var clientID: String?
  /// As registered: a scheme of its own in lower case, or https.
  ///
  /// - Default: none: it is needed
  /// - Example: `"https://app.example/back"`
  var redirectURI: String?
  /// The https URL of the app's own server that exchanges the code.
  ///
  /// - Default: none
  /// - Example: `"https://app.example/exchange"`
  var backend: String?
  /// Whether the redirect URI belongs to the backend, which is then fetched over the bearer.
  ///
  /// - Default: `false`
  /// - Example: `true`
  var redirectIsBackend: Bool?
  /// Where the answer is read: userinfo or idToken.
  ///
  /// - Default: `"userinfo"`
  /// - Example: `"idToken"`
  var claims: String?
  /// The network for token, user information, an address's coverage and the backend: host or
  /// bearer.
  ///
  /// - Default: `"host"`
  /// - Example: `"bearer"`
  var route: String?
  /// The scopes. ip:phone tells the number, ip:mobile_id a hash that changes with SIM or device.
  ///
  /// - Default: `["openid", "ip:phone_verify"]`
  /// - Example: `["openid", "ip:phone"]`
  var scope: [String]?
  /// Whether the user's consent is sent.
  ///
  /// - Default: `true`
  /// - Example: `false`
  var sendsConsent: Bool?
  /// The id of that consent.
  ///
  /// - Default: `"ipconsent001eng"`
  /// - Example: `"ipconsent001eng"`
  var consentID: String?
  /// The languages of pages (ui_locales).
  ///
  /// - Default: none
  /// - Example: `["de"]`
  var locales: [String]?
  /// Channels to continue in messages.
  ///
  /// - Default: `[]`
  /// - Example: `["wa"]`
  var channels: [String]?
  /// What stands before a random state.
  ///
  /// - Default: `"modemd-"`
  /// - Example: `"app-"`
  var statePrefix: String?
  /// Whether MCC and MNC of the SIM are sent.
  ///
  /// - Default: `true`
  /// - Example: `false`
  var sendsNetwork: Bool?
  /// Whether org.modemd.Verify asks for coverage first.
  ///
  /// - Default: `true`
  /// - Example: `false`
  var checksCoverage: Bool?
  /// Whether to use the stage's coverage call that always says yes.
  ///
  /// - Default: `false`
  /// - Example: `true`
  var assumesCoverage: Bool?
  /// Whether cookies are kept along the chain; some operators need them.
  ///
  /// - Default: `true`
  /// - Example: `false`
  var cookies: Bool?
  /// Hosts that may be reached in the clear: any, or known, the list of operators that IPification
  /// publishes.
  ///
  /// - Default: `"any"`
  /// - Example: `"known"`
  var cleartext: String?
  /// A list of your own instead.
  ///
  /// - Default: by `cleartext`
  /// - Example: `["operator.example"]`
  var cleartextDomains: [String]?
  /// The address family to use: ipv4 or ipv6 alone.
  ///
  /// - Default: what the bearer has
  /// - Example: `"ipv4"`
  var family: String?
  /// How long an authorization may take, in seconds.
  ///
  /// - Default: `60`
  /// - Example: `30`
  var authorizationSeconds: Int?
  /// How long coverage may take, in seconds.
  ///
  /// - Default: `25`
  /// - Example: `10`
  var coverageSeconds: Int?

  struct Paths: Decodable {
    /// Replaces the whole path of coverage.
    ///
    /// - Default: by the realm
    /// - Example: `"/auth/realms/ipification/coverage"`
    var coverage: String?
    /// The same for authorization.
    ///
    /// - Default: by the realm
    /// - Example: `"/auth/realms/ipification/auth"`
    var authorization: String?
    /// The same for tokens.
    ///
    /// - Default: by the realm
    /// - Example: `"/auth/realms/ipification/token"`
    var token: String?
    /// The same for user information.
    ///
    /// - Default: by the realm
    /// - Example: `"/auth/realms/ipification/userinfo"`
    var userinfo: String?
  }

  package func settings(_ secrets: ProviderSecrets) throws(SettingsError) -> IPificationSettings {
    guard let clientID else { throw SettingsError(key: "clientID", expected: "the client id of the registration") }
    guard let redirectURI else {
      throw SettingsError(key: "redirectURI", expected: "the redirect URI of the registration")
    }
    var settings = IPificationSettings(
      host: try Self.host(host ?? "production", "host"),
      tokenHost: try tokenHost.map { text throws(SettingsError) in try Self.host(text, "tokenHost") },
      clientID: clientID, redirectURI: redirectURI)
    settings.paths = try readPaths()
    settings.completion = try completion(try secrets.text("client-secret"))
    settings.claimsSource = try SettingsError.word(claims, "claims") ?? settings.claimsSource
    settings.backendRoute = try SettingsError.word(route, "route") ?? settings.backendRoute
    settings.cleartext = try readCleartext()
    settings.family = try SettingsError.word(family, "family")
    apply(to: &settings)
    try applyTimes(to: &settings)
    do throws(AuthError) {
      try settings.check()
    } catch {
      throw SettingsError(.wrongValue, error.message)
    }
    return settings
  }

  private func apply(to settings: inout IPificationSettings) {
    settings.scope = scope ?? settings.scope
    settings.consentID = sendsConsent == false ? nil : consentID ?? settings.consentID
    settings.locales = locales ?? settings.locales
    settings.channels = channels ?? settings.channels
    settings.statePrefix = statePrefix ?? settings.statePrefix
    settings.sendsNetwork = sendsNetwork ?? settings.sendsNetwork
    settings.checksCoverage = checksCoverage ?? settings.checksCoverage
    settings.assumesCoverage = assumesCoverage ?? settings.assumesCoverage
    settings.keepsCookies = cookies ?? settings.keepsCookies
  }

  private func applyTimes(to settings: inout IPificationSettings) throws(SettingsError) {
    if let seconds = try SettingsError.number(authorizationSeconds, "authorizationSeconds", 1...300) {
      settings.authorizationTime = .seconds(seconds)
    }
    if let seconds = try SettingsError.number(coverageSeconds, "coverageSeconds", 1...300) {
      settings.coverageTime = .seconds(seconds)
    }
  }

  private static func host(_ text: String, _ key: String) throws(SettingsError) -> Endpoint {
    do throws(AuthError) {
      return try IPificationHosts.endpoint(text)
    } catch {
      throw SettingsError(key: key, expected: IPificationHosts.expected)
    }
  }

  private func readPaths() throws(SettingsError) -> IPificationSettings.Paths {
    var result = realm.map { IPificationSettings.Paths(realm: $0) } ?? IPificationSettings.Paths()
    result.coverage = try Self.path(paths?.coverage, "paths.coverage") ?? result.coverage
    result.authorization = try Self.path(paths?.authorization, "paths.authorization") ?? result.authorization
    result.token = try Self.path(paths?.token, "paths.token") ?? result.token
    result.userinfo = try Self.path(paths?.userinfo, "paths.userinfo") ?? result.userinfo
    return result
  }

  private static func path(_ text: String?, _ key: String) throws(SettingsError) -> String? {
    guard let text else { return nil }
    let isPath =
      text.hasPrefix("/") && !text.contains("?") && !text.contains("#")
      && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
    guard isPath else { throw SettingsError(key: key, expected: "a path that begins with /, without query") }
    return text
  }

  private func completion(_ secret: Secret?) throws(SettingsError) -> IPificationSettings.Completion {
    let isRedirect = redirectIsBackend == true
    guard [backend != nil, isRedirect, secret != nil].count(where: { $0 }) < 2 else {
      throw SettingsError(
        .wrongValue,
        "backend, redirectIsBackend and the credential client-secret exclude each other: one of them completes a verification"
      )
    }
    if isRedirect { return .redirectURI }
    if let secret { return .secret(secret) }
    guard let backend else { return .none }
    guard let url = try? WebURL(backend) else {
      throw SettingsError(key: "backend", expected: "an http or https URL")
    }
    return .backend(url)
  }

  private func readCleartext() throws(SettingsError) -> IPificationSettings.Cleartext {
    guard cleartextDomains == nil || cleartext == nil else {
      throw SettingsError(.wrongValue, "cleartext and cleartextDomains exclude each other")
    }
    if let cleartextDomains { return .only(Set(cleartextDomains.map { $0.lowercased() })) }
    switch cleartext {
    case nil, "any": return .any
    case "known": return .known
    default: throw SettingsError(key: "cleartext", expected: "any or known")
    }
  }
}
