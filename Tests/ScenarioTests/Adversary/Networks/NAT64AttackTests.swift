import HTTPTestSupport
import ModemAPI
import Testing

/// What `ipv4only.arpa` can be made to say on a bearer of IPv6 alone. Nobody signs it (RFC 7050,
/// 3).
@Suite(
  "A translator that is none", .serialized, .timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason),
  .world(
    #"""
    {"network": {"ipType": "ipv6", "ipv6": {"address": "2001:db8:64::c633:6417/64", "gateway": "2001:db8:64::1"}}}
    """#))
struct NAT64AttackTests {
  private static let name = "ipv4only.arpa"

  @Test("A prefix under which a literal becomes the bearer's own address", .attack(by: .network, .broke))
  func prefixOfOwn() async throws {
    try await HostileNetwork.attack { network in
      let victim = try await network.victim()
      try await network.say([(Self.name, "2001:db8:64::c000:aa")])
      // 198.51.100.23 is c633:6417.
      let walks = try await network.follow(["http://198.51.100.23:\(victim.port)/"])
      #expect(walks[0].walk.cause == .connectFailed, "\(walks[0].walk.words)")
      #expect(victim.connections == 0)
      await victim.stop()
    }
  }

  @Test("Prefixes of mapped, link-local, multicast and tunnelled addresses", .attack(by: .network, .broke))
  func impossiblePrefixes() async throws {
    try await HostileNetwork.attack { network in
      let victim = try await network.victim()
      for told in ["::ffff:c000:aa", "::c000:aa", "fe80::c000:aa", "ff0e::c000:aa", "2002:c000:aa::"] {
        try await network.renew()
        try await network.say([(Self.name, told)])
        let walk = try await network.follow(["http://203.0.113.77:\(victim.port)/"])[0].walk
        #expect(walk.cause == .connectFailed && walk.words.contains("IPv4 addresses only"), "\(told): \(walk.words)")
      }
      #expect(victim.connections == 0)
      await victim.stop()
    }
  }

  @Test("A certificate for the address that the network makes of a literal", .attack(by: .network, .broke))
  func certificateOfTranslated() async throws {
    try await HostileNetwork.attack { network in
      // 198.51.100.10 is c633:640a.
      let translated = "64:ff9b::c633:640a"
      try network.issue(for: translated)
      try network.issue(for: "198.51.100.10")
      try await network.own(translated)
      try await network.say([(Self.name, "64:ff9b::c000:aa")])
      let forged = try await network.server(translated) { _ in TestServer.json(#"{"verified":true}"#) }
      let walk = try await network.follow(["https://198.51.100.10:\(forged.port)/"])[0].walk
      #expect(walk.cause == .tlsFailed, "\(walk.words)")
      #expect(forged.requests.isEmpty)
      // Whoever is what the URL names is believed.
      let genuine = try await network.server("198.51.100.10") { _ in TestServer.json("{}") }
      let other = try await network.follow(["https://198.51.100.10:\(genuine.port)/"])[0].walk
      #expect(other.outcome?.answer?.status == 200, "\(other.words)")
      for server in [forged, genuine] { await server.stop() }
    }
  }

  @Test("Literals of the machine's own networks, sent through the translator", .attack(by: .network, .held))
  func ownLiterals() async throws {
    try await HostileNetwork.attack { network in
      let victim = try await network.victim()
      try await network.say([(Self.name, "64:ff9b::c000:aa")])
      let own = ["192.0.2.2", "127.0.0.1", "[2001:db8:64::c633:6417]", "[2001:db8:ffff::2]"]
      for (location, walk) in try await network.follow(own.map { "http://\($0):\(victim.port)/" }) {
        #expect(walk.cause == .refusedByPolicy, "\(location): \(walk.words)")
      }
      #expect(victim.connections == 0)
      await victim.stop()
    }
  }
}
