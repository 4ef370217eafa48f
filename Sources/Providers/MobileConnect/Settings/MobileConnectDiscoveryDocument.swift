import AuthCore
import AuthFlows
import RedirectChain
import SettingsFile
import MobileConnectFlows
import ProviderSettings

/// `discovery` of a file of the kind `mobileConnect`.
struct MobileConnectDiscoveryDocument: Decodable {
  var url: String?
  var clientID: String?
  var redirectURL: String?
  var ways: [String]?
  var networkForm: String?
  var addressForm: String?
  var usingMobileData: String?
  var xRedirect: Bool?
  var html: Bool?
  var localAddress: Bool?
  var sourceAddress: String?
  var sdkVersion: String?
  var clientVersion: String?
  var serverVersion: String?
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
