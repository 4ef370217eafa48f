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
    /// Groups whose members are told the IMSI, the ICCID, the numbers of the SIM and the IMEI of
    /// the modem by the methods that they may call. Others get null, and no numbers.
    ///
    /// - Default: whoever may call
    /// - Example: `["subscriptions"]`
    var identityGroups: [String]?
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
    /// Whether bytes over bearers are dear. Then no connection is made before a request needs it:
    /// not for a flow whose check is expected, not for Prepare, and none of those of
    /// check.learnsOrigins.
    ///
    /// - Default: `false`
    /// - Example: `true`
    var metered: Bool?
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
  struct Verify: Decodable {
    /// Which providers `modemctl verify` asks where a call does not say so: any, bearer (those that
    /// recognise the SIM by its bearer) or network (those that the SIM answers over any network).
    /// With any, those that need a bearer are asked first, and last while none can come up.
    ///
    /// - Default: `"any"`
    /// - Example: `"network"`
    var route: String?
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
  struct Usage: Decodable {
    /// What users may spend over bearers, by the name of a user or by @ and the name of a group; *
    /// is everybody else but root. An entry replaces all others for that user. If several groups
    /// apply, the largest limit of each kind counts. The keys of an entry are below.
    ///
    /// - Default: `{}`, any amount
    /// - Example: `{ "*": { "monthBytes": 500000000 }, "@cameras": { "dayBytes": 100000000 } }`
    var budgets: [String: Budget]?
    /// Where users' sockets, streams and connections of the proxy may lead, by the same names. If
    /// several groups apply, one of them is enough. The keys of an entry are below.
    ///
    /// - Default: `{}`, every public address
    /// - Example: `{ "kiosk": { "domains": ["shop.example"], "ports": ["443"] } }`
    var destinations: [String: Destination]?
  }
  struct Budget: Decodable {
    /// Bytes of a day, in both directions together, without the headers of IP and TCP. The day is
    /// that of the machine's time zone.
    ///
    /// - Default: any amount
    /// - Example: `100000000`
    var dayBytes: Int?
    /// Bytes of a calendar month.
    ///
    /// - Default: any amount
    /// - Example: `500000000`
    var monthBytes: Int?
    /// Of the day's bytes, those while the modem is roaming or in a partner's network.
    ///
    /// - Default: any amount
    /// - Example: `10000000`
    var roamingDayBytes: Int?
    /// Sockets, streams and connections of the proxy at one time, 0 to 65536.
    ///
    /// - Default: as many as the service allows
    /// - Example: `16`
    var connections: Int?
    /// Sockets, streams and connections of the proxy that are opened on a day.
    ///
    /// - Default: any number
    /// - Example: `1000`
    var dayConnections: Int?
  }
  struct Destination: Decodable {
    /// Names that may be asked for, with the names below them. An address in place of a name is
    /// then refused, unless addresses has it.
    ///
    /// - Default: any name
    /// - Example: `["shop.example"]`
    var domains: [String]?
    /// Ports, as text: one, or the first and the last.
    ///
    /// - Default: any port
    /// - Example: `["443", "8000-8099"]`
    var ports: [String]?
    /// Addresses that may be reached: public, private, an address or a prefix. It is also applied
    /// to the addresses of a name.
    ///
    /// - Default: `["public"]`
    /// - Example: `["public", "10.20.0.0/16"]`
    var addresses: [String]?
    /// Whether OpenSocket may be called although destinations are limited. Whoever holds such a
    /// socket can connect it to any other destination.
    ///
    /// - Default: `false`
    /// - Example: `true`
    var allowsSockets: Bool?
  }
  var access: Access?
  var bearer: Bearer?
  var tls: TLS?
  var check: Check?
  var verify: Verify?
  var backend: Backend?
  var limits: Limits?
  var usage: Usage?

  static let keys = SettingsKeys(of: Self.self)
}
