import ModemModel
import NetworkAddress
import Rtnetlink

/// Everything that a bearer needs in the kernel, as values. They are made from its settings and
/// compared with the kernel's state.
struct BearerPlan: Hashable, Sendable {
  /// Numbers that are modemd's own.
  enum Numbers {
    /// The tag of every address, route and rule (rtm_protocol, IFA_PROTO, FRA_PROTOCOL): the letter
    /// M.
    static let origin: UInt8 = 77
    /// A bearer's table number is this plus its interface's index, so that two bearers never share
    /// one.
    static let firstTable: UInt32 = 7_700_000
    /// The gate. It refuses sockets of users below and above modemd's that are bound to the
    /// interface, then those bound to the VRF. They come before the kernel's own rule for VRFs,
    /// which is at 1000.
    static let gate: [UInt32] = [770, 771, 772, 773]
    static let askVRF: UInt32 = 1000
    /// Looks up the table for sockets bound to the interface. All four come before main's 32766.
    static let lookUpInterface: UInt32 = 7700
    /// Looks up the table for packets from the bearer's address. Strict reverse path filters need
    /// it too.
    static let lookUpSource: UInt32 = 7701
    /// Stops lookups that found nothing, in case someone empties the table.
    static let stopInterface: UInt32 = 7702
    static let stopSource: UInt32 = 7703
    static let defaultMetric: UInt32 = 1024
    /// A lower priority than every other route in the table.
    static let unreachableMetric: UInt32 = 4_278_198_272
    /// Bytes that every IPv6 link carries (RFC 8200, 5), and that IPv4 hosts accept (RFC 791, 3.1).
    static let leastMTU = (ipv4: 68, ipv6: 1280)
  }

  let interface: String
  let index: Int
  let table: UInt32
  /// Bytes; nil leaves the link's own.
  let mtu: Int?
  let addresses: [InterfaceAddress]
  let routes: [Route]
  let rules: [RoutingRule]
  let shield: BearerShield

  /// Makes the plan.
  ///
  /// - Parameters:
  ///   - families: the families that the kernel has. A family without an address is closed, not
  ///     left out.
  ///   - isAdopted: whether the link and its addresses belong to another program; that program then
  ///     also sets the MTU.
  ///   - shield: what guards the bearer.
  init(
    _ settings: BearerSettings, interface: String, index: Int, families: [AddressFamily], isAdopted: Bool = false,
    shield: BearerShield = .none
  ) {
    self.shield = shield
    self.interface = interface
    self.index = index
    let table = Self.table(forInterface: index)
    self.table = table
    let assignments = [settings.ipv4, settings.ipv6].compactMap { $0 }
    mtu = (isAdopted ? nil : settings.mtu).map { wanted in
      max(wanted, settings.ipv6 != nil ? Numbers.leastMTU.ipv6 : Numbers.leastMTU.ipv4)
    }
    addresses = assignments.map { assignment in
      // Without the prefix: the kernel treats a prefix's last address as broadcast, wherever it
      // belongs. Another program's address stays as that program set it.
      InterfaceAddress(
        interfaceIndex: index, prefix: isAdopted ? assignment.prefix : Self.host(assignment.prefix.address),
        hasNoPrefixRoute: true,
        skipsDuplicateDetection: AddressFamily(assignment.prefix.address) == .ipv6, origin: Numbers.origin)
    }
    routes =
      families.map {
        Route($0, table: table, kind: .unreachable, metric: Numbers.unreachableMetric, origin: Numbers.origin)
      }
      + assignments.map { assignment in
        let family = AddressFamily(assignment.prefix.address)
        // The kernel would read the first bytes of a gateway of the other family as an address.
        let gateway =
          shield.familiesWithoutGateway.contains(family)
          ? nil : assignment.gateway.flatMap { $0.isUnspecified || AddressFamily($0) != family ? nil : $0 }
        return Route(
          family, table: table,
          kind: .unicast(interfaceIndex: index, gateway: gateway), metric: Numbers.defaultMetric,
          origin: Numbers.origin)
      }
    rules =
      families.flatMap { family in
        [(Numbers.lookUpInterface, RoutingRule.Action.lookUp), (Numbers.stopInterface, .unreachable)].map {
          RoutingRule(
            family, priority: $0, outgoingInterface: interface, table: table, action: $1, origin: Numbers.origin)
        }
      }
      + families.flatMap { family in shield.gate(interface, family, table) }
      // In a VRF, a socket that has the bearer's address but not its device has no route.
      + (shield.vrf == nil ? assignments : []).flatMap { assignment in
        let address = assignment.prefix.address
        let family = AddressFamily(address)
        return [(Numbers.lookUpSource, RoutingRule.Action.lookUp), (Numbers.stopSource, .unreachable)].map {
          RoutingRule(
            family, priority: $0, source: Self.host(address), table: table, action: $1,
            origin: Numbers.origin)
        }
      }
  }

  var hasIPv6: Bool { addresses.contains { AddressFamily($0.prefix.address) == .ipv6 } }

  static func host(_ address: IPAddress) -> IPPrefix { IPPrefix(of: address) }

  /// The rule by which the kernel looks up a VRF's table. The kernel adds one with the first VRF,
  /// and never again.
  static func askingVRF(_ family: AddressFamily) -> RoutingRule {
    // RTPROT_KERNEL: as the kernel's own.
    RoutingRule(family, priority: Numbers.askVRF, asksVRF: true, table: 0, origin: 2)
  }

  static func table(forInterface index: Int) -> UInt32 { Numbers.firstTable + UInt32(index) }

  /// The interface that a table of ours belongs to; nil for other tables.
  static func interface(ofTable table: UInt32) -> Int? {
    table > Numbers.firstTable && table - Numbers.firstTable <= UInt32(Int32.max)
      ? Int(table - Numbers.firstTable) : nil
  }

  /// The first thing that the kernel lacks, in one sentence; nil if nothing is missing.
  func firstDifference(from host: HostNetwork) -> String? {
    guard let link = host.link else { return "the interface \(interface) is gone" }
    guard link.isUp else { return "the interface \(interface) is down" }
    if let name = shield.vrf {
      guard let vrf = host.vrf, vrf.vrfTable == table else { return "the VRF device \(name) is gone" }
      guard vrf.isUp else { return "the VRF device \(name) is down" }
      guard link.master == vrf.index else { return "the interface \(interface) is no port of \(name) any more" }
      for family in AddressFamily.allCases where rules.contains(where: { $0.family == family }) {
        guard host.rules.contains(where: { $0.family == family && $0.asksVRF && $0.action == .lookUp }) else {
          return "the \(family) rule 'from all lookup [l3mdev-table]' is gone"
        }
      }
    }
    if let filter = shield.filter, !host.hasFilter {
      return "the packet filter's table \(filter.name) is not as it was set"
    }
    if let mtu, link.mtu != mtu { return "the MTU of \(interface) is \(link.mtu) in place of \(mtu)" }
    for address in addresses where !host.addresses.contains(where: { $0.prefix == address.prefix }) {
      return "the address \(address.prefix) of \(interface) is gone"
    }
    for route in routes where !host.routes.contains(route) {
      return "the \(route.family) route '\(route.words)' of table \(table) is gone"
    }
    for rule in rules where !host.rules.contains(rule) {
      return "the \(rule.family) rule '\(rule.words)' is gone"
    }
    return nil
  }
}

/// The kernel's present state of one interface and its table.
struct HostNetwork {
  /// Nil if no link has the index any more.
  var link: Link?
  var addresses: [InterfaceAddress]
  var routes: [Route]
  /// Of both families.
  var rules: [RoutingRule]
  /// The device with the name of the plan's VRF.
  var vrf: Link?
  /// Whether the packet filter has the plan's table unchanged.
  var hasFilter = false
}
