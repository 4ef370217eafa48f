import AuthCore
import AuthFlows
import ModemModel
import NetworkAddress
import RedirectChain
import SettingsFile
import TokenSigning

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

  static let keys: [String: SettingsKeys] = Dictionary(
    uniqueKeysWithValues: [
      "url", "clientID", "redirectURL", "ways", "networkForm", "addressForm", "usingMobileData", "xRedirect", "html",
      "localAddress", "sourceAddress", "sdkVersion", "clientVersion", "serverVersion", "cookies",
    ].map { ($0, .value) })

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
        .wrongValue, "discovery.clientID has no secret; give the credential \(secrets.name).discovery-secret")
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

/// `appServer` of a file of the kind `mobileConnect`.
struct MobileConnectAppServerDocument: Decodable {
  var url: String?
  var path: String?
  var manual: Bool?
  var sendsAddress: Bool?
  var sourceAddress: String?
  var sendsNumber: Bool?
  var clientVersion: String?

  static let keys: [String: SettingsKeys] = [
    "url": .value, "path": .value, "manual": .value, "sendsAddress": .value, "sourceAddress": .value,
    "sendsNumber": .value, "clientVersion": .value,
  ]
  /// Where the server-side library answers.
  private static let libraryPath = "/mobile-connect/server_side_api"

  func server() throws(SettingsError) -> MobileConnectAppServer {
    guard let root = try SettingsError.endpoint(url, "appServer.url"), root.url.scheme == .https else {
      throw SettingsError(key: "appServer.url", expected: "the https URL of the app's server, without query")
    }
    let path = try SettingsError.path(path, "appServer.path") ?? Self.libraryPath
    guard let place = try SettingsError.endpoint(root.appending(path).text, "appServer.path") else {
      throw SettingsError(key: "appServer.path", expected: "the path of the server-side library")
    }
    var server = MobileConnectAppServer(root: place, clientVersion: clientVersion ?? "modemd-\(Product.version)")
    server.isManual = manual ?? server.isManual
    server.sourceAddress = try SettingsError.address(sourceAddress, "appServer.sourceAddress")
    server.sendsAddress = sendsAddress ?? (sourceAddress != nil)
    server.sendsNumber = sendsNumber ?? server.sendsNumber
    return server
  }
}

/// `serverInitiated` of a file of the kind `mobileConnect`.
struct MobileConnectServerInitiatedDocument: Decodable {
  var endpoint: String?
  var pollingEndpoint: String?
  var keyID: String?
  var version: String?
  var audience: String?
  var grantType: String?
  var notificationURI: String?
  var patienceSeconds: Int?
  var intervalSeconds: Int?

  static let keys: [String: SettingsKeys] = [
    "endpoint": .value, "pollingEndpoint": .value, "keyID": .value, "version": .value, "audience": .value,
    "grantType": .value, "notificationURI": .value, "patienceSeconds": .value, "intervalSeconds": .value,
  ]

  func mode(_ secrets: ProviderSecrets) throws(SettingsError) -> MobileConnectServerInitiated {
    guard let keyID, !keyID.isEmpty else {
      throw SettingsError(key: "serverInitiated.keyID", expected: "the id of the registered key that signs requests")
    }
    guard let key = try secrets.text("request-key") else {
      throw SettingsError(
        .wrongValue, "serverInitiated has no key; give the credential \(secrets.name).request-key")
    }
    var mode: MobileConnectServerInitiated
    do throws(AuthError) {
      // The profile has RS256 alone.
      mode = MobileConnectServerInitiated(signer: try SigningKey(key, .rs256, id: keyID))
    } catch {
      throw SettingsError(.wrongValue, "the credential request-key does not fit: \(error.message)")
    }
    mode.endpoint = try SettingsError.secureURL(endpoint, "serverInitiated.endpoint")
    mode.pollingEndpoint = try SettingsError.secureURL(pollingEndpoint, "serverInitiated.pollingEndpoint")
    mode.version = version ?? mode.version
    mode.audience = audience
    mode.grantType = grantType ?? mode.grantType
    mode.notificationURI = notificationURI
    if let seconds = try SettingsError.number(patienceSeconds, "serverInitiated.patienceSeconds", 1...600) {
      mode.patience = .seconds(seconds)
    }
    if let seconds = try SettingsError.number(intervalSeconds, "serverInitiated.intervalSeconds", 1...60) {
      mode.interval = .seconds(seconds)
    }
    return mode
  }
}
