import HTTPTestSupport
import NIOCore
import NetworkAddress
import RedirectChain
import Testing
import Web

@testable import BoundHTTP

@Suite("How much is made ready, and for how long", .serialized, .timeLimit(.minutes(1)))
struct WarmLimitTests {
  private static let (root, one, two, three) = (
    ChainRequest.Owner(userID: 0), ChainRequest.Owner(userID: 1), ChainRequest.Owner(userID: 2),
    ChainRequest.Owner(userID: 3)
  )

  @Test("What no chain uses closes after its time, and is counted apart")
  func time() async throws {
    let (tallies, moved) = (Tallies(), Moved())
    let world = try await TestWorld.make(
      options: .with { options in
        options.onWarmed = tallies.note
        (options.warmLimits.flowTime, options.warmLimits.preparedTime) = (.milliseconds(300), .milliseconds(400))
      })
    let server = try await world.secureServer { _ in TestServer.json("1") }
    let url = "https://a.example:\(server.port)/"
    for kind in [TestWorld.kind, nil] {
      #expect(await world.warm(try TestWorld.expected(kind, first: url), onBytes: moved.note) == 1)
    }
    #expect(world.client.warm.count == 2)
    try await server.closed(2)
    let both = [await tallies.next(), await tallies.next()].compactMap(\.self)
    #expect(both.map(\.unused) == [1, 1] && both.map(\.used) == [0, 0] && both.map(\.failed) == [0, 0])
    #expect(both.map(\.unusedBytes).reduce(0, +) > 2000 && both.map(\.unusedBytes).reduce(0, +) <= moved.bytes)
    #expect(world.client.warm.count == 0 && server.requests.isEmpty)
    #expect(try await world.walk(url).hops.first?.isOpenedAhead == false)
    await server.stop()
    await world.dns.stop()
  }

  @Test("A set that nobody takes is gone from memory when it has closed")
  func memory() async throws {
    let world = try await TestWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("1") }
    #expect(await world.warm(try TestWorld.expected(first: "https://a.example:\(server.port)/")) == 1)
    weak var connections: ConnectionsAhead?
    do {
      let set = try #require(world.client.warm.removeAll(over: world.interface.index).first)
      connections = set.connections
      world.client.close(set)
    }
    try await server.closed(1)
    while connections != nil { try await Task.sleep(for: .milliseconds(1)) }
    await server.stop()
    await world.dns.stop()
  }

  @Test("A caller that prepares in a loop spends its allowance and no more, and others have theirs")
  func loop() async throws {
    let (tallies, limit) = (Tallies(), 20_000)
    let world = try await TestWorld.make(
      options: .with { options in
        options.onWarmed = tallies.note
        options.warmLimits.unusedBytes = limit
        options.warmLimits.preparedTime = .milliseconds(20)
      })
    let server = try await world.secureServer { _ in TestServer.json("1") }
    let url = "https://a.example:\(server.port)/"
    var (spent, most, rounds) = (0, 0, 0)
    while rounds < 100, await world.warm(try TestWorld.expected(nil, first: url, owner: Self.one)) != nil {
      guard let tally = await tallies.next() else { break }
      (spent, most, rounds) = (spent + tally.unusedBytes, max(most, tally.unusedBytes), rounds + 1)
    }
    #expect(rounds > 1 && rounds < 100 && spent >= limit && spent < limit + most, "\(rounds) rounds, \(spent) bytes")
    #expect(await world.warm(try TestWorld.expected(nil, first: url, owner: Self.one)) == nil)
    #expect(await world.warm(try TestWorld.expected(first: url, owner: Self.one)) == nil)
    #expect(await world.warm(try TestWorld.expected(nil, first: url, owner: Self.two)) != nil)
    await server.stop()
    await world.dns.stop()
  }

  @Test("A set that moves too much closes at once")
  func bytes() async throws {
    let tallies = Tallies()
    let world = try await TestWorld.make(
      options: .with { options in
        options.onWarmed = tallies.note
        options.warmLimits.bytesPerSet = 600
      })
    let server = try await world.secureServer { _ in TestServer.json("1") }
    let url = "https://a.example:\(server.port)/"
    #expect(await world.warm(try TestWorld.expected(first: url)) == 0)
    #expect(await tallies.next()?.used == 0 && world.client.warm.count == 0)
    #expect(try await world.walk(url, kind: TestWorld.kind).answer?.status == 200)
    await server.stop()
    await world.dns.stop()
  }

  @Test("Each owner has so many sets, and who has most gives one up; root neither takes nor loses")
  func sets() async throws {
    let world = try await TestWorld.make(
      options: .with { options in
        (options.warmLimits.setsPerBearer, options.warmLimits.setsPerOwner) = (2, 2)
        (options.warmLimits.sets, options.warmLimits.setsOfRoot) = (3, 1)
      })
    let server = try await world.secureServer { _ in TestServer.json("1") }
    let url = "https://a.example:\(server.port)/"
    func warm(_ name: String, _ owner: ChainRequest.Owner) async throws -> Int? {
      await world.warm(try TestWorld.expected(ChainKind(name), first: url, owner: owner))
    }
    func isThere(_ name: String, _ owner: ChainRequest.Owner) throws -> Bool {
      var request = ChainRequest(url: try WebURL(url), policy: TestWorld.policy())
      (request.owner, request.kind) = (owner, ChainKind(name))
      guard let set = world.client.takeWarm(request, over: world.interface, nil) else { return false }
      world.client.close(set)
      return true
    }
    for name in ["a", "b"] { #expect(try await warm(name, Self.one) == 1) }
    // Its own oldest makes room.
    #expect(try await warm("c", Self.one) == 1)
    // One of the same kind is no gain.
    #expect(try await warm("b", Self.one) == nil)
    #expect(try await warm("a", Self.two) == 1)
    #expect(try await warm("a", Self.root) == 1)
    #expect(world.client.warm.count == 4)
    // The owner of two loses one, not the owner of one.
    #expect(try await warm("a", Self.three) == 1)
    #expect(world.client.warm.count == 4)
    #expect(try !isThere("a", Self.one) && !isThere("b", Self.one))
    for (name, owner) in [("c", Self.one), ("a", Self.two), ("a", Self.root), ("a", Self.three)] {
      #expect(try isThere(name, owner))
    }
    await server.stop()
    await world.dns.stop()
  }

  @Test("An allowance comes back evenly within an hour, for each owner and interface apart")
  func allowance() {
    var allowance = WarmAllowance(limit: 3600)
    let start = NIODeadline.now()
    allowance.spend(3600, of: Self.one, over: "wwan0", now: start)
    #expect(!allowance.isLeft(to: Self.one, over: "wwan0", now: start))
    #expect(allowance.isLeft(to: Self.one, over: "wwan1", now: start))
    #expect(allowance.isLeft(to: Self.two, over: "wwan0", now: start))
    // Questions in between lose nothing of it.
    for step in 0..<1000 {
      #expect(!allowance.isLeft(to: Self.one, over: "wwan0", now: start + .milliseconds(Int64(step))))
    }
    #expect(allowance.isLeft(to: Self.one, over: "wwan0", now: start + .milliseconds(1001)))
    allowance.spend(7200, of: Self.two, over: "wwan0", now: start)
    #expect(!allowance.isLeft(to: Self.two, over: "wwan0", now: start + .minutes(60)))
    #expect(allowance.isLeft(to: Self.two, over: "wwan0", now: start + .minutes(61)))
    let none = WarmAllowance(limit: 0)
    #expect(!none.isLeft(to: Self.one, over: "wwan0", now: start))
  }

  @Test("There are so many allowances; without room nobody new opens anything, but root")
  func allowances() {
    var allowance = WarmAllowance(limit: 3600)
    let start = NIODeadline.now()
    for user in 1...UInt32(WarmAllowance.maximumEntries) {
      allowance.spend(1, of: ChainRequest.Owner(userID: user), over: "wwan0", now: start)
    }
    #expect(!allowance.isLeft(to: ChainRequest.Owner(userID: 5000), over: "wwan0", now: start))
    #expect(allowance.isLeft(to: Self.root, over: "wwan0", now: start))
    #expect(allowance.isLeft(to: ChainRequest.Owner(userID: 5000), over: "wwan0", now: start + .seconds(2)))
  }
}
