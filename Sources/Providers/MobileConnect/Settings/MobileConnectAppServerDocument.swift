import AuthFlows
import ModemModel
import SettingsFile
import MobileConnectFlows

/// `appServer` of a file of the kind `mobileConnect`.
struct MobileConnectAppServerDocument: Decodable {
  var url: String?
  var path: String?
  var manual: Bool?
  var sendsAddress: Bool?
  var sourceAddress: String?
  var sendsNumber: Bool?
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
