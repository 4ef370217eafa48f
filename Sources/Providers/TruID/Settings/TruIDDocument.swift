import AuthCore
import AuthFlows
import RedirectChain
import SettingsFile
import TokenSigning
import Web
import TruIDFlows
import ProviderSettings

/// The file of a provider of the kind `truID`.
///
///     { "kind": "truID", "region": "eu", "clientID": "…",
///       "backend": { "url": "https://app.example", "user": "…" }, "version": "v0.2",
///       "redirect": { "url": "https://app.example/back", "signature": "dated" } }
///
/// Secrets: `client-secret`, `backend-password`.
package struct TruIDDocument: ProviderDocument {
  var region: String?
  var api: String?
  var clientID: String?
  var route: String?
  var backend: Backend?

  struct Backend: Decodable {
    var url: String?
    var user: String?
    var route: String?
    var resultForm: String?
    var exchange: String?
    var traceparent: Bool?
  }

  var way: String?
  var version: String?
  var product: String?
  var redirect: Redirect?

  struct Redirect: Decodable {
    var url: String?
    var fetch: Bool?
    var signature: String?
  }

  var callback: String?
  var checkDomains: [String]?
  var sendsAddress: Bool?
  var publicCoverage: Bool?
  var sdkHeaders: Bool?
  var sandbox: Bool?
  var patienceSeconds: Int?

  package func settings(_ secrets: ProviderSecrets) throws(SettingsError) -> TruIDSettings {
    let residency = try SettingsError.word(region, "region", TruIDResidency.self) ?? .eu
    var settings = TruIDSettings(api: try secureEndpoint(api, "api") ?? residency.endpoint)
    settings.credentials = try credentials(secrets)
    settings.apiRoute = try SettingsError.word(route, "route") ?? .host
    settings.backend = try backend(secrets)
    settings.way = try SettingsError.word(way, "way")
    settings.version = try SettingsError.word(version, "version") ?? .v1
    settings.product = try SettingsError.word(product, "product", Product.self)?.product ?? .phoneCheck
    settings.redirect = try redirectURL()
    settings.keyCheck = PublishedKey.signed
    settings.callback = try secureURL(callback, "callback")
    settings.checkDomains = try SettingsError.domains(checkDomains, "checkDomains") ?? TruIDResidency.checkDomains
    settings.sendsAddress = sendsAddress ?? false
    settings.usesPublicCoverage = publicCoverage ?? false
    settings.sendsSDKHeaders = sdkHeaders ?? false
    settings.isSandbox = sandbox ?? false
    settings.patience = .seconds(try SettingsError.number(patienceSeconds, "patienceSeconds", 1...120) ?? 30)
    guard settings.way != nil || settings.chosenWay != nil || settings.usesPublicCoverage else {
      throw SettingsError(
        .wrongValue,
        "there is neither clientID nor backend, so that nobody can make checks; add clientID with the credential \(secrets.name).client-secret, or backend.url"
      )
    }
    if settings.way == .backend, settings.backend == nil {
      throw SettingsError(key: "way", expected: "api, as there is no backend.url")
    }
    if settings.way == .api, settings.credentials == nil {
      throw SettingsError(key: "way", expected: "backend, as there is no clientID")
    }
    return settings
  }

  private enum Product: String, CaseIterable {
    case phoneCheck, subscriberCheck

    var product: TruIDProduct { self == .phoneCheck ? .phoneCheck : .subscriberCheck }
  }

  private func credentials(_ secrets: ProviderSecrets) throws(SettingsError) -> TruIDCredentials? {
    guard let clientID else { return nil }
    guard let secret = try secrets.text("client-secret") else {
      throw SettingsError(
        .wrongValue, "clientID has no secret; give the credential \(secrets.name).client-secret", key: "clientID")
    }
    return TruIDCredentials(clientID: clientID, clientSecret: secret)
  }

  private func backend(_ secrets: ProviderSecrets) throws(SettingsError) -> TruIDBackend? {
    guard let backend else { return nil }
    guard let endpoint = try SettingsError.endpoint(backend.url, "backend.url") else {
      throw SettingsError(key: "backend.url", expected: "the backend's http or https URL")
    }
    var settings = TruIDBackend(endpoint, user: backend.user)
    settings.route = try SettingsError.word(backend.route ?? route, "backend.route") ?? .host
    settings.resultForm = try SettingsError.word(backend.resultForm, "backend.resultForm")
    settings.exchange = try SettingsError.word(backend.exchange, "backend.exchange") ?? .post
    settings.isTraced = backend.traceparent ?? false
    if backend.user != nil {
      guard let password = try secrets.text("backend-password") else {
        throw SettingsError(
          .wrongValue, "backend.user has no password; give the credential \(secrets.name).backend-password",
          key: "backend.user")
      }
      settings.password = password
    }
    return settings
  }

  private func redirectURL() throws(SettingsError) -> TruIDRedirect? {
    guard let redirect else { return nil }
    guard let url = redirect.url, (try? RedirectURI(url)) != nil else {
      throw SettingsError(key: "redirect.url", expected: "the absolute URL that checks redirect to")
    }
    let isFetched = redirect.fetch ?? false
    if isFetched, (try? WebURL(url))?.scheme != .https {
      throw SettingsError(key: "redirect.url", expected: "https, as it is fetched")
    }
    return TruIDRedirect(
      url, isFetched: isFetched, signature: try SettingsError.word(redirect.signature, "redirect.signature") ?? .dated)
  }

  private func secureEndpoint(_ text: String?, _ key: String) throws(SettingsError) -> Endpoint? {
    guard let endpoint = try SettingsError.endpoint(text, key) else { return nil }
    guard endpoint.url.scheme == .https else { throw SettingsError(key: key, expected: "an https URL") }
    return endpoint
  }

  private func secureURL(_ text: String?, _ key: String) throws(SettingsError) -> WebURL? {
    guard let text else { return nil }
    guard let url = try? WebURL(text), url.scheme == .https else {
      throw SettingsError(key: key, expected: "an https URL")
    }
    return url
  }
}
