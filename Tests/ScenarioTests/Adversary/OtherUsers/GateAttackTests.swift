import ModemAPI
import ModemAPIClient
import Testing

@testable import ScenarioRunner

/// Other users of the machine who want to walk an operator's URL over the bearer by themselves.
/// Since Linux 5.7 anybody may bind a fresh socket to an interface.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct GateAttackTests {
  /// A stream over IPv6 is not told why: the kernel looks for the refused socket on `lo`, and it is
  /// bound to another device.
  private static let refusals: Set = ["ENETUNREACH", "EHOSTUNREACH", "EACCES", "EPERM", "ECONNREFUSED", "TIMEOUT"]
  private static let user = 1500

  private func with(_ body: (World, Probes) async throws -> Void) async throws {
    try await Worlds.with { world in
      let bearer = try await world.connect()
      #expect(bearer.guard == .nftables || bearer.guard == .vrf)
      try await body(world, try Probes(world))
      // The service's own way is open all the while.
      let walk = try await world.walk("/checks/4915112345678")
      #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  private func expectRefused(_ probes: Probes, _ words: [[String]]) async throws {
    for words in words {
      let said = try await probes.socket(as: Self.user, words)
      #expect(Self.refusals.contains(said), "\(words): \(said)")
    }
  }

  @Test("a stream bound to the bearer's interface", .attack(by: .otherUser, .broke))
  func stream() async throws {
    try await with { world, probes in
      let targets = world.scenario.chain.aggregator.addresses.map { ["tcp", "\($0)", "443", "wwan0"] }
      try await expectRefused(probes, targets)
      // The same socket of the service's user is let out: what refuses it is whose it is.
      for target in targets { #expect(try await probes.socket(as: 0, target) == "CONNECTED") }
    }
  }

  @Test("a datagram to the bearer's DNS servers", .attack(by: .otherUser, .broke))
  func datagram() async throws {
    try await with { world, probes in
      try await expectRefused(probes, world.scenario.network.dns.map { ["udp", "\($0)", "53", "wwan0"] })
    }
  }

  @Test("a socket bound to the interface by its index", .attack(by: .otherUser, .broke))
  func byIndex() async throws {
    try await with { world, probes in
      try await expectRefused(
        probes, world.scenario.chain.aggregator.addresses.map { ["tcp", "\($0)", "443", "#wwan0"] })
    }
  }

  @Test("a socket with the bearer's address as its source", .attack(by: .otherUser, .broke))
  func bySource() async throws {
    try await with { world, probes in
      for (target, source) in zip(
        world.scenario.chain.aggregator.addresses, [world.scenario.network.ipv4, world.scenario.network.ipv6])
      {
        let own = try #require(source?.prefix.address)
        let said = try await probes.socket(as: Self.user, ["tcp", "\(target)", "443", "-", "\(own)"])
        #expect(Self.refusals.union(["EADDRNOTAVAIL"]).contains(said), "\(own): \(said)")
      }
    }
  }

  @Test("multicast and broadcast, for which no route is asked", .attack(by: .otherUser, .broke))
  func multicast() async throws {
    try await with { _, probes in
      try await expectRefused(
        probes,
        ["224.0.0.5", "239.1.2.3", "255.255.255.255", "ff02::fb", "ff05::fb"].map { ["udp", $0, "5353", "wwan0"] })
    }
  }

  @Test("an attempt to take the guard away", .attack(by: .otherUser, .held))
  func filterWithoutRights() async throws {
    try await with { world, probes in
      // Neither the rules nor the link can be changed without CAP_NET_ADMIN.
      for command in ["ip link set wwan0 down", "ip rule del pref 7700", "ip route flush table all"] {
        let words =
          ["setpriv", "--reuid", "\(Self.user)", "--clear-groups"] + command.split(separator: " ").map(String.init)
        let result = try await world.run(words)
        #expect(result.end != .exited(0) || result.error != "", "\(command)")
      }
      try await expectRefused(
        probes, world.scenario.chain.aggregator.addresses.map { ["tcp", "\($0)", "443", "wwan0"] })
    }
  }
}
