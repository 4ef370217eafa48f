import HTTPExchange
import HTTPTestSupport
import NetworkAddress
import RedirectChain
import Testing
import Web

@testable import BoundHTTP

@Suite("Chains for which connections were made ready", .serialized, .timeLimit(.minutes(1)))
struct WarmChainTests {
  private typealias SixHops = ChainWalkTests.SixHops
  private static let kind = TestWorld.kind

  private static func servers(_ chain: SixHops) -> [TestServer] { [chain.a, chain.b, chain.c] }

  @Test(
    "Six hops of a kind that went before cost no connection and no name once they are ready, and nothing is asked ahead",
    arguments: [TLSTrust.Version.tls12, .tls13])
  func sixHops(_ version: TLSTrust.Version) async throws {
    let (tallies, before, during) = (Tallies(), Moved(), Moved())
    let chain = try await SixHops.make(
      learnsOrigins: true, newestTLS: version, options: .with { $0.onWarmed = tallies.note },
      // Names that nobody may remember.
      answering: { [TestDNS.reply($0, [IPAddress("127.0.0.1")!], ttl: 0)] }
    ) { _ in TestServer.json("{}") }
    let world = chain.world
    #expect(await world.warm(try TestWorld.expected()) == nil, "nothing is known of this kind, not even its start")
    #expect(try await world.walk(chain.start, kind: Self.kind).hops.count == 6)
    #expect(await world.warm(try TestWorld.expected(), onBytes: before.note) == 3)
    #expect(Self.servers(chain).map(\.connections) == [2, 2, 2])
    #expect(Self.servers(chain).map(\.requests.count) == [2, 2, 2], "nothing was requested")
    let asked = world.dns.queries.count
    let warm = try await world.walk(chain.start, kind: Self.kind, onBytes: during.note)
    #expect(warm.answer?.status == 200 && warm.hops.count == 6)
    #expect(warm.hops.map(\.isOpenedAhead) == [true, true, true, false, false, false])
    #expect(warm.hops.map(\.isReused) == [false, false, false, true, true, true])
    for hop in warm.hops { #expect([hop.times.dns, hop.times.connect, hop.times.tls] == [nil, nil, nil]) }
    #expect(Self.servers(chain).map(\.connections) == [2, 2, 2] && world.dns.queries.count == asked)
    #expect(await tallies.next() == WarmTally(used: 3, unused: 0, failed: 0, unusedBytes: 0))
    // From the chain's begin on, bytes are the chain's.
    #expect(before.connections == 3 && before.bytes > 0 && during.connections == 0 && during.bytes > 0)
    for server in Self.servers(chain) { try await server.closed(2) }
    #expect(try await world.walk(chain.start, kind: Self.kind).hops.first?.isOpenedAhead == false, "a set serves once")
    await chain.stop()
  }

  @Test("What was prepared for a URL serves the next chain from its host, also the first one ever")
  func prepared() async throws {
    let chain = try await SixHops.make(learnsOrigins: true) { _ in TestServer.json("{}") }
    let world = chain.world
    let expected = try TestWorld.expected(nil, first: chain.start)
    #expect(await world.warm(expected) == 1)
    // The same once more makes no connections of its own.
    #expect(await world.warm(expected) == 1 && chain.a.connections == 1)
    #expect(try await world.walk(chain.start).hops.map(\.isOpenedAhead) == [true, false, false, false, false, false])
    #expect(Self.servers(chain).map(\.connections) == [1, 1, 1])
    #expect(await world.warm(expected) == 3)
    // A chain of a kind finds it as well.
    let warm = try await world.walk(chain.start, kind: Self.kind)
    #expect(warm.hops.map(\.isOpenedAhead) == [true, true, true, false, false, false])
    #expect(Self.servers(chain).map(\.connections) == [2, 2, 2])
    await chain.stop()
  }

  @Test("A flow's second warming is for a second chain")
  func twoOfAKind() async throws {
    let chain = try await SixHops.make(learnsOrigins: true) { _ in TestServer.json("{}") }
    let world = chain.world
    #expect(try await world.walk(chain.start, kind: Self.kind).hops.count == 6)
    for _ in 1...2 { #expect(await world.warm(try TestWorld.expected()) == 3) }
    for _ in 1...2 { #expect(try await world.walk(chain.start, kind: Self.kind).hops.first?.isOpenedAhead == true) }
    #expect(Self.servers(chain).map(\.connections) == [3, 3, 3])
    await chain.stop()
  }

  @Test("A connection that the server closed, or on which it spoke, is not used: the chain makes its own")
  func spoiled() async throws {
    for isClosed in [true, false] {
      let tallies = Tallies()
      let world = try await TestWorld.make(options: .with { $0.onWarmed = tallies.note })
      let held = try await HeldServer.start(tls: world.certificates.serverContext(.good))
      let url = "https://a.example:\(held.port)/"
      #expect(await world.warm(try TestWorld.expected(nil, first: url)) == 1)
      if isClosed {
        try await held.closeAll()
      } else {
        try await held.sayToAll("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged")
      }
      let policy = TestWorld.policy { $0.totalTime = .milliseconds(500) }
      let walk = try await world.walk(url, policy: policy)
      // This server answers nobody. What counts is that the chain asked on a new connection.
      #expect(walk.cause == .timeout && held.count == 2 && walk.hops.last?.isOpenedAhead == false, "\(walk.result)")
      #expect(await tallies.next()?.used == 0)
      await held.stop()
      await world.dns.stop()
    }
  }

  @Test("A chain that is cancelled takes its set along")
  func cancelled() async throws {
    let tallies = Tallies()
    let world = try await TestWorld.make(options: .with { $0.onWarmed = tallies.note })
    let held = try await HeldServer.start(tls: world.certificates.serverContext(.good))
    let url = "https://a.example:\(held.port)/"
    #expect(await world.warm(try TestWorld.expected(nil, first: url)) == 1)
    let walk = Task { try await world.walk(url) }
    walk.cancel()
    #expect(try await walk.value.cause == .cancelled)
    let tally = await tallies.next()
    #expect((tally?.used ?? 0) + (tally?.unused ?? 0) == 1 && world.client.warm.count == 0)
    await held.stop()
    await world.dns.stop()
  }
}
