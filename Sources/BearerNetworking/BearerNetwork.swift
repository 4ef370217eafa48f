import ModemModel
import Rtnetlink

/// Puts a bearer into the kernel: its own routing table, rules that lead there, and nothing of anybody else's touched.
///
/// Every address, route and rule carries the tag 77; table numbers are 7,700,000 plus the interface's index. How the
/// link was before stands in its alias. So a later process finds all of it with no file of its own.
public actor BearerNetwork: BearerInstaller {
  let openSocket: @Sendable ([NetlinkGroup]) throws -> any NetlinkSocket
  let files: LinkFiles
  private var session: NetlinkSession?
  /// The bearers that this value has installed, by interface.
  private var installed: [String: InstalledBearer] = [:]

  /// Makes an installer.
  ///
  /// - Parameters:
  ///   - files: where sysfs and procfs are.
  ///   - openSocket: opens a netlink socket that has joined the groups given.
  public init(
    files: LinkFiles = LinkFiles(),
    openSocket: @escaping @Sendable ([NetlinkGroup]) throws -> any NetlinkSocket = {
      try KernelNetlinkSocket(groups: $0)
    }
  ) {
    self.files = files
    self.openSocket = openSocket
  }

  public func install(_ settings: BearerSettings, on interface: String) throws -> InstalledBearer {
    try speaking("bring up \(interface)") { kernel in
      guard settings.hasAddress else {
        throw ModemError(.noAddress, "the bearer has no address to put on \(interface)")
      }
      let link = try Self.existingLink(interface, kernel)
      try Self.refuseHostUplink(link, kernel)
      let families = try Self.families(kernel)
      let settings = try Self.settings(settings, for: families)
      let plan = BearerPlan(settings, interface: interface, index: link.index, families: families)
      do {
        try apply(plan, to: link, kernel)
      } catch {
        try? sweep(interface, kernel)
        throw error
      }
      let bearer = InstalledBearer(
        settings: settings, interface: interface, interfaceIndex: link.index, table: Int(plan.table))
      installed[interface] = bearer
      return bearer
    }
  }

  public func remove(_ bearer: InstalledBearer) throws {
    // From here on, what is missing is not lost but taken away.
    installed[bearer.interface] = nil
    try speaking("take down \(bearer.interface)") { kernel in
      try sweep(bearer.interface, also: [UInt32(bearer.table)], kernel)
    }
  }

  public func cleanUp(interface: String) throws {
    installed[interface] = nil
    try speaking("clean up \(interface)") { kernel in
      try sweep(interface, also: try Self.tablesOfVanishedLinks(kernel), kernel)
    }
  }

  public func setRawIP(interface: String) throws {
    guard files.rawIP(of: interface) == false else { return }
    try speaking("set \(interface) to raw IP") { kernel in
      let link = try Self.existingLink(interface, kernel)
      if link.isUp { try kernel.set(LinkChange(isUp: false), of: link) }
      let reason = files.setRawIP(of: interface)
      guard reason == 0 else { throw NetlinkError("write Y to qmi/raw_ip of \(interface)", errno: reason) }
    }
  }

  public func verify(_ bearer: InstalledBearer) throws {
    if let difference = try difference(of: bearer) {
      throw ModemError(.networking, "\(difference); disconnect and connect the bearer to set it anew")
    }
  }

  /// What the kernel lacks of a bearer, in a sentence; nil when it has all.
  func difference(of bearer: InstalledBearer) throws -> String? {
    try speaking("compare \(bearer.interface) with its bearer") { kernel in
      let families = try Self.families(kernel)
      let plan = BearerPlan(
        bearer.settings, interface: bearer.interface, index: bearer.interfaceIndex, families: families)
      let link = try kernel.link(index: bearer.interfaceIndex)
      return plan.firstDifference(
        from: HostNetwork(
          link: link?.name == bearer.interface ? link : nil,
          addresses: try kernel.addresses(ofInterface: bearer.interfaceIndex),
          routes: try kernel.routes(inTable: plan.table), rules: try kernel.rules()))
    }
  }

  /// Whether another call has replaced or removed this bearer.
  func isCurrent(_ bearer: InstalledBearer) -> Bool { installed[bearer.interface] == bearer }

  /// Runs `work` with the one session of this value, and turns its errors into the model's.
  func speaking<Result>(_ purpose: String, _ work: (NetlinkSession) throws -> Result) throws -> Result {
    do {
      let session = try self.session ?? NetlinkSession(openSocket([]))
      self.session = session
      return try work(session)
    } catch let error as NetlinkError {
      // A socket that failed in the middle of an answer is not used again.
      if [.timeout, .overrun, .closed, .badReply].contains(error.code) { session = nil }
      throw ModemError(.networking, "cannot \(purpose)", cause: "\(error)")
    }
  }

  private static func existingLink(_ name: String, _ kernel: NetlinkSession) throws -> Link {
    guard let link = try kernel.link(named: name) else {
      throw ModemError(.networking, "there is no network interface \(name); see `ip link`")
    }
    return link
  }

  /// A wrong name in the configuration must not cost the host its own connection.
  private static func refuseHostUplink(_ link: Link, _ kernel: NetlinkSession) throws {
    guard link.name != "lo" else { throw ModemError(.networking, "lo is the loopback interface; name the modem's own") }
    let uplink = try kernel.routes(inTable: mainTable).contains { route in
      guard route.destination == nil, case .unicast(link.index, _) = route.kind else { return false }
      return route.origin != advertised
    }
    guard !uplink else {
      throw ModemError(
        .networking,
        "\(link.name) carries the host's default route; name the modem's own interface, and take it from NetworkManager"
      )
    }
  }

  /// Leaves IPv6 out where the kernel runs without it and IPv4 is enough.
  private static func settings(_ settings: BearerSettings, for families: [AddressFamily]) throws -> BearerSettings {
    guard settings.ipv6 != nil, !families.contains(.ipv6) else { return settings }
    guard settings.ipv4 != nil else {
      throw ModemError(.networking, "the bearer has an IPv6 address alone, and the kernel runs without IPv6")
    }
    var settings = settings
    settings.ipv6 = nil
    settings.dns.removeAll { AddressFamily($0) == .ipv6 }
    return settings
  }

  /// RT_TABLE_MAIN and RTPROT_RA.
  private static let mainTable: UInt32 = 254
  private static let advertised: UInt8 = 9

  /// IPv4, and IPv6 where the kernel has it.
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
