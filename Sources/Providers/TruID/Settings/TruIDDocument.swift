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
  /// The residency of the data: eu, in or us.
  ///
  /// - Default: `"eu"`
  /// - Example: `"us"`
  var region: String?
  /// An https URL to use instead of the region's.
  ///
  /// - Default: `"https://REGION.api.tru.id"`
  /// - Example: `"https://eu.api.tru.id"`
  var api: String?
  /// The client id of the project, with the credential NAME.client-secret.
  ///
  /// - Default: none
  /// - Example: `"6f2a"`
  var clientID: String?
  /// The network for calls whose source address proves nothing: host or bearer.
  ///
  /// - Default: `"host"`
  /// - Example: `"bearer"`
  var route: String?
  var backend: Backend?

  struct Backend: Decodable {
    /// The backend's http or https URL, such as a dev server's.
    ///
    /// - Default: none
    /// - Example: `"https://app.example"`
    var url: String?
    /// A user at the backend, with the credential NAME.backend-password.
    ///
    /// - Default: none
    /// - Example: `"gate"`
    var user: String?
    /// The network for the backend's calls: host or bearer.
    ///
    /// - Default: `route`
    /// - Example: `"host"`
    var route: String?
    /// Where the result's id stands, which is tried first: path or query.
    ///
    /// - Default: either
    /// - Example: `"path"`
    var resultForm: String?
    /// How a code is exchanged, which is tried first: post or get.
    ///
    /// - Default: `"post"`
    /// - Example: `"get"`
    var exchange: String?
  }

  /// Who makes the calls, if both are configured: backend or api.
  ///
  /// - Default: what is configured
  /// - Example: `"backend"`
  var way: String?
  /// v0.1: the chain ends without a result, and the result is requested. v0.2: it ends with a code
  /// that is exchanged for the result.
  ///
  /// - Default: `"v0.1"`
  /// - Example: `"v0.2"`
  var version: String?
  /// What org.modemd.Verify requests: phoneCheck or subscriberCheck.
  ///
  /// - Default: `"phoneCheck"`
  /// - Example: `"subscriberCheck"`
  var product: String?
  var redirect: Redirect?

  struct Redirect: Decodable {
    /// The URL that checks redirect to, sent as redirect_url. It is needed with v0.2.
    ///
    /// - Default: none
    /// - Example: `"https://app.example/back"`
    var url: String?
    /// Whether that URL belongs to the backend, which is then fetched over the bearer and exchanges
    /// the code.
    ///
    /// - Default: `false`
    /// - Example: `true`
    var fetch: Bool?
    /// What the redirect's signature must be: dated (present and at most 300 s old), or verified
    /// (also made by a key of the provider).
    ///
    /// - Default: `"dated"`
    /// - Example: `"dated"`
    var signature: String?
  }

  /// Sent as callback_url to the API. modemd itself accepts no callbacks.
  ///
  /// - Default: none
  /// - Example: `"https://app.example/callback"`
  var callback: String?
  /// Domains of check URLs, and of hosts that may get a coverage token.
  ///
  /// - Default: `["api.tru.id"]`, and always the origin of `api`
  /// - Example: `["api.tru.id"]`
  var checkDomains: [String]?
  /// Whether modemd first finds out the bearer's public address and sends it, so that tru.ID
  /// refuses early.
  ///
  /// - Default: `false`
  /// - Example: `true`
  var sendsAddress: Bool?
  /// Whether coverage is asked by the old call without a token.
  ///
  /// - Default: `false`
  /// - Example: `true`
  var publicCoverage: Bool?
  /// Whether the SDK's fields and the SIM's network go with the first request over the bearer.
  ///
  /// - Default: `false`
  /// - Example: `true`
  var sdkHeaders: Bool?
  /// Whether the sandbox is asked (x-tru-mode: sandbox).
  ///
  /// - Default: `false`
  /// - Example: `true`
  var sandbox: Bool?
  /// How long to wait for a result after the chain's end, in seconds, 1 to 120.
  ///
  /// - Default: `30`
  /// - Example: `60`
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
