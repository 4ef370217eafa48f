import AuthFlows
import ModemModel
import ModemService
import NetworkAddress
import RedirectChain
import SettingsFile
import SystemdSupport
import TrafficLedger
import Web

/// The configuration file: JSON, every key optional, no other key allowed.
///
///     { "access": { "groups": ["modemd"], "revealGroups": ["modemd-debug"], "messageGroups": [],
///                   "table": { "org.modemd.Verify": ["payments"],
///                              "org.modemd.TruID.SIMCheck": ["fraud"] } },
///       "bearer": { "apn": "internet", "user": "…", "authentication": "chap",
///                   "ipType": "ipv4v6", "metered": false, "flowLimit": 64 },
///       "tls": { "extraRoots": "/etc/modemd/extra-roots.pem", "atMost": "1.3" },
///       "check": { "allowedAddresses": [], "cleartextDomains": ["operator.example"],
///                  "callerLimit": 256, "queueLimit": 1024, "callerQueueLimit": 256,
///                  "learnsOrigins": true, "traceHeaders": ["x-request-id"], "historyLimit": 100 },
///       "verify": { "route": "any" },
///       "backend": { "cleartextHosts": ["backend.lan"] },
///       "limits": { "connections": 1024, "userConnections": 512,
///                   "userCalls": 256, "idleSeconds": 3600 },
///       "usage": { "budgets": { "*": { "monthBytes": 500000000 } },
///                  "destinations": { "kiosk": { "domains": ["shop.example"] } } } }
///
/// The password of the APN is the credential `apn-password`; the file never holds it.
struct Settings: Hashable, Sendable {
  var groups = ["modemd"]
  /// Groups whose members may reveal a chain's secrets.
  var revealGroups: [String] = []
  /// Groups whose members are told who the SIM is; nil for whoever may call.
  var identityGroups: [String]?
  /// Who may use org.modemd.Messages besides root.
  var messageGroups: [String] = []
  /// Groups by interface or method; they replace `groups`.
  var accessTable: [String: [String]] = [:]
  var request = BearerRequest()
  var flows = FlowLimits()
  var extraRoots: String?
  /// The newest version of TLS that is offered.
  var newestTLS = ChainPolicy.TLSVersion.tls13
  /// What chains may reach.
  var reach = ReachPolicy()
  /// Whether chains open connections ahead to the hosts of earlier chains.
  var learnsOrigins = true
  /// Whether bytes over bearers are dear: then nothing is opened ahead of chains.
  var isMetered = false
  /// The number of remembered checks, 0 to 10000.
  var historyLimit = 100
  /// Which providers verify numbers in calls that do not say so.
  var verifyRoute = VerifyRoute.any
  /// Backends that may be called over http on the machine's own network; this machine itself always
  /// may.
  var cleartextBackends: Set<String> = []

  /// Simultaneous connections to the socket, of all users and of one; root has no limit of its own.
  var connections = 1024
  var userConnections = 512
  /// Simultaneous calls of one user; calls answered from memory do not count.
  var userCalls = 256
  /// How long a connection may stay open while it is idle, in seconds.
  var idleSeconds = 3600
  /// What users may spend, and where their connections may lead, by names as in the file.
  var budgets: [String: BudgetLimits] = [:]
  var destinations: [String: DestinationRule] = [:]

  /// Reads the file; defaults apply without one, and for missing keys.
  ///
  /// - Throws: `SettingsError`.
  static func read(_ path: String?, credentials: CredentialsDirectory?) throws -> Settings {
    var settings = Settings()
    if let path {
      settings = try SettingsFile.read(path, keys: SettingsDocument.keys) {
        (document: SettingsDocument) throws(SettingsError) in try Settings(document)
      }
    }
    if let password = try credentials?.read("apn-password") {
      let text = String(decoding: password, as: UTF8.self)
      settings.request.password = APNPassword(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
    return settings
  }

  /// Reads the text of a file.
  ///
  /// - Throws: `SettingsError`.
  init(json: [UInt8]) throws(SettingsError) {
    try self.init(try SettingsFile.decode(json, keys: SettingsDocument.keys) as SettingsDocument)
  }

  private init(_ document: SettingsDocument) throws(SettingsError) {
    groups = document.access?.groups ?? groups
    revealGroups = document.access?.revealGroups ?? revealGroups
    identityGroups = document.access?.identityGroups
    messageGroups = document.access?.messageGroups ?? messageGroups
    accessTable.merge(document.access?.table ?? [:]) { $1 }
    try apply(document.bearer)
    try apply(document.tls)
    try apply(document.check)
    try apply(document.verify)
    try apply(document.limits)
    try apply(document.usage)
    cleartextBackends = Set((document.backend?.cleartextHosts ?? []).map { $0.lowercased() })
  }

  private mutating func apply(_ tls: SettingsDocument.TLS?) throws(SettingsError) {
    extraRoots = tls?.extraRoots
    switch tls?.atMost {
    case nil, "1.3": newestTLS = .tls13
    case "1.2": newestTLS = .tls12
    default: throw SettingsError(key: "tls.atMost", expected: "1.2 or 1.3, as text")
    }
  }

  private mutating func apply(_ check: SettingsDocument.Check?) throws(SettingsError) {
    if let domains = check?.cleartextDomains {
      guard domains.allSatisfy({ (try? WebURL("http://\($0)/"))?.host == $0.lowercased() }) else {
        throw SettingsError(
          key: "check.cleartextDomains", expected: "names of domains, without scheme, port or dot before")
      }
      reach.cleartextDomains = Set(domains.map { $0.lowercased() })
    }
    for text in check?.allowedAddresses ?? [] {
      guard let address = IPAddress(text) else {
        throw SettingsError(key: "check.allowedAddresses", expected: "IP addresses")
      }
      reach.allowedAddresses.insert(address)
    }
    try Self.read(check?.callerLimit, 1...4096, "check.callerLimit", into: &flows.perCaller)
    try Self.read(check?.queueLimit, 0...65_536, "check.queueLimit", into: &flows.waiting)
    try Self.read(check?.callerQueueLimit, 0...65_536, "check.callerQueueLimit", into: &flows.waitingPerCaller)
    try Self.read(check?.historyLimit, 0...10_000, "check.historyLimit", into: &historyLimit)
    if let names = check?.traceHeaders { reach.traceHeaders = Set(names.map { $0.lowercased() }) }
    learnsOrigins = check?.learnsOrigins ?? learnsOrigins
  }

  private mutating func apply(_ verify: SettingsDocument.Verify?) throws(SettingsError) {
    guard let word = verify?.route else { return }
    guard let route = VerifyRoute(rawValue: word) else {
      throw SettingsError(key: "verify.route", expected: "one of any, bearer, network")
    }
    verifyRoute = route
  }

  private mutating func apply(_ limits: SettingsDocument.Limits?) throws(SettingsError) {
    try Self.read(limits?.connections, 16...8192, "limits.connections", into: &connections)
    try Self.read(limits?.userConnections, 1...8192, "limits.userConnections", into: &userConnections)
    try Self.read(limits?.userCalls, 1...8192, "limits.userCalls", into: &userCalls)
    try Self.read(limits?.idleSeconds, 1...604_800, "limits.idleSeconds", into: &idleSeconds)
  }

  static func read(
    _ value: Int?, _ range: ClosedRange<Int>, _ key: String, into field: inout Int
  ) throws(SettingsError) {
    guard let value else { return }
    guard range.contains(value) else {
      throw SettingsError(key: key, expected: "\(range.lowerBound) to \(range.upperBound)")
    }
    field = value
  }

  init() {}

  private mutating func apply(_ bearer: SettingsDocument.Bearer?) throws(SettingsError) {
    request.apn = bearer?.apn
    request.user = bearer?.user
    if let word = bearer?.authentication {
      guard let value = BearerRequest.Authentication(rawValue: word) else {
        throw SettingsError(key: "bearer.authentication", expected: "one of none, pap, chap, mschapv2")
      }
      request.authentication = value
    }
    if let word = bearer?.ipType {
      guard let value = BearerRequest.IPType(rawValue: word) else {
        throw SettingsError(key: "bearer.ipType", expected: "one of ipv4, ipv6, ipv4v6")
      }
      request.ipType = value
    }
    isMetered = bearer?.metered ?? isMetered
    try Self.read(bearer?.flowLimit, 1...4096, "bearer.flowLimit", into: &flows.perBearer)
  }
}
