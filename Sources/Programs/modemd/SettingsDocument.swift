import SettingsFile

/// The configuration file's own form.
struct SettingsDocument: Decodable {
  struct Access: Decodable {
    /// Groups whose members may call the service. This leaves out what may lock or spend a SIM,
    /// messages, sign-in and identities.
    ///
    /// - Default: `["modemd"]`
    /// - Example: `["modemd", "payments"]`
    var groups: [String]?
    /// Groups whose members may see a trace's secrets: URLs, cookies, header fields.
    ///
    /// - Default: `[]`, root alone
    /// - Example: `["modemd-debug"]`
    var revealGroups: [String]?
    /// Groups whose members may read and delete short messages, whether or not they may call
    /// anything else.
    ///
    /// - Default: `[]`, root alone
    /// - Example: `["sms-readers"]`
    var messageGroups: [String]?
    /// Groups by interface or method. An entry replaces all other groups for that interface or
    /// method. UnlockPIN and SwitchSlot of org.modemd.Modem need entries under their own names.
    ///
    /// - Default: `{}`
    /// - Example: `{ "org.modemd.Verify": ["payments"] }`
    var table: [String: [String]]?
  }
  struct Bearer: Decodable {
    /// The access point.
    ///
    /// - Default: as the network offers
    /// - Example: `"internet"`
    var apn: String?
    /// The access point's user name, if it wants one. Its password is the credential apn-password.
    ///
    /// - Default: none
    /// - Example: `"me"`
    var user: String?
    /// How user name and password are sent: none, pap, chap or mschapv2.
    ///
    /// - Default: the modem's own choice
    /// - Example: `"chap"`
    var authentication: String?
    /// The bearer's addresses: ipv4, ipv6 or ipv4v6.
    ///
    /// - Default: as the network offers
    /// - Example: `"ipv4v6"`
    var ipType: String?
    /// Checks at once over one bearer, 1 to 4096; others wait.
    ///
    /// - Default: `64`
    /// - Example: `128`
    var flowLimit: Int?
  }
  struct TLS: Decodable {
    /// A PEM file of authorities to trust beside the system's own.
    ///
    /// - Default: none
    /// - Example: `"/etc/modemd/extra-roots.pem"`
    var extraRoots: String?
    /// The newest version of TLS to offer, 1.2 or 1.3, for operators that break off when they see
    /// 1.3.
    ///
    /// - Default: `"1.3"`
    /// - Example: `"1.2"`
    var atMost: String?
  }
  struct Check: Decodable {
    /// Addresses that a hop may lead to although they are not public.
    ///
    /// - Default: `[]`
    /// - Example: `["10.20.0.5"]`
    var allowedAddresses: [String]?
    /// Domains that a hop may reach over http, with the names below them.
    ///
    /// - Default: any, behind an https start
    /// - Example: `["operator.example"]`
    var cleartextDomains: [String]?
    /// Checks at once of one user, over all bearers, 1 to 4096; the user's others wait.
    ///
    /// - Default: `256`
    /// - Example: `16`
    var callerLimit: Int?
    /// Checks of all users that may wait, 0 to 65536; one more fails with TooManyFlows.
    ///
    /// - Default: `1024`
    /// - Example: `100`
    var queueLimit: Int?
    /// Checks of one user that may wait, 0 to 65536.
    ///
    /// - Default: `256`
    /// - Example: `10`
    var callerQueueLimit: Int?
    /// Whether a check opens connections ahead of time to the hosts that earlier checks with the
    /// same start reached.
    ///
    /// - Default: `true`
    /// - Example: `false`
    var learnsOrigins: Bool?
    /// Response header fields whose values a trace shows, for finding a request in an operator's
    /// logs.
    ///
    /// - Default: X-Request-ID, traceparent, X-Correlator and others
    /// - Example: `["x-request-id"]`
    var traceHeaders: [String]?
    /// Checks of each user that are remembered, 0 to 10000; all users together have eight times as
    /// many.
    ///
    /// - Default: `100`
    /// - Example: `1000`
    var historyLimit: Int?
  }
  struct Backend: Decodable {
    /// Backends that may be called over http on the machine's own network. This machine itself
    /// always may.
    ///
    /// - Default: `[]`
    /// - Example: `["backend.lan"]`
    var cleartextHosts: [String]?
  }
  struct Limits: Decodable {
    /// Connections to the socket at one time, 16 to 8192; never more than half of the files that
    /// the service may open.
    ///
    /// - Default: `1024`
    /// - Example: `256`
    var connections: Int?
    /// Connections of one user, 1 to 8192.
    ///
    /// - Default: `512`
    /// - Example: `64`
    var userConnections: Int?
    /// Calls of one user that run or wait at one time, 1 to 8192. Calls that are answered from
    /// memory do not count.
    ///
    /// - Default: `256`
    /// - Example: `32`
    var userCalls: Int?
    /// How long a connection may stay open without traffic, in seconds, 1 to 604800.
    ///
    /// - Default: `3600`
    /// - Example: `600`
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
