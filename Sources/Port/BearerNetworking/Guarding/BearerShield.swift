import NetworkAddress
import Rtnetlink

/// What guards one bearer in the kernel.
struct BearerShield: Hashable, Sendable {
  /// Name of the VRF device; nil for none.
  var vrf: String?
  /// The user whose sockets may leave by the bearer; nil for all users.
  var user: UInt32?
  /// The bearer's table of the packet filter; nil for none.
  var filter: FilterTable?
  /// The chosen way to guard it; new settings of the same bearer keep it.
  var attempt: GuardAttempt?
  /// Families whose gateway the kernel refused: their default route leads to the device itself.
  var familiesWithoutGateway: Set<AddressFamily> = []

  static let none = BearerShield()

  /// A VRF device's name: at most 15 bytes, like every interface name.
  static func vrfName(for interface: String, index: Int) -> String {
    let name = "vrf-\(interface)"
    return name.utf8.count <= 15 ? name : "vrf-if\(index)"
  }

  /// Name of a bearer's table of the packet filter.
  static func filterName(for interface: String) -> String { "\(filterMark)\(interface)" }
  static let filterMark = "modemd_"

  /// The rules that refuse other users' sockets. For a bound socket, the kernel matches the
  /// interface and, in some versions, the VRF.
  func gate(_ interface: String, _ family: AddressFamily, _ table: UInt32) -> [RoutingRule] {
    guard let vrf, let user else { return [] }
    // The highest number stands for no user.
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
  /// The filter for a bearer with a VRF. Routing rules see neither multicast and broadcast nor a
  /// socket bound to the VRF device itself (Linux 5.19 to 6.14). A machine that forwards would also
  /// send a packet from the network back to it.
  static func beside(vrf: String, _ interface: String, index: Int, user: UInt32) -> FilterTable {
    FilterTable(
      name: BearerShield.filterName(for: interface),
      chains: [
        Chain(
          .forward,
          [interface, vrf].flatMap { [FilterRule([.arrivesBy($0)], .drop), FilterRule([.leavesBy($0)], .drop)] }),
        Chain(
          .output,
          afterward(interface, index: index, user: user)
            + [interface, vrf].map { FilterRule([.leavesBy($0), .isOfAnotherUser(than: user)], .reject) }),
      ])
  }

  /// The filter for a bearer without a VRF. It does without connection tracking, which would affect
  /// the whole machine. The packet, and the socket that waits for it, show what is a reply.
  static func alone(_ interface: String, index: Int, addresses: [IPAddress], user: UInt32) -> FilterTable {
    FilterTable(
      name: BearerShield.filterName(for: interface),
      chains: [
        Chain(.input, input(interface)),
        Chain(.forward, [FilterRule([.arrivesBy(interface)], .drop), FilterRule([.leavesBy(interface)], .drop)]),
        Chain(
          .output,
          afterward(interface, index: index, user: user)
            + [FilterRule([.leavesBy(interface), .isOfAnotherUser(than: user)], .reject)]
            // From a socket bound to the bearer to the bearer's own address: the machine's services
            // would take it for a neighbour's packet.
            + addresses.map { address in
              let messages: UInt8 = AddressFamily(address) == .ipv4 ? 1 : 58
              return FilterRule([.leavesBy("lo"), .goesTo(address), .carriesNot(messages)], .reject)
            }),
      ])
  }

  /// For the time between the interface's end and the sweep. A socket is bound to an index. Where
  /// another device takes it over at once, nothing of what was meant for the bearer leaves by that
  /// device: no data that is sent again, and no reset. What no user has is what a closed socket
  /// still sends.
  private static func afterward(_ interface: String, index: Int, user: UInt32) -> [FilterRule] {
    let leaves: [FilterMatch] = [.leavesByIndex(index), .leavesNotBy(interface)]
    return [FilterRule(leaves + [.isOfAnotherUser(than: user)], .accept)]
      + [6, 17].map { FilterRule(leaves + [.carries($0)], .drop) }
  }

  private static func input(_ interface: String) -> [FilterRule] {
    let arrives = FilterMatch.arrivesBy(interface)
    // Neighbour solicitations and advertisements (RFC 4861) also go to multicast addresses.
    let neighbours = [135, 136].map { FilterRule([arrives, .carries(58), .hasMessageType($0)], .accept) }
    // Unreachable, time exceeded, parameter problem (RFC 792); unreachable, too big, time exceeded,
    // parameter problem (RFC 4443).
    let errors =
      [3, 11, 12].map { FilterRule([arrives, .carries(1), .hasMessageType($0)], .accept) }
      + [1, 2, 3, 4].map { FilterRule([arrives, .carries(58), .hasMessageType($0)], .accept) }
    // Other interfaces' packets pass the chains of all bearers, and each of them by this one rule.
    return [FilterRule([.arrivesNotBy(interface)], .accept)] + neighbours + [
      FilterRule([arrives, .isForArrivingInterface(false)], .drop),
      // SYN without ACK: another host opens a connection.
      FilterRule([arrives, .hasTCPFlags(0x02, mask: 0x12)], .drop),
      FilterRule([arrives, .carries(6)], .accept),
      FilterRule([arrives, .carries(17), .isForBoundSocket], .accept),
    ] + errors + [FilterRule([arrives], .drop)]
  }
}
