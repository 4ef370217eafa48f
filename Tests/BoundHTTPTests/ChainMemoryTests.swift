import HTTPExchange
import HTTPTestSupport
import NetworkAddress
import RedirectChain
import Testing
import Web

@testable import BoundHTTP

@Suite("What chains remember, for each owner apart", .timeLimit(.minutes(1))) struct ChainMemoryTests {
  private static let (root, one, two) = (
    ChainRequest.Owner(userID: 0), ChainRequest.Owner(userID: 1), ChainRequest.Owner(userID: 2)
  )

  @Test("One owner's names and origins are not used for another's chains, nor told in preparations")
  func apart() async throws {
    let world = try await TestWorld.make(learnsOrigins: true) { query in
      [TestDNS.reply(query, [IPAddress("127.0.0.1")!], ttl: 60)]
    }
    let second = try await world.secureServer { _ in TestServer.json("1") }
    let first = try await world.secureServer { _ in TestServer.redirect("https://b.example:\(second.port)/") }
    let url = "https://a.example:\(first.port)/"
    func hosts(_ owner: ChainRequest.Owner?) throws -> [String] {
      world.client.likelyHosts(from: try WebURL(url), learns: nil, for: owner, over: world.interface)
    }
    #expect(try await world.walk(url, owner: Self.one).answer?.status == 200)
    #expect(try hosts(Self.one) == ["a.example", "b.example"])
    for other in [Self.two, Self.root, nil] { #expect(try hosts(other) == ["a.example"]) }
    let asked = world.dns.queries.count
    #expect(try await world.walk(url, owner: Self.one).answer?.status == 200)
    #expect(world.dns.queries.count == asked)
    #expect(try await world.walk(url, owner: Self.two).answer?.status == 200)
    #expect(world.dns.queries.count == 2 * asked)
    // Nobody's chain neither uses what is there nor leaves anything.
    for times in 3...4 {
      #expect(try await world.walk(url, owner: nil).answer?.status == 200)
      #expect(world.dns.queries.count == times * asked)
    }
    world.client.bearerLost(interface: world.interface.index, "gone")
    for owner in [Self.one, Self.two] { #expect(try hosts(owner) == ["a.example"]) }
    for server in [first, second] { await server.stop() }
    await world.dns.stop()
  }

  @Test("There are so many memories, and root's is never taken")
  func bounded() {
    let memories = ChainMemories()
    let (roots, first) = (memories.memory(of: Self.root), memories.memory(of: Self.one))
    #expect(memories.memory(of: Self.one) === first && memories.memory(of: Self.two) !== first)
    for user in 10..<UInt32(10 + ChainMemories.maximumOwners) {
      _ = memories.memory(of: ChainRequest.Owner(userID: user))
    }
    #expect(memories.memory(of: Self.root) === roots)
    #expect(memories.memory(of: Self.one) !== first)
    #expect(memories.memory(of: nil) !== memories.memory(of: nil))
  }
}
