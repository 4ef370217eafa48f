import AuthFlows
import ModemModel
import SettingsFile
import MobileConnectFlows

/// `appServer` of a file of the kind `mobileConnect`.
struct MobileConnectAppServerDocument: Decodable {
  /// The https URL of the app's server.
  ///
  /// - Default: none: it is needed
  /// - Example: `"https://app.example"`
  var url: String?
  /// The path under it.
  ///
  /// - Default: `"/mobile-connect/server_side_api"`
  /// - Example: `"/mobile-connect"`
  var path: String?
  /// Whether the server has the operator's endpoints itself (start_discovery_manually).
  ///
  /// - Default: `false`
  /// - Example: `true`
  var manual: Bool?
  /// Whether the server is told the bearer's address.
  ///
  /// - Default: whether `sourceAddress` is there
  /// - Example: `true`
  var sendsAddress: Bool?
  /// The address that it is told if the bearer's is not public.
  ///
  /// - Default: none
  /// - Example: `"192.0.2.1"`
  var sourceAddress: String?
  /// Whether the server is told the SIM's number.
  ///
  /// - Default: `false`
  /// - Example: `true`
  var sendsNumber: Bool?
  /// The version of the client that the server expects.
  ///
  /// - Default: `"modemd-VERSION"`
  /// - Example: `"1.0"`
  var clientVersion: String?

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
