import ModemAPI
import ModemAPIClient
import ModemModel
import NetworkAddress
import Testing
import Varlink

@testable import ScenarioRunner

/// What a network may give a bearer as its address or gateway, so that packets of the machine's own
/// take another way.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct AddressAttackTests {
  /// The machine's own addresses, its gateways, a neighbour, what lies behind the gateway, and its
  /// name server.
  private static let targets = [
    "192.0.2.1", "192.0.2.2", "192.0.2.50", "203.0.113.30", "203.0.113.31", "198.51.100.53", "2001:db8:ffff::1",
    "2001:db8:ffff::2", "2001:db8:ffff::50", "2001:db8:c::30",
  ]

  /// Has the network give each of these addresses, one after the other; the machine's own ways stay
  /// as they are.
  ///
  /// - Parameter isRefused: whether no bearer may come up, where there is no VRF.
  private func give(_ assignments: [(address: String, gateway: String)], isRefused: Bool) async throws {
    try await Worlds.with { world in
      let before = try await world.ways(to: Self.targets)
      let hostBefore = try await world.hostState()
      let honest = world.scenario.network
      for assignment in assignments {
        let prefix = try #require(IPPrefix(text: assignment.address))
        let gateway = try #require(IPAddress(assignment.gateway))
        var network = honest
        if prefix.address.bytes.count == 4 {
          network.ipv4 = .init(prefix: prefix, gateway: gateway)
        } else {
          network.ipv6 = .init(prefix: prefix, gateway: gateway)
        }
        world.modem.setBearers([network.bearer])
        do {
          let bearer = try await world.connect()
          // The modem's library may have left the address out, and the other family is enough.
          let given = [bearer.settings?.ipv4, bearer.settings?.ipv6].compactMap { $0?.address }
          #expect(!isRefused || bearer.guard == .vrf || !given.contains("\(prefix.address)"), "\(assignment) was taken")
          #expect(bearer.state == .up)
        } catch {
          #expect(isRefused, "\(assignment): \(error)")
        }
        #expect(try await world.ways(to: Self.targets) == before, "\(assignment)")
        _ = try await world.client().call(BearerInterface.Disconnect.self, .init())
        #expect(try await world.hostState() == hostBefore, "\(assignment)")
      }
      world.modem.setBearers([honest.bearer])
      let walk = try await world.walk("/checks/4915112345678")
      #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test("the machine's own address", .attack(by: .network, .broke))
  func own() async throws {
    try await give([("192.0.2.2/24", "192.0.2.9"), ("2001:db8:ffff::2/64", "2001:db8:ffff::9")], isRefused: true)
  }

  @Test("the address of the machine's gateway", .attack(by: .network, .broke))
  func gateway() async throws {
    try await give([("192.0.2.1/24", "192.0.2.9"), ("2001:db8:ffff::1/64", "2001:db8:ffff::9")], isRefused: true)
  }

  @Test("the address of the machine's name server", .attack(by: .network, .broke))
  func resolver() async throws {
    try await give([("198.51.100.53/32", "10.64.0.1")], isRefused: true)
  }

  @Test("the address of a neighbour on the machine's network", .attack(by: .network, .broke))
  func neighbour() async throws {
    try await give([("192.0.2.50/32", "10.64.0.1"), ("2001:db8:ffff::50/128", "2001:db8:64::1")], isRefused: true)
  }

  @Test("loopback, multicast, broadcast and no address", .attack(by: .network, .broke))
  func nobodys() async throws {
    try await give(
      [
        ("127.0.0.1/8", "127.0.0.2"), ("127.0.0.53/32", "10.64.0.1"), ("224.0.0.1/4", "10.64.0.1"),
        ("255.255.255.255/32", "10.64.0.1"), ("0.0.0.1/32", "10.64.0.1"), ("::1/128", "2001:db8:64::1"),
        ("ff02::1/64", "2001:db8:64::1"), ("::ffff:192.0.2.2/128", "2001:db8:64::1"),
      ], isRefused: true)
  }

  @Test("a prefix of length 0, and one whose last address is somebody's", .attack(by: .network, .broke))
  func prefixes() async throws {
    try await give([("203.0.113.29/30", "203.0.113.30"), ("10.64.0.2/0", "10.64.0.1")], isRefused: false)
  }

  @Test("the link-local address of a neighbour", .attack(by: .network, .broke))
  func linkLocal() async throws {
    try await give([("fe80::1/64", "fe80::2")], isRefused: false)
  }

  @Test("a gateway that is the machine's own address, or its gateway's", .attack(by: .network, .broke))
  func bearersGateway() async throws {
    try await give(
      [
        ("10.64.0.2/24", "192.0.2.2"), ("10.64.0.2/24", "192.0.2.1"), ("10.64.0.2/24", "127.0.0.1"),
        ("2001:db8:64::2/64", "2001:db8:ffff::2"), ("2001:db8:64::2/64", "2001:db8:ffff::1"),
        ("2001:db8:64::2/64", "::1"),
      ], isRefused: false)
  }
}
