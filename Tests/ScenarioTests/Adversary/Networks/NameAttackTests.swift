import HTTPTestSupport
import ModemAPI
import Testing

/// Names, addresses and literals by which the network behind the bearer wants to reach the machine
/// itself.
@Suite(
  "Names that lead astray", .serialized, .timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason),
  .world())
struct NameAttackTests {
  /// A chain to each of some names, which have these addresses; none may reach the machine.
  private func lead(to addresses: [String], _ network: HostileNetwork) async throws {
    let victim = try await network.victim()
    let names = addresses.enumerated().map { ("n\($0).evil.example", $1) }
    try await network.say(names)
    for (location, walk) in try await network.follow(names.map { "http://\($0.0):\(victim.port)/" }) {
      let address = names.first { location.contains($0.0) }?.1 ?? "?"
      #expect(walk.cause == .refusedByPolicy && walk.outcome?.failure?.hop == 2, "\(address): \(walk.words)")
      #expect(walk.hops.last?.addresses == [], "\(address)")
    }
    #expect(victim.connections == 0)
    await victim.stop()
  }

  @Test("Names that are loopback's, a link's or the machine's own addresses", .attack(by: .network, .held))
  func ownNames() async throws {
    try await HostileNetwork.attack { network in
      try await lead(
        to: [
          "127.0.0.1", "::1", "0.0.0.0", "169.254.169.254", "192.0.2.2", "2001:db8:ffff::2", "10.64.0.2",
          "2001:db8:64::2", "::ffff:127.0.0.1", "64:ff9b::7f00:1",
        ], network)
    }
  }

  @Test("Names whose addresses stand for the machine's own ones", .attack(by: .network, .broke))
  func disguisedNames() async throws {
    try await HostileNetwork.attack { network in
      try await lead(
        to: [
          "64:ff9b::192.0.2.2", "64:ff9b::10.64.0.2", "64:ff9b:1::7f00:1", "2002:7f00:1::1", "2002:c000:202::1",
          "2001:0:c000:201::80ff:fffe", "2001:db8:e::5efe:127.0.0.1",
        ], network)
    }
  }

  @Test("A name that gets the machine's address between two hops of a chain", .attack(by: .network, .held))
  func rebinding() async throws {
    try await HostileNetwork.attack { network in
      let victim = try await network.victim()
      let name = "rebound.evil.example"
      try await network.say([(name, "198.51.100.20,2001:db8:b::20")])
      let world = network.world
      let second = try await network.server(nil) { _ in
        TestServer.redirect("http://\(name):\(victim.port)/")
      }
      let first = try await network.server { _ in TestServer.redirect("http://\(name):\(second.port)/") }
      var walk = Walk()
      let stream = try await world.client().stream(
        CheckInterface.Open.self,
        .init(url: "https://\(HostileNetwork.host):\(first.port)/", timeoutMilliseconds: 20_000))
      for try await reply in stream {
        if let hop = reply.hop {
          walk.hops.append(hop)
          if hop.index == 1 { try await network.say([(name, "127.0.0.1,::1")]) }
        }
        if let outcome = reply.outcome { walk.outcome = outcome }
      }
      #expect(walk.outcome?.result == .failed && walk.hops.count >= 2, "\(walk.words)")
      // And when it is asked anew.
      try await network.renew()
      let again = try await network.open(first.port)
      #expect(again.cause == .refusedByPolicy && again.outcome?.failure?.hop == 2, "\(again.words)")
      #expect(victim.connections == 0)
      for server in [first, second, victim] { await server.stop() }
    }
  }

  @Test("Redirects to the machine's addresses in odd forms", .attack(by: .network, .held))
  func oddLiterals() async throws {
    try await HostileNetwork.attack { network in
      let victim = try await network.victim()
      let odd = [
        "2130706433", "017700000001", "0x7f000001", "0x7f.1", "127.1", "0177.0.0.1", "127.0.0.0x1", "%31%32%37.0.0.1",
        "[fe80::1%25wwan0]", "[::127.0.0.1%lo]", "127.0.0.1@198.51.100.10", "[v1.fe80]", "127.0.0.1.",
        "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]", "0", "[::]",
      ]
      for (location, walk) in try await network.follow(odd.map { "http://\($0):\(victim.port)/" }) {
        let isRefused = walk.cause == .badRedirect || walk.cause == .refusedByPolicy
        #expect(isRefused, "\(location): \(walk.words)")
      }
      #expect(victim.connections == 0)
      await victim.stop()
    }
  }

  @Test("Redirects to the bearer's own address, in both families and mapped", .attack(by: .network, .held))
  func bearersOwn() async throws {
    try await HostileNetwork.attack { network in
      let victim = try await network.victim()
      let own = ["10.64.0.2", "[2001:db8:64::2]", "[::ffff:10.64.0.2]", "192.0.2.2", "[2001:db8:ffff::2]"]
      for scheme in ["http", "https"] {
        for (location, walk) in try await network.follow(own.map { "\(scheme)://\($0):\(victim.port)/" }) {
          #expect(walk.cause == .refusedByPolicy, "\(location): \(walk.words)")
        }
      }
      #expect(victim.connections == 0)
      await victim.stop()
    }
  }
}
