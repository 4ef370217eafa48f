import HTTPExchange
import HTTPTestSupport
import NIOPosix
import NetworkAddress
import RedirectChain
import Testing
import Web

@testable import BoundHTTP

@Suite("Whose connections are ready, and over what", .serialized, .timeLimit(.minutes(1)))
struct WarmOwnershipTests {
  private static let (root, one, two) = (
    ChainRequest.Owner(userID: 0), ChainRequest.Owner(userID: 1), ChainRequest.Owner(userID: 2)
  )

  /// A world with one server, whose chains are of one hop.
  private struct OneHop {
    let world: TestWorld
    let server: TestServer
    var url: String { "https://a.example:\(server.port)/" }

    static func make(options: ChainClient.Options = ChainClient.Options()) async throws -> OneHop {
      let world = try await TestWorld.make(learnsOrigins: true, options: options)
      return OneHop(world: world, server: try await world.secureServer { _ in TestServer.json("1") })
    }

    func warm(
      _ kind: ChainKind? = TestWorld.kind, owner: ChainRequest.Owner = TestWorld.owner, since: Int64? = nil,
      policy: ChainPolicy = TestWorld.policy()
    ) async throws -> Int? {
      await world.warm(try TestWorld.expected(kind, first: url, owner: owner, since: since, policy: policy))
    }

    /// Whether a chain found a connection ready.
    func isWarm(
      _ kind: ChainKind? = TestWorld.kind, owner: ChainRequest.Owner? = TestWorld.owner, since: Int64? = nil,
      policy: ChainPolicy = TestWorld.policy(), client: ChainClient? = nil
    ) async throws -> Bool {
      let walk = try await world.walk(
        url, policy: policy, owner: owner, kind: kind, bearerSince: since, client: client)
      #expect(walk.answer?.status == 200, "\(walk.result)")
      return walk.hops.first?.isOpenedAhead == true
    }

    func stop() async {
      await server.stop()
      await world.dns.stop()
    }
  }

  @Test("A connection of one user is never another's, root's neither, nor nobody's")
  func users() async throws {
    let hop = try await OneHop.make()
    for kind in [TestWorld.kind, nil] {
      for owner in [Self.root, Self.one] {
        #expect(try await hop.warm(kind, owner: owner) == 1)
        for other in [Self.root, Self.one, Self.two, nil] where other != owner {
          #expect(try await !hop.isWarm(kind, owner: other))
        }
        #expect(try await hop.isWarm(kind, owner: owner))
      }
    }
    await hop.stop()
  }

  @Test("A connection of another SIM or bearer is not used, though interface, index and addresses are the same")
  func bearers() async throws {
    let hop = try await OneHop.make()
    #expect(try await hop.warm(since: 1) == 1)
    #expect(try await !hop.isWarm(since: 2))
    #expect(try await hop.isWarm(since: 1))
    // As the port announces it.
    #expect(try await hop.warm(since: 1) == 1)
    let before = hop.server.connections
    hop.world.client.bearerLost(interface: hop.world.interface.index, "another SIM")
    #expect(hop.world.client.warm.count == 0)
    try await hop.server.closed(before)
    #expect(try await !hop.isWarm(since: 1))
    // Another interface's loss concerns nobody here.
    #expect(try await hop.warm() == 1)
    hop.world.client.bearerLost(interface: hop.world.interface.index + 1, "not this one")
    #expect(try await hop.isWarm())
    await hop.stop()
  }

  @Test("A connection of another interface, or over other servers or addresses, is not used")
  func interfaces() async throws {
    let hop = try await OneHop.make()
    let here = hop.world.interface
    #expect(try await hop.warm() == 1)
    var request = ChainRequest(url: try WebURL(hop.url), policy: TestWorld.policy())
    (request.owner, request.kind) = (TestWorld.owner, TestWorld.kind)
    for (servers, sources) in [([], here.sources), (here.dnsServers, [IPAddress("127.0.0.2")!])] {
      let other = try BoundInterface(
        name: here.name, index: Int(here.index), dnsServers: servers, sources: sources, dnsPort: here.dnsPort)
      #expect(hop.world.client.takeWarm(request, over: other, nil) == nil)
    }
    #expect(try await hop.isWarm())
    await hop.stop()
  }

  @Test("A set is for chains of one policy; the last chain's tells which will come")
  func policies() async throws {
    let hop = try await OneHop.make()
    let others = [
      TestWorld.policy { $0.newestTLS = .tls12 }, TestWorld.policy { $0.family = .ipv4 },
      TestWorld.policy { $0.allowedAddresses = [IPAddress("127.0.0.1")!] },
    ]
    for (number, other) in others.enumerated() {
      let kind = ChainKind("test/\(number)")
      #expect(try await hop.warm(kind) == 1)
      #expect(try await !hop.isWarm(kind, policy: other))
      #expect(try await hop.isWarm(kind))
    }
    for (number, other) in others.prefix(2).enumerated() {
      let kind = ChainKind("test/\(number)")
      #expect(try await !hop.isWarm(kind, policy: other))
      #expect(try await hop.warm(kind) == 1)
      #expect(try await hop.isWarm(kind, policy: other))
    }
    #expect(try await hop.warm(nil, policy: TestWorld.policy { $0.learnsOrigins = false }) == 1)
    #expect(try await !hop.isWarm(nil))
    await hop.stop()
  }

  @Test("A reload closes what was made ready, and the former settings make nothing ready any more")
  func reload() async throws {
    let hop = try await OneHop.make()
    let former = hop.world.client
    #expect(try await hop.warm() == 1)
    let new = try ChainClient(sharing: former, options: former.options)
    #expect(try await !hop.isWarm(client: new))
    let before = hop.server.connections
    former.retire()
    try await hop.server.closed(before)
    #expect(try await hop.warm() == nil)
    #expect(former.warm.count == 0)
    #expect(await hop.world.warm(try TestWorld.expected(), client: new) == 1)
    #expect(try await !hop.isWarm(), "the former client's chain goes on without")
    #expect(try await hop.isWarm(client: new))
    await hop.stop()
  }

  @Test("Where bytes are metered, nothing is made ready")
  func metered() async throws {
    let hop = try await OneHop.make(options: .with { $0.warms = false })
    #expect(try await hop.warm() == nil)
    #expect(try await hop.warm(nil) == nil)
    #expect(hop.server.connections == 0 && hop.world.dns.queries.isEmpty)
    #expect(try await !hop.isWarm())
    await hop.stop()
  }

  @Test("Nothing is opened to a cleartext host that the policy does not allow")
  func cleartext() async throws {
    let world = try await TestWorld.make(learnsOrigins: true)
    let clear = try await TestServer.start { _ in TestServer.json("1") }
    let first = try await world.secureServer { _ in TestServer.redirect("http://c.example:\(clear.port)/") }
    let url = "https://a.example:\(first.port)/"
    #expect(try await world.walk(url, kind: TestWorld.kind).hops.count == 2)
    let policy = TestWorld.policy { $0.cleartextDomains = ["other.example"] }
    #expect(await world.warm(try TestWorld.expected(policy: policy)) == 1)
    #expect(clear.connections == 1)
    for server in [clear, first] { await server.stop() }
    await world.dns.stop()
  }
}
