import BoundHTTP
import DNSWire
import HTTPExchange
import HTTPTestSupport
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NetworkAddress
import RedirectChain
import Testing
import Web

/// Chains over a bearer of one family or two, between two network namespaces.
@Suite(
  "Families of the bearer",
  .enabled(if: TestNamespace.isAvailable, "needs root, ip and veth devices in a network namespace"), .serialized,
  .timeLimit(.minutes(2)))
struct FamilyTests {
  static let v4 = TestNetwork.sources.v4
  static let v6 = TestNetwork.sources.v6
  /// Addresses of which the operator's side has none: who connects to one waits.
  static let dead = ["2001:db8:1::dead", "198.51.100.250"]

  /// Servers on the usual ports that answer by host and target, a DNS server, and a client.
  struct World: Sendable {
    let network: TestNetwork
    let dns: TestDNS
    let servers: [TestServer]
    let client: ChainClient

    static func make(
      timing: DNSTiming = .patient, connecting: ConnectionTiming = .patient, names: @escaping TestDNS.Answering,
      _ answering: @escaping TestServer.Answering
    ) async throws -> World {
      let certificates = try TestCertificates.shared.get()
      let network = try await TestNetwork.make()
      let group = network.operatorSide.group
      let servers = [
        try await TestServer.start(on: "::", port: 80, group: group, answering),
        try await TestServer.start(
          on: "::", port: 443, tls: certificates.serverContext(.good), group: group, answering),
      ]
      let dns = try await TestDNS.start(on: TestNetwork.dnsServer, port: 53, group: group, names)
      var options = ChainClient.Options()
      options.trust = TLSTrust(extraRootsFile: certificates.rootFile, usesSystemRoots: false)
      options.learnsOrigins = false
      options.dns = timing
      options.connecting = connecting
      let client = ChainClient(
        group: network.device.group, options: options, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      return World(network: network, dns: dns, servers: servers, client: client)
    }

    func walk(
      _ url: String, from sources: [String], keepingTo family: ChainHop.Family? = nil
    ) async throws -> TestWorld.Walk {
      let hops = NIOLockedValueBox<[ChainHop]>([])
      var request = ChainRequest(url: try WebURL(url))
      request.policy.family = family
      request.owner = TestWorld.owner
      let result = await client.run(request, over: try network.bearer(sources)) { hop in
        hops.withLockedValue { $0.append(hop) }
      }
      return TestWorld.Walk(result: result, hops: hops.withLockedValue { $0 })
    }

    func stop() async {
      for server in servers { await server.stop() }
      await dns.stop()
      await network.stop()
    }
  }

  static let toB: TestServer.Answering = { request in
    request.field("host") == "a.example" ? TestServer.redirect("http://b.example/") : TestServer.json("{}")
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let sources: [String]
    let names: [String: [String]]
    let families: [ChainHop.Family]
    var testDescription: String { name }
    /// Whether an address has to be given up for the next one.
    var hasDead: Bool { names.values.contains { $0.contains { dead.contains($0) } } }

    static let all: [Case] = [
      .init(
        name: "both families: IPv6 first, and to the end", sources: [v4, v6],
        names: ["a.example": ["198.51.100.1", "2001:db8:1::1"], "b.example": ["198.51.100.2", "2001:db8:1::2"]],
        families: [.ipv6, .ipv6]),
      .init(
        name: "IPv6 that leads nowhere gives way to IPv4, and stays away", sources: [v4, v6],
        names: ["a.example": ["198.51.100.1", dead[0]], "b.example": ["198.51.100.2", "2001:db8:1::2"]],
        families: [.ipv4, .ipv4]),
      .init(
        name: "IPv4 that leads nowhere is not reached by IPv6 later", sources: [v4, v6],
        names: ["a.example": [dead[1], "198.51.100.1"], "b.example": ["2001:db8:1::2", "198.51.100.2"]],
        families: [.ipv4, .ipv4]),
      .init(
        name: "a later host without the chain's family is reached by the other", sources: [v4, v6],
        names: ["a.example": ["2001:db8:1::1"], "b.example": ["198.51.100.2"]], families: [.ipv6, .ipv4]),
      .init(
        name: "a later host whose address of the chain's family leads nowhere is reached by the other",
        sources: [v4, v6],
        names: ["a.example": ["2001:db8:1::1"], "b.example": [dead[0], "198.51.100.2"]], families: [.ipv6, .ipv4]),
      .init(
        name: "a bearer with IPv4 alone", sources: [v4],
        names: ["a.example": ["198.51.100.1", "2001:db8:1::1"], "b.example": ["198.51.100.2", "2001:db8:1::2"]],
        families: [.ipv4, .ipv4]),
      .init(
        name: "a bearer with IPv6 alone", sources: [v6],
        names: ["a.example": ["198.51.100.1", "2001:db8:1::1"], "b.example": ["198.51.100.2", "2001:db8:1::2"]],
        families: [.ipv6, .ipv6]),
    ]
  }

  @Test("The first connection decides the family, the rest of the chain stays in it", arguments: Case.all)
  func family(_ test: Case) async throws {
    let world = try await World.make(
      connecting: test.hasDead ? ConnectionTiming() : .patient, names: TestDNS.table(test.names), Self.toB)
    let walk = try await world.walk("https://a.example/", from: test.sources)
    #expect(walk.answer?.status == 200, "\(walk.result)")
    #expect(walk.hops.map(\.family) == test.families)
    #expect(walk.hops.map(\.source) == test.families.map { $0 == .ipv4 ? Self.v4 : Self.v6 })
    await world.stop()
  }

  @Test(
    "On a bearer without IPv4 an address of it is reached through the translator that ipv4only.arpa tells",
    arguments: [
      ("64:ff9b::c000:aa", "64:ff9b::c633:6402"), ("2001:db8:aa:bb:c0:0:aa00:0", "2001:db8:aa:bb:c6:3364:200:0"),
    ])
  func translator(told: String, translated: String) async throws {
    let names = TestDNS.table(["a.example": ["2001:db8:1::1"], "ipv4only.arpa": [told]])
    let world = try await World.make(names: names) { request in
      request.field("host") == "a.example" ? TestServer.redirect("http://198.51.100.2/he") : TestServer.json("{}")
    }
    // What the translator does is done by the operator's namespace: it owns the address.
    #expect(try await world.network.operatorSide.run("ip address add \(translated)/128 dev lo nodad") == 0)
    let walk = try await world.walk("https://a.example/", from: [Self.v6])
    #expect(walk.answer?.status == 200, "\(walk.result)")
    try #require(walk.hops.count == 2)
    #expect(walk.hops[1].address == translated && walk.hops[1].addresses == ["198.51.100.2"])
    // The host keeps its name for the server: the address as it was given.
    #expect(world.servers[0].requests.first?.field("host") == "198.51.100.2")
    #expect(Set(world.dns.queries.map(\.type)) == [.aaaa])
    let again = try await world.walk("https://a.example/", from: [Self.v6])
    #expect(again.answer?.status == 200 && world.dns.queries.count { $0.name == "ipv4only.arpa" } == 1)
    await world.stop()
  }

  @Test(
    "An AAAA that a server refuses or fails to answer does not hold A up",
    arguments: [DNSMessage.ResponseCode.refused, .serverFailure, .notImplemented, .formatError])
  func refusedAAAA(_ code: DNSMessage.ResponseCode) async throws {
    // With waits this long the chain would run into its time if it waited for any of them.
    var timing = DNSTiming()
    timing.attempt = .seconds(100)
    timing.otherFamily = .seconds(100)
    timing.total = .seconds(200)
    let world = try await World.make(timing: timing) { query in
      query.type == .aaaa ? [TestDNS.failure(query, code)] : [TestDNS.reply(query, [IPAddress("198.51.100.1")!])]
    } _: { _ in
      TestServer.json("{}")
    }
    let walk = try await world.walk("https://a.example/", from: [Self.v4, Self.v6])
    #expect(walk.answer?.status == 200, "\(walk.result)")
    #expect(world.dns.queries.count == 2)
    await world.stop()
  }

  @Test("Segments are no larger than the bearer's MTU", arguments: [1280, 1400])
  func segments(mtu: Int) async throws {
    let world = try await World.make(names: TestDNS.table(["a.example": ["198.51.100.1"]])) { _ in TestServer.json("{}")
    }
    #expect(try await world.network.device.run("ip link set wwan0 mtu \(mtu)") == 0)
    let sizes = NIOLockedValueBox<[Int]>([])
    let group = world.network.operatorSide.group
    let server = try await group.next().flatSubmit {
      ServerBootstrap(group: group)
        .childChannelInitializer { channel in
          guard let provider = channel as? any SocketOptionProvider else { return channel.close() }
          // TCP_MAXSEG: what the client's SYN asked for, less what options take.
          return provider.unsafeGetSocketOption(level: .tcp, name: .init(rawValue: 2)).flatMap { (size: CInt) in
            sizes.withLockedValue { $0.append(Int(size)) }
            return channel.close()
          }
        }
        .bind(host: "::", port: 8443)
    }.get()
    _ = try await world.walk("https://a.example:8443/", from: [Self.v4])
    let size = try #require(sizes.withLockedValue { $0.first })
    #expect(size <= mtu - 40 && size > mtu - 80)
    try await server.close()
    await world.stop()
  }

  @Test("TCP after truncation, and several servers, over the bearer")
  func servers() async throws {
    let world = try await World.make { query in
      guard !query.isTCP else { return [TestDNS.reply(query, [IPAddress("198.51.100.1")!])] }
      var message = query.message.response()
      message.isTruncated = true
      return [.init(bytes: TestDNS.encode(message))]
    } _: { _ in
      TestServer.json("{}")
    }
    let bearer = try BoundInterface(
      name: "wwan0", index: world.network.index,
      // The first refuses by ICMP, for nobody listens there.
      dnsServers: [IPAddress("198.51.100.5")!, IPAddress(TestNetwork.dnsServer)!], sources: [IPAddress(Self.v4)!])
    let result = await world.client.run(ChainRequest(url: try WebURL("https://a.example/")), over: bearer)
    guard case .answer(let answer) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(answer.status == 200)
    #expect(world.dns.queries.map(\.isTCP) == [false, true])
    await world.stop()
  }
}
