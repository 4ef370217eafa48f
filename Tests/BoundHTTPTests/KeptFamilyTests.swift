import DNSWire
import HTTPTestSupport
import NetworkAddress
import RedirectChain
import HTTPTestSupport
import Testing

extension FamilyTests {
  /// A chain that must keep to one family, and how it ends.
  struct Kept: Sendable, CustomTestStringConvertible {
    let name: String
    var sources = [v4, v6]
    let family: ChainHop.Family
    let names: [String: [String]]
    /// Families of the hops that were connected.
    var hops: [ChainHop.Family] = []
    var cause: ChainFailure.Cause?
    var testDescription: String { name }

    static let both = [
      "a.example": ["198.51.100.1", "2001:db8:1::1"], "b.example": ["198.51.100.2", "2001:db8:1::2"],
    ]

    static let all: [Kept] = [
      .init(name: "IPv4 although IPv6 would win", family: .ipv4, names: both, hops: [.ipv4, .ipv4]),
      .init(name: "IPv6 where both are there", family: .ipv6, names: both, hops: [.ipv6, .ipv6]),
      .init(
        name: "IPv6 that leads nowhere does not give way to IPv4", family: .ipv6,
        names: ["a.example": ["198.51.100.1", "2001:db8:2::1"]], cause: .connectFailed),
      .init(
        name: "a later host without the family ends the chain", family: .ipv6,
        names: ["a.example": ["2001:db8:1::1"], "b.example": ["198.51.100.2"]], hops: [.ipv6], cause: .dnsFailed),
      .init(
        name: "a first host without the family", family: .ipv4, names: ["a.example": ["2001:db8:1::1"]],
        cause: .dnsFailed),
      .init(name: "a bearer without IPv6", sources: [v4], family: .ipv6, names: both, cause: .noAddress),
      .init(name: "a bearer without IPv4", sources: [v6], family: .ipv4, names: both, cause: .noAddress),
    ]
  }

  @Test("A chain that must keep to a family asks for it alone, connects by it alone, or ends", arguments: Kept.all)
  func keptFamily(_ test: Kept) async throws {
    let world = try await World.make(names: TestDNS.table(test.names), Self.toB)
    // Refused at once by the operator's side, for it is nowhere.
    try await world.network.operatorSide.run("ip -6 route add unreachable 2001:db8:2::/64")
    let walk = try await world.walk("https://a.example/", from: test.sources, keepingTo: test.family)
    #expect(walk.cause == test.cause, "\(walk.result)")
    #expect(walk.hops.compactMap(\.status).count == test.hops.count)
    #expect(walk.hops.filter { $0.status != nil }.map(\.family) == test.hops)
    #expect(Set(world.dns.queries.map(\.type)).subtracting([test.family == .ipv4 ? .a : .aaaa]).isEmpty)
    await world.stop()
  }

  @Test("An address of the other family in a redirect ends the chain and says which family it kept to")
  func keptFamilyLiteral() async throws {
    let world = try await World.make(names: TestDNS.table(["a.example": ["2001:db8:1::1"]])) { request in
      request.field("host") == "a.example" ? TestServer.redirect("http://198.51.100.2/he") : TestServer.json("{}")
    }
    let walk = try await world.walk("https://a.example/", from: [Self.v4, Self.v6], keepingTo: .ipv6)
    #expect(walk.cause == .connectFailed && walk.text.contains("must keep to"), "\(walk.result)")
    #expect(world.servers[0].requests.isEmpty)
    await world.stop()
  }

  @Test("What was looked up for one family is not taken for the other's answer")
  func keptFamilyMemory() async throws {
    let world = try await World.make(names: TestDNS.table(Kept.both), Self.toB)
    for family in [ChainHop.Family.ipv4, .ipv6, .ipv4] {
      let walk = try await world.walk("https://a.example/", from: [Self.v4, Self.v6], keepingTo: family)
      #expect(walk.hops.map(\.family) == [family, family], "\(walk.result)")
    }
    let free = try await world.walk("https://a.example/", from: [Self.v4, Self.v6])
    #expect(free.hops.map(\.family) == [.ipv6, .ipv6])
    await world.stop()
  }
}
