import LimitClock
import ModemModel
import Rtnetlink

/// Puts a bearer into the kernel: its own routing table and the rules that lead to it. Nothing of
/// other programs is changed.
///
/// Every address, route and rule carries the tag 77. A table's number is 7,700,000 plus the
/// interface's index. The link's alias holds its earlier state. A later process can therefore find
/// everything without a file.
package actor BearerNetwork: BearerInstaller {
  let openSocket: @Sendable ([NetlinkGroup]) throws -> any NetlinkSocket
  let files: LinkFiles
  let openPacketSocket: @Sendable (PacketKind, _ index: Int, _ isEthernet: Bool) throws -> any PacketSocket
  let clock: LimitClock
  let leaseClock: LimitClock
  /// How long the link may take to give a first address.
  let patience: Duration
  /// The clients that ask for addresses, by interface.
  var linkClients: [String: LinkClient] = [:]
  /// How bearers are guarded; nil for not at all.
  let guarding: BearerGuarding?
  /// What guards them, by interface.
  var shields: [String: BearerShield] = [:]
  private var session: NetlinkSession?
  private var filterSessionInUse: NetlinkSession?
  /// Access to the sockets over bearers; nil if they are left alone.
  let diagnosis: SocketDiagnosis?
  var diagnosisSession: NetlinkSession?
  /// Why sockets cannot be ended, as it was told.
  var toldOfSockets: String?
  /// The bearers that this value has installed, by interface.
  private var installed: [String: InstalledBearer] = [:]
  /// Those of them whose link and addresses belong to another program.
  private var adopted: Set<String> = []

  /// Makes an installer.
  ///
  /// - Parameters:
  ///   - files: where sysfs and procfs are.
  ///   - patience: how long the link may take to give a first address if the modem gave none.
  ///   - openSocket: opens a netlink socket that has joined the given groups.
  ///   - openPacketSocket: opens a socket for one kind of packets on a link.
  ///   - guarding: how bearers are guarded; nil for not at all.
  ///   - diagnosis: access to the sockets over bearers, which end with them; nil to leave them
  ///     alone.
  ///   - clock: for `patience`.
  ///   - leaseClock: for what the link grants for a time, which also ends while the machine sleeps.
  package init(
    files: LinkFiles = LinkFiles(), patience: Duration = .seconds(15), guarding: BearerGuarding? = nil,
    diagnosis: SocketDiagnosis? = nil,
    openSocket: @escaping @Sendable ([NetlinkGroup]) throws -> any NetlinkSocket = {
      try KernelNetlinkSocket(groups: $0)
    },
    openPacketSocket: @escaping @Sendable (PacketKind, _ index: Int, _ isEthernet: Bool) throws -> any PacketSocket = {
      try KernelPacketSocket($0, index: $1, isEthernet: $2)
    },
    clock: LimitClock = .machine, leaseClock: LimitClock = .sinceBoot
  ) {
    self.files = files
    self.openSocket = openSocket
    self.openPacketSocket = openPacketSocket
    self.guarding = guarding
    self.diagnosis = diagnosis
    self.clock = clock
    self.leaseClock = leaseClock
    self.patience = patience
  }

  package func install(_ settings: BearerSettings, on interface: String) throws -> InstalledBearer {
    try speaking("bring up \(interface)") { kernel in
      guard settings.hasAddress else {
        throw ModemError(.noAddress, "the bearer has no address to put on \(interface)")
      }
      let link = try Self.existingLink(interface, kernel)
      try Self.refuseHostUplink(link, kernel)
      let families = try Self.families(kernel)
      let settings = try Self.usable(try Self.settings(settings, for: families))
      let guardian = try applyGuarded(settings, to: link, families: families, isAdopted: false, kernel) {
        try apply($0, to: $1, kernel)
      }
      let bearer = InstalledBearer(
        settings: settings, interface: interface, interfaceIndex: link.index,
        table: Int(BearerPlan.table(forInterface: link.index)), guardian: guardian)
      note(bearer, isAdopted: false)
      return bearer
    }
  }

  package func remove(_ bearer: InstalledBearer) throws {
    // From here on, missing parts are removed on purpose, not lost.
    installed[bearer.interface] = nil
    forgetLinkClient(of: bearer.interface)
    adopted.remove(bearer.interface)
    try speaking("take down \(bearer.interface)") { kernel in
      shields[bearer.interface] = nil
      try sweep(bearer.interface, also: [UInt32(bearer.table)], kernel)
    }
  }

  package func cleanUp(interface: String) throws {
    installed[interface] = nil
    shields[interface] = nil
    forgetLinkClient(of: interface)
    try speaking("clean up \(interface)") { kernel in
      try sweep(interface, also: try Self.tablesOfVanishedLinks(kernel), kernel)
    }
  }

  package func setRawIP(interface: String) throws { try tellDriver(.rawIP, of: interface) }

  package func verify(_ bearer: InstalledBearer) throws {
    if let difference = try difference(of: bearer) {
      throw ModemError(.networking, "\(difference); disconnect and connect the bearer to set it up again")
    }
  }

  /// What the kernel lacks of a bearer, in one sentence; nil if nothing is missing.
  func difference(of bearer: InstalledBearer) throws -> String? {
    try speaking("compare \(bearer.interface) with its bearer") { kernel in
      let rules = try kernel.rules()
      let families = AddressFamily.allCases.filter { family in rules.contains { $0.family == family } }
      let shield = shields[bearer.interface] ?? .none
      let plan = BearerPlan(
        bearer.settings, interface: bearer.interface, index: bearer.interfaceIndex, families: families,
        isAdopted: adopted.contains(bearer.interface), shield: shield)
      let link = try kernel.link(index: bearer.interfaceIndex)
      return plan.firstDifference(
        from: HostNetwork(
          link: link?.name == bearer.interface ? link : nil,
          addresses: try kernel.addresses(ofInterface: bearer.interfaceIndex),
          routes: try kernel.routes(inTable: plan.table), rules: rules,
          vrf: try shield.vrf.flatMap { try kernel.link(named: $0) }, hasFilter: try hasFilter(shield)))
    }
  }

  func note(_ bearer: InstalledBearer, isAdopted: Bool) {
    installed[bearer.interface] = bearer
    if isAdopted { adopted.insert(bearer.interface) } else { adopted.remove(bearer.interface) }
  }

  /// Whether another call has replaced or removed this bearer.
  func isCurrent(_ bearer: InstalledBearer) -> Bool { installed[bearer.interface] == bearer }

  /// Runs `work` with this value's session, and converts its errors into the model's.
  func speaking<Result>(_ purpose: String, _ work: (NetlinkSession) throws -> Result) throws -> Result {
    do {
      let session = try self.session ?? NetlinkSession(openSocket([]))
      self.session = session
      return try work(session)
    } catch let error as NetlinkError {
      // A socket that failed during an answer is not used again.
      if [.timeout, .overrun, .closed, .badReply].contains(error.code) { session = nil }
      throw ModemError(.networking, "cannot \(purpose)", cause: "\(error)")
    }
  }

  /// The session with the packet filter.
  func filterSession() throws -> NetlinkSession {
    guard let guarding else {
      throw NetlinkError(.closed, "bearers are not guarded, and the packet filter is not asked")
    }
    let session = try filterSessionInUse ?? NetlinkSession(guarding.openFilterSocket(false))
    filterSessionInUse = session
    return session
  }

  /// A socket with a failed exchange is not used again.
  func forgetFilterSession() { filterSessionInUse = nil }

  static func existingLink(_ name: String, _ kernel: NetlinkSession) throws -> Link {
    guard let link = try kernel.link(named: name) else {
      throw ModemError(.networking, "there is no network interface \(name); see `ip link`")
    }
    return link
  }

  /// A wrong name in the configuration must not cost the host its own connection.
  static func refuseHostUplink(_ link: Link, _ kernel: NetlinkSession) throws {
    guard link.name != "lo" else { throw ModemError(.networking, "lo is the loopback interface; name the modem's own") }
    let uplink = try kernel.routes(inTable: mainTable).contains { route in
      guard route.destination == nil, case .unicast(link.index, _) = route.kind else { return false }
      return route.origin != advertised
    }
    guard !uplink else {
      throw ModemError(
        .networking,
        "\(link.name) carries the host's default route; name the modem's own interface, and make NetworkManager leave it alone"
      )
    }
  }

  /// Leaves IPv6 out if the kernel runs without it and IPv4 is enough.
  static func settings(_ settings: BearerSettings, for families: [AddressFamily]) throws -> BearerSettings {
    guard settings.ipv6 != nil, !families.contains(.ipv6) else { return settings }
    guard settings.ipv4 != nil else {
      throw ModemError(.networking, "the bearer has only an IPv6 address, and the kernel runs without IPv6")
    }
    var settings = settings
    settings.ipv6 = nil
    settings.dns.removeAll { AddressFamily($0) == .ipv6 }
    return settings
  }

  /// RT_TABLE_MAIN and RTPROT_RA.
  private static let mainTable: UInt32 = 254
  private static let advertised: UInt8 = 9

  /// IPv4, and IPv6 if the kernel has it.
  static func families(_ kernel: NetlinkSession) throws -> [AddressFamily] {
    try AddressFamily.allCases.filter { family in
      do {
        return try !kernel.rules(family).isEmpty
      } catch let error as NetlinkError where error.code == .familyNotSupported {
        return false
      }
    }
  }
}
