import Glibc
import ModemModel
import Testing

@testable import ScenarioRunner

/// The world by itself, without the daemons.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct BearerlessWorldTests {
  @Test func `what goes out unbound is answered as leaked and counted`() async throws {
    try await Worlds.with(startsDaemons: false) { world in
      #expect(world.leaks.packets == 0)
      let url = "https://check.aggregator.example/checks/4915112345678"
      let result = try await world.run(["curl", "-sS", "-m", "30", "--cacert", world.folder.authority, url])
      #expect(result.end == .exited(0), "\(result.error)")
      #expect(result.output == #"{"leaked":true}"#)
      let leaks = world.leaks
      // DNS for both families, and a TCP connection with TLS.
      #expect(leaks.packets >= 8)
      #expect(leaks.first.contains { $0.protocolNumber == 17 && $0.destinationPort == 53 })
      #expect(leaks.first.contains { $0.protocolNumber == 6 && $0.destinationPort == 443 })
    }
  }

  @Test func `without a session the operator is out of reach`() async throws {
    try await Worlds.with(startsDaemons: false) { world in
      try await setBearerByHand(world)
      let silent = try await world.run(curl(world, "-m", "4"))
      #expect(silent.end == .exited(28), "\(silent.output) \(silent.error)")
      #expect(world.gate.count.passed == 0)
      #expect(world.gate.count.dropped > 0)

      world.gate.open(for: world.scenario.network.addresses)
      let answered = try await world.run(curl(world, "-m", "20"))
      #expect(answered.end == .exited(0), "\(answered.error)")
      #expect(answered.output.contains(#""match":true"#))
      // Redirects, then connections: the cleartext host and both others are used twice over one
      // connection each.
      #expect(answered.output.hasSuffix(" 5 3"))
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test func `an address that the session was not given does not pass`() async throws {
    try await Worlds.with(startsDaemons: false) { world in
      try await setBearerByHand(world, address: "10.64.0.77/24")
      world.gate.open(for: world.scenario.network.addresses)
      let result = try await world.run(curl(world, "-m", "4"))
      #expect(result.end == .exited(28))
      #expect(world.gate.count.passed == 0)
    }
  }

  @Test func `programs see the world's devices and name servers, not the machine's`() async throws {
    try await Worlds.with(startsDaemons: false) { world in
      let devices = try await world.run(["ls", "/sys/class/net"])
      #expect(devices.output.split(separator: "\n").sorted() == ["lan0", "lo", "wwan0"])
      guard access("/etc/resolv.conf", F_OK) == 0 else { return }
      let servers = try await world.run(["cat", "/etc/resolv.conf"])
      #expect(servers.output == "nameserver 198.51.100.53\nnameserver 2001:db8:53::53\n")
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `the modem's port stays at its path when it is plugged in again`(kind: ModemProtocol) async throws {
    try await Worlds.with(kind: kind, startsDaemons: false) { world in
      #expect(access(world.devicePath, F_OK) == 0)
      _ = try await world.perform("unplug")
      #expect(access(world.devicePath, F_OK) != 0)
      _ = try await world.perform("plug-in")
      #expect(access(world.devicePath, F_OK) == 0)
    }
  }

  @Test func `the control socket answers, and says which verbs it knows`() async throws {
    try await Worlds.with(startsDaemons: false) { world in
      #expect(try ControlClient.ask("leaks", at: world.folder.control) == .init(isSuccess: true, text: "0"))
      let unknown = try ControlClient.ask("dance", at: world.folder.control)
      #expect(!unknown.isSuccess)
      #expect(unknown.text.contains("drop-bearer [CAUSE]"))
      #expect(try !ControlClient.ask("kill", at: world.folder.control).isSuccess)
    }
  }

  private func setBearerByHand(_ world: World, address: String = "10.64.0.2/24") async throws {
    let script = """
      ip link set wwan0 up && ip addr add \(address) dev wwan0 && ip route add default dev wwan0 table 100 &&
      ip rule add oif wwan0 lookup 100 && ip rule add from 10.64.0.2 lookup 100
      """
    let result = try await world.run(["sh", "-c", script])
    #expect(result.end == .exited(0), "\(result.error)")
  }

  /// The six-hop check by curl, bound to the bearer. Names are given, as curl would ask the host's
  /// resolver.
  private func curl(_ world: World, _ more: String...) -> [String] {
    let chain = world.scenario.chain
    let names = [(chain.aggregator, 443), (chain.signOn, 443), (chain.enrichment, 80)].flatMap { host, port in
      ["--resolve", "\(host.name):\(port):\(host.addresses[0])"]
    }
    return ["curl", "-sS", "--interface", "wwan0", "-L", "-b", "", "--cacert", world.folder.authority]
      + names + ["-w", " %{num_redirects} %{num_connects}"] + more
      + ["https://\(chain.aggregator.name)/checks/4915112345678"]
  }
}
