import Glibc
import NetworkAddress
import Testing

@testable import ScenarioRunner

/// The network behind the bearer, and who sits on it, against the services of this machine.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct InboundAttackTests {
  private func with(_ body: (World, Probes, [String]) async throws -> Void) async throws {
    try await Worlds.with { world in
      let bearer = try await world.connect()
      let own = [bearer.settings?.ipv4, bearer.settings?.ipv6].compactMap { $0?.address }
      #expect(own.count == 2)
      try await body(world, try Probes(world), own)
    }
  }

  /// Has the operator's side send to addresses that are not the bearer's, and answer from those
  /// that are not its own.
  private func letThrough(_ world: World, to addresses: [String]) {
    world.gate.open(for: Set((["10.64.0.2", "2001:db8:64::2"] + addresses).compactMap { IPAddress($0) }))
  }

  @Test("a stream to a service that listens on all addresses", .attack(by: .network, .broke))
  func stream() async throws {
    try await with { _, probes, own in
      try await probes.expectSilence {
        for address in own {
          let said = try await probes.networkSocket(["tcp", address, "7777"])
          #expect(said != "CONNECTED", "\(address)")
        }
      }
    }
  }

  @Test("a datagram to a service that listens on all addresses", .attack(by: .network, .broke))
  func datagram() async throws {
    try await with { _, probes, own in
      try await probes.expectSilence {
        for address in own {
          let said = try await probes.networkSocket(["udp", address, "7777"])
          #expect(said == "SENT")
        }
      }
    }
  }

  @Test("a packet to the machine's address on its own network", .attack(by: .network, .broke))
  func otherAddress() async throws {
    try await with { world, probes, _ in
      try await probes.expectSilence {
        letThrough(world, to: ["192.0.2.2", "2001:db8:ffff::2"])
        for address in ["192.0.2.2", "2001:db8:ffff::2"] {
          _ = try await world.runInNetwork(["ip", "route", "replace", address, "dev", "gw0"])
          #expect(try await probes.networkSocket(["udp", address, "7777"]) == "SENT")
          #expect(try await probes.networkSocket(["tcp", address, "7777"]) != "CONNECTED")
        }
      }
    }
  }

  @Test("a packet that says it comes from the machine's own network", .attack(by: .network, .broke))
  func spoofedSource() async throws {
    try await with { world, probes, own in
      try await probes.expectSilence {
        _ = try await world.runInNetwork(["ip", "address", "add", "192.0.2.77/32", "dev", "lo"])
        _ = try await world.runInNetwork(["ip", "address", "add", "2001:db8:ffff::77/128", "dev", "lo", "nodad"])
        for (address, source) in zip(own, ["192.0.2.77", "2001:db8:ffff::77"]) {
          #expect(try await probes.networkSocket(["udp", address, "7777", "-", source]) == "SENT")
        }
      }
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test("a packet that a machine which forwards would bring to its own network", .attack(by: .network, .broke))
  func forwarded() async throws {
    try await with { world, probes, _ in
      for family in ["ipv4/conf/all", "ipv6/conf/all"] {
        let result = try await world.run(["sh", "-c", "echo 1 >/proc/sys/net/\(family)/forwarding"])
        #expect(result.end == .exited(0), "\(result.error)")
      }
      letThrough(world, to: ["192.0.2.1", "2001:db8:ffff::1"])
      for address in ["192.0.2.1", "2001:db8:ffff::1"] {
        _ = try await world.runInNetwork(["ip", "route", "replace", address, "dev", "gw0"])
        #expect(try await probes.networkSocket(["udp", address, "7777"]) == "SENT")
      }
      let walk = try await world.walk("/checks/4915112345678")
      #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test("a URL that leads to the bearer's own address, and so to the machine's services", .attack(by: .network, .broke))
  func ownAddress() async throws {
    try await with { _, probes, own in
      try await probes.expectSilence {
        for address in own {
          // As the service's own user.
          let said = try await probes.socket(as: 0, ["tcp", address, "7777", "wwan0"])
          #expect(said != "CONNECTED", "\(address)")
        }
      }
    }
  }

  @Test("a router advertisement and a redirect", .attack(by: .network, .held))
  func advertisement() async throws {
    try await with { world, _, own in
      let targets = ["192.0.2.1", "203.0.113.30", "2001:db8:c::30", "2001:db8:ffff::1"]
      let before = try await world.ways(to: targets)
      // A router with a default route and a prefix; then an ICMP redirect for what goes to
      // 203.0.113.30, "from" the machine's gateway.
      let script = """
        import socket, struct, sys
        def sum16(data):
            total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
            while total >> 16: total = (total & 0xffff) + (total >> 16)
            return ~total & 0xffff
        prefix = bytes([3, 4, 64, 0xc0]) + struct.pack("!III", 3600, 3600, 0) + socket.inet_pton(socket.AF_INET6, "2001:db8:bad::")
        made = socket.socket(socket.AF_INET6, socket.SOCK_RAW, 58)
        made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_UNICAST_HOPS, 255)
        made.sendto(bytes([134, 0, 0, 0, 64, 0]) + struct.pack("!HII", 1800, 0, 0) + prefix, ("\(own[1])", 0))
        made = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
        gw, me, far = [socket.inet_aton(a) for a in ("192.0.2.1", "192.0.2.2", "203.0.113.30")]
        inner = struct.pack("!BBHHHBBH", 0x45, 0, 28, 1, 0, 64, 17, 0) + me + far + struct.pack("!HHHH", 1000, 1000, 8, 0)
        icmp = bytes([5, 1, 0, 0]) + socket.inet_aton("192.0.2.99") + inner
        icmp = icmp[:2] + struct.pack("!H", sum16(icmp)) + icmp[4:]
        outer = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(icmp), 1, 0, 64, 1, 0) + gw + socket.inet_aton("\(own[0])")
        made.sendto(outer + icmp, ("\(own[0])", 0))
        """
      let result = try await world.runInNetwork(["/usr/bin/python3", "-c", script])
      #expect(result.end == .exited(0), "\(result.error)")
      let walk = try await world.walk("/checks/4915112345678")
      #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
      #expect(try await world.ways(to: targets) == before)
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }
}
