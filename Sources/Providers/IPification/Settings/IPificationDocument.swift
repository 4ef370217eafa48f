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
  var host: String?
  var tokenHost: String?
  var realm: String?
  var paths: Paths?
  var clientID: String?
  var redirectURI: String?
  var backend: String?
  var backendTraceparent: Bool?
  var redirectIsBackend: Bool?
  var claims: String?
  var route: String?
  var scope: [String]?
  var sendsConsent: Bool?
  var consentID: String?
  var locales: [String]?
  var channels: [String]?
  var statePrefix: String?
  var sendsNetwork: Bool?
  var checksCoverage: Bool?
  var assumesCoverage: Bool?
  var cookies: Bool?
  var cleartext: String?
  var cleartextDomains: [String]?
  var family: String?
  var authorizationSeconds: Int?
  var coverageSeconds: Int?

  struct Paths: Decodable {
    var coverage: String?
    var authorization: String?
    var token: String?
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
    settings.isBackendTraced = backendTraceparent ?? false
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
