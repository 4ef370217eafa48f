import AuthCore
import AuthFlows
import RedirectChain
import SettingsFile
import MobileConnectFlows
import ProviderSettings

/// `discovery` of a file of the kind `mobileConnect`.
struct MobileConnectDiscoveryDocument: Decodable {
  /// The https URL of the discovery service.
  ///
  /// - Default: none: it is needed
  /// - Example: `"https://discover.exchange.example/v2/discovery"`
  var url: String?
  /// The client id at the discovery service, with the credential NAME.discovery-secret.
  ///
  /// - Default: none: it is needed
  /// - Example: `"app-1"`
  var clientID: String?
  /// The redirect URL at the discovery service.
  ///
  /// - Default: `redirectURI`
  /// - Example: `"https://app.example/discovered"`
  var redirectURL: String?
  /// The ways to find the operator, in order: network, number, address, page.
  ///
  /// - Default: all that have data
  /// - Example: `["network"]`
  var ways: [String]?
  /// Which pair of parameters has the network's codes: identified or selected.
  ///
  /// - Default: `"identified"`
  /// - Example: `"selected"`
  var networkForm: String?
  /// How the address is told: bearer (the request itself goes over it) or header (X-Source-IP).
  ///
  /// - Default: `"bearer"`
  /// - Example: `"header"`
  var addressForm: String?
  /// How the use of mobile data is told: number, word or none.
  ///
  /// - Default: `"number"`
  /// - Example: `"none"`
  var usingMobileData: String?
  /// Whether X-Redirect: APP is sent.
  ///
  /// - Default: `true`
  /// - Example: `false`
  var xRedirect: Bool?
  /// Whether the page comes by 302 instead of 202.
  ///
  /// - Default: `false`
  /// - Example: `true`
  var html: Bool?
  /// Whether Local-Client-IP is sent.
  ///
  /// - Default: `false`
  /// - Example: `true`
  var localAddress: Bool?
  /// The address for X-Source-IP if the bearer's is not public.
  ///
  /// - Default: none
  /// - Example: `"192.0.2.1"`
  var sourceAddress: String?
  /// A header field, if the service wants it.
  ///
  /// - Default: none
  /// - Example: `"1.0"`
  var sdkVersion: String?
  /// A header field, if the service wants it.
  ///
  /// - Default: none
  /// - Example: `"1.0"`
  var clientVersion: String?
  /// A header field, if the service wants it.
  ///
  /// - Default: none
  /// - Example: `"1.0"`
  var serverVersion: String?
  /// Whether the service's cookies are kept; otherwise Ignore-Cookies is sent.
  ///
  /// - Default: `true`
  /// - Example: `false`
  var cookies: Bool?

  /// - Parameter redirectURI: of the authorization, where discovery has none of its own.
  func discovery(
    _ secrets: ProviderSecrets, redirectURI: String?
  ) throws(SettingsError) -> MobileConnectDiscovery {
    guard let url = try SettingsError.secureURL(url, "discovery.url"), url.query == nil else {
      throw SettingsError(key: "discovery.url", expected: "the https URL of the discovery service, without query")
    }
    guard let clientID, !clientID.isEmpty else {
      throw SettingsError(key: "discovery.clientID", expected: "the client id of the discovery application")
    }
    guard let secret = try secrets.text("discovery-secret") else {
      throw SettingsError(
        .wrongValue, "discovery.clientID has no secret; give the credential \(secrets.name).discovery-secret",
        key: "discovery.clientID")
    }
    guard let redirectURL = redirectURL ?? redirectURI else {
      throw SettingsError(key: "discovery.redirectURL", expected: "the URL that is registered there, or redirectURI")
    }
    var discovery = MobileConnectDiscovery(
      url: url, client: MobileConnectClient(id: clientID, secret: secret), redirectURL: redirectURL)
    discovery.ways = try readWays() ?? discovery.ways
    discovery.networkForm = try SettingsError.word(networkForm, "discovery.networkForm") ?? discovery.networkForm
    discovery.addressForm = try SettingsError.word(addressForm, "discovery.addressForm") ?? discovery.addressForm
    discovery.usingMobileData =
      try SettingsError.word(usingMobileData, "discovery.usingMobileData") ?? discovery.usingMobileData
    discovery.suppressesPage = xRedirect ?? discovery.suppressesPage
    discovery.asksForHTML = html ?? discovery.asksForHTML
    discovery.sendsLocalAddress = localAddress ?? discovery.sendsLocalAddress
    discovery.sourceAddress = try SettingsError.address(sourceAddress, "discovery.sourceAddress")
    discovery.libraryVersion = sdkVersion
    discovery.clientVersion = clientVersion
    discovery.serverVersion = serverVersion
    discovery.keepsCookies = cookies ?? discovery.keepsCookies
    return discovery
  }

  private func readWays() throws(SettingsError) -> [MobileConnectDiscovery.Way]? {
    guard let ways else { return nil }
    var read: [MobileConnectDiscovery.Way] = []
    for word in ways {
      guard let way = try SettingsError.word(word, "discovery.ways", MobileConnectDiscovery.Way.self),
        !read.contains(way)
      else { throw SettingsError(key: "discovery.ways", expected: "each way once") }
      read.append(way)
    }
    guard !read.isEmpty else { throw SettingsError(key: "discovery.ways", expected: "one way at least") }
    return read
  }
}
