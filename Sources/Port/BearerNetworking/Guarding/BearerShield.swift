import NetworkAddress
import Rtnetlink

/// What guards one bearer in the kernel.
struct BearerShield: Hashable, Sendable {
  /// Name of the VRF device; nil for none.
  var vrf: String?
  /// The user whose sockets may leave by the bearer; nil for everybody's.
  var user: UInt32?
  /// The bearer's table of the packet filter; nil for none.
  var filter: FilterTable?
  /// What was chosen; new settings of the same bearer keep to it.
  var attempt: GuardAttempt?
  /// Families whose gateway the kernel has refused: their default route leads to the device itself.
  var familiesWithoutGateway: Set<AddressFamily> = []

  static let none = BearerShield()

  /// A VRF device's name: at most the 15 bytes that a name has.
  static func vrfName(for interface: String, index: Int) -> String {
    let name = "vrf-\(interface)"
    return name.utf8.count <= 15 ? name : "vrf-if\(index)"
  }

  /// Name of a bearer's table of the packet filter.
  static func filterName(for interface: String) -> String { "\(filterMark)\(interface)" }
  static let filterMark = "modemd_"

  /// The rules that refuse others' sockets. The kernel takes an interface for that of a socket bound to it, and in some versions the VRF.
  func gate(_ interface: String, _ family: AddressFamily, _ table: UInt32) -> [RoutingRule] {
    guard let vrf, let user else { return [] }
    // The highest number stands for no user at all.
    let others = [user > 0 ? 0...(user - 1) : nil, user < UInt32.max - 1 ? (user + 1)...(UInt32.max - 1) : nil]
    return [interface, vrf].enumerated().flatMap { place, name in
      others.enumerated().compactMap { side, users in
        users.map {
          RoutingRule(
            family, priority: BearerPlan.Numbers.gate[2 * place + side], outgoingInterface: name, users: $0,
            table: table,
            action: .unreachable, origin: BearerPlan.Numbers.origin)
        }
      }
    }
  }
}

extension FilterTable {
  /// The filter beside a VRF. Rules about routes see neither a socket bound to the VRF device itself (Linux 5.19 to 6.14) nor multicast and
  /// broadcast; and a machine that forwards would send a packet of the network's back to it.
  static func beside(vrf: String, _ interface: String, user: UInt32) -> FilterTable {
    FilterTable(
      name: BearerShield.filterName(for: interface),
      chains: [
        Chain(
          .forward,
          [interface, vrf].flatMap { [FilterRule([.arrivesBy($0)], .drop), FilterRule([.leavesBy($0)], .drop)] }),
        Chain(
          .output, [interface, vrf].map { FilterRule([.leavesBy($0), .isOfAnotherUser(than: user)], .reject) }),
      ])
  }

  /// The filter where there is no VRF. It has no connection tracking, which would be the whole machine's: what is a reply is told from
  /// the packet, and from the socket that waits for it.
  static func alone(_ interface: String, addresses: [IPAddress], user: UInt32) -> FilterTable {
    FilterTable(
      name: BearerShield.filterName(for: interface),
      chains: [
        Chain(.input, input(interface)),
        Chain(.forward, [FilterRule([.arrivesBy(interface)], .drop), FilterRule([.leavesBy(interface)], .drop)]),
        Chain(
          .output,
          [FilterRule([.leavesBy(interface), .isOfAnotherUser(than: user)], .reject)]
            // From a socket bound to the bearer to the bearer's own address: the machine's services would take it for a neighbour's.
            + addresses.map { address in
              let messages: UInt8 = AddressFamily(address) == .ipv4 ? 1 : 58
              return FilterRule([.leavesBy("lo"), .goesTo(address), .carriesNot(messages)], .reject)
            }),
      ])
  }

  private static func input(_ interface: String) -> [FilterRule] {
    let arrives = FilterMatch.arrivesBy(interface)
    // Neighbour solicitation and advertisement (RFC 4861) go to multicast addresses too.
    let neighbours = [135, 136].map { FilterRule([arrives, .carries(58), .hasMessageType($0)], .accept) }
    // Unreachable, time exceeded, parameter problem (RFC 792); unreachable, too big, time exceeded, parameter problem (RFC 4443).
    let errors =
      [3, 11, 12].map { FilterRule([arrives, .carries(1), .hasMessageType($0)], .accept) }
      + [1, 2, 3, 4].map { FilterRule([arrives, .carries(58), .hasMessageType($0)], .accept) }
    return neighbours + [
      FilterRule([arrives, .isForArrivingInterface(false)], .drop),
      // SYN without ACK: somebody else's beginning.
      FilterRule([arrives, .hasTCPFlags(0x02, mask: 0x12)], .drop),
      FilterRule([arrives, .carries(6)], .accept),
      FilterRule([arrives, .carries(17), .isForBoundSocket], .accept),
    ] + errors + [FilterRule([arrives], .drop)]
  }
}
