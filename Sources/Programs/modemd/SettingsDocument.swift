import SettingsFile

/// The configuration file's own form.
struct SettingsDocument: Decodable {
  struct Access: Decodable {
    var groups: [String]?
    var revealGroups: [String]?
    var messageGroups: [String]?
    var table: [String: [String]]?
  }
  struct Bearer: Decodable {
    var apn: String?
    var user: String?
    var authentication: String?
    var ipType: String?
    var flowLimit: Int?
  }
  struct TLS: Decodable {
    var extraRoots: String?
    var atMost: String?
  }
  struct Check: Decodable {
    var allowedAddresses: [String]?
    var cleartextDomains: [String]?
    var callerLimit: Int?
    var queueLimit: Int?
    var callerQueueLimit: Int?
    var learnsOrigins: Bool?
    var traceHeaders: [String]?
    var historyLimit: Int?
  }
  struct Backend: Decodable {
    var cleartextHosts: [String]?
  }
  struct Limits: Decodable {
    var connections: Int?
    var userConnections: Int?
    var userCalls: Int?
    var idleSeconds: Int?
  }
  var access: Access?
  var bearer: Bearer?
  var tls: TLS?
  var check: Check?
  var backend: Backend?
  var limits: Limits?

  static let keys = SettingsKeys(of: Self.self)
}
