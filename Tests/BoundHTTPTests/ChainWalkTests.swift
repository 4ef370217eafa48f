import BoundHTTP
import HTTPExchange
import HTTPTestSupport
import NIOConcurrencyHelpers
import NIOCore
import NetworkAddress
@_spi(Exchange) import RedirectChain
import Testing
@_spi(Exchange) import Web

@Suite("Chains over real sockets", .serialized, .timeLimit(.minutes(1)))
struct ChainWalkTests {
  /// Six hops over three names: https A, https B, http C, http C by a relative Location with a
  /// cookie, https B, https A.
  struct SixHops {
    let world: TestWorld
    let a: TestServer
    let b: TestServer
    let c: TestServer
    var start: String { "https://a.example:\(a.port)/check?id=1" }

    static func make(
      learnsOrigins: Bool = false, newestTLS: TLSTrust.Version = .tls13,
      options: ChainClient.Options = ChainClient.Options(),
      answering: @escaping TestDNS.Answering = TestDNS.table(TestWorld.everyName),
      end: @escaping @Sendable (_ code: String) -> [TestServer.Step]
    ) async throws -> SixHops {
      let world = try await TestWorld.make(
        newestTLS: newestTLS, learnsOrigins: learnsOrigins, options: options, answering)
      // The ports are known only when the servers that name them run.
      let ports = NIOLockedValueBox((a: 0, b: 0))
      let c = try await TestServer.start { request in
        request.target.hasPrefix("/enrich")
          ? TestServer.redirect("step2?n=1", ["Set-Cookie: he=1; Path=/"])
          : TestServer.redirect("https://b.example:\(ports.withLockedValue(\.b))/back", status: 307)
      }
      let b = try await world.secureServer { request in
        request.target.hasPrefix("/sso")
          ? TestServer.redirect(
            "http://c.example:\(c.port)/enrich?x=1", ["Set-Cookie: sso=s; Secure; Domain=b.example"], status: 303)
          : TestServer.redirect("https://a.example:\(ports.withLockedValue(\.a))/done?code=4711", status: 308)
      }
      let a = try await world.secureServer { request in
        request.target.hasPrefix("/check")
          ? TestServer.redirect(
            "https://b.example:\(b.port)/sso", ["Set-Cookie: first=1; Secure; HttpOnly"], status: 301)
          : end("4711")
      }
      ports.withLockedValue { $0 = (a.port, b.port) }
      return SixHops(world: world, a: a, b: b, c: c)
    }

    func stop() async {
      for server in [a, b, c] { await server.stop() }
      await world.dns.stop()
    }
  }

  @Test("Six hops end with the JSON of the last, each hop reported, connections used again")
  func sixHopsToAnswer() async throws {
    let chain = try await SixHops.make { _ in TestServer.json(#"{"code":"4711"}"#) }
    let walk = try await chain.world.walk(chain.start)
    #expect(walk.answer?.status == 200)
    #expect(walk.answer?.body == Array(#"{"code":"4711"}"#.utf8))
    #expect(walk.answer?.contentType == "application/json")
    #expect(walk.hops.map(\.index) == [1, 2, 3, 4, 5, 6])
    #expect(
      walk.hops.map(\.host) == ["a.example", "b.example", "c.example", "c.example", "b.example", "a.example"])
    #expect(walk.hops.map(\.status) == [301, 303, 302, 307, 308, 200])
    #expect(walk.hops.map(\.isReused) == [false, false, false, true, true, true])
    #expect(walk.hops.map(\.cookies) == [[], [], [], ["he"], ["sso"], ["first"]])
    #expect(
      walk.hops.map(\.next) == ["b.example", "c.example", "c.example", "b.example", "a.example", nil])
    #expect(walk.hops.allSatisfy { $0.address == "127.0.0.1" })
    try #require(walk.hops.count == 6)
    let first = walk.hops[0].times
    let order = [first.dns, first.connect, first.tls, first.firstByte].compactMap(\.self)
    #expect(order.count == 4 && order == order.sorted())
    #expect(walk.hops[2].times.tls == nil && walk.hops[3].times.connect == nil)
    #expect([chain.a, chain.b, chain.c].map(\.connections) == [1, 1, 1])
    #expect(Set(chain.world.dns.queries.map(\.name)) == ["a.example", "b.example", "c.example"])
    await chain.stop()
  }

  @Test("Six hops end at a scheme of its own, byte for byte, and it is not fetched")
  func sixHopsToRedirectURI() async throws {
    let uri = "com.example.app://Callback?code=4711&state=x%2Fy#z=%C3%A4"
    let chain = try await SixHops.make { _ in TestServer.redirect(uri) }
    let walk = try await chain.world.walk(chain.start, redirectURI: "com.example.app://callback", state: "x/y")
    #expect(
      walk.result
        == .redirectReached(
          uri: uri, parameters: ["code": "4711", "state": "x/y", "z": "ä"],
          by: AnswerSource(asked: try WebURL(try #require(walk.hops.last).secrets.revealed.url))))
    #expect(walk.hops.count == 6)
    #expect(walk.hops.last?.next == "com.example.app:")
    await chain.stop()
  }

  @Test("The caller's headers go with the first hop alone, Secure cookies never on cleartext")
  func headersStay() async throws {
    let chain = try await SixHops.make { _ in TestServer.json("{}") }
    let headers = [
      WebHeader(name: "Authorization", value: "Bearer secret"),
      WebHeader(name: "User-Agent", value: "own/1"),
    ]
    _ = try await chain.world.walk(chain.start, headers: headers)
    #expect(chain.a.requests[0].field("authorization") == "Bearer secret")
    #expect(chain.a.requests[0].field("user-agent") == "own/1")
    let later = chain.b.requests + chain.c.requests + chain.a.requests.dropFirst()
    #expect(later.count == 5 && later.allSatisfy { !$0.text.contains("secret") && !$0.text.contains("own/1") })
    #expect(chain.c.requests.allSatisfy { !$0.text.contains("sso") && !$0.text.contains("first") })
    #expect(chain.c.requests[0].field("host") == "c.example:\(chain.c.port)")
    await chain.stop()
  }

  @Test("A chain that was walked before opens its origins ahead, and sends nothing ahead")
  func learnedOrigins() async throws {
    let chain = try await SixHops.make(learnsOrigins: true) { _ in TestServer.json("{}") }
    let cold = try await chain.world.walk(chain.start)
    #expect(cold.hops.map(\.isReused) == [false, false, false, true, true, true])
    let learned = try await chain.world.walk(chain.start)
    #expect(learned.answer?.status == 200 && learned.hops.count == 6)
    #expect(learned.hops.map(\.times.dns).allSatisfy { $0 == nil })
    #expect([chain.a, chain.b, chain.c].map(\.connections) == [2, 2, 2])
    #expect([chain.a, chain.b, chain.c].map(\.requests.count) == [4, 4, 4])
    for server in [chain.a, chain.b, chain.c] { try await server.closed(2) }
    chain.world.client.bearerLost(interface: chain.world.interface.index, "released")
    let anew = try await chain.world.walk(chain.start)
    #expect(anew.hops.map(\.isReused) == cold.hops.map(\.isReused))
    await chain.stop()
  }

  @Test("Connections that were opened ahead and not used are closed with the chain, and one that failed is opened anew")
  func unusedAhead() async throws {
    let world = try await TestWorld.make(learnsOrigins: true)
    let second = try await world.secureServer { _ in TestServer.json("2") }
    let goesOn = NIOLockedValueBox(true)
    let first = try await world.secureServer { request in
      goesOn.withLockedValue(\.self) ? TestServer.redirect("https://b.example:\(second.port)/") : TestServer.json("1")
    }
    let url = "https://a.example:\(first.port)/"
    #expect(try await world.walk(url).hops.count == 2)
    goesOn.withLockedValue { $0 = false }
    #expect(try await world.walk(url).hops.count == 1)
    #expect(second.requests.count == 1)
    // The chain above taught that there is no second origin.
    goesOn.withLockedValue { $0 = true }
    #expect(try await world.walk(url).hops.map(\.isReused) == [false, false])
    await second.stop()
    let refused = try await world.walk(url)
    #expect(refused.cause == .connectFailed && refused.hops.count == 2, "\(refused.result)")
    await first.stop()
    await world.dns.stop()
  }

  @Test("Nothing stays open when the chain is over")
  func closesAll() async throws {
    let chain = try await SixHops.make { _ in TestServer.json("{}") }
    _ = try await chain.world.walk(chain.start)
    for server in [chain.a, chain.b, chain.c] { try await server.closed(1) }
    await chain.stop()
  }

  @Test("An answer of 4xx or 5xx is a result", arguments: [400, 401, 404, 409, 412, 500, 501, 503])
  func problemIsResult(status: Int) async throws {
    let world = try await TestWorld.make()
    let server = try await world.secureServer { _ in TestServer.json(#"{"type":"x"}"#, status: status) }
    let walk = try await world.walk("https://a.example:\(server.port)/")
    #expect(walk.answer?.status == status)
    #expect(walk.answer?.body == Array(#"{"type":"x"}"#.utf8))
    await server.stop()
    await world.dns.stop()
  }

  @Test("TLS 1.2 servers are reached, and TLS 1.3 ones with a client that is capped at 1.2")
  func oldTLS() async throws {
    let world = try await TestWorld.make()
    let server = try await TestServer.start(tls: world.certificates.serverContext(.good, newest: .tlsv12)) { _ in
      TestServer.json("1")
    }
    #expect(try await world.walk("https://a.example:\(server.port)/").answer?.status == 200)
    let capped = try await TestWorld.make(newestTLS: .tls12)
    let newer = try await world.secureServer { _ in TestServer.json("2") }
    #expect(try await capped.walk("https://a.example:\(newer.port)/").answer?.status == 200)
    for stopped in [server, newer] { await stopped.stop() }
    await world.dns.stop()
    await capped.dns.stop()
  }

  @Test("The request leaves together with the end of the TLS handshake")
  func earlyRequest() async throws {
    let world = try await TestWorld.make()
    var reads: [Int] = []
    // A busy machine may cut the server's flight in two, and then the client answers each part.
    for _ in 0..<25 where !reads.contains(2) {
      let server = try await world.secureServer { _ in TestServer.json("1") }
      #expect(try await world.walk("https://a.example:\(server.port)/").answer?.status == 200)
      reads.append(server.readsBeforeRequest ?? 0)
      await server.stop()
    }
    // One for the client's hello, one for Finished and the request.
    #expect(reads.min() == 2, "\(reads)")
    await world.dns.stop()
  }

  @Test("An IP address as host needs no DNS, and its certificate is verified by the address")
  func addressAsHost() async throws {
    let world = try await TestWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("1") }
    #expect(try await world.walk("https://127.0.0.1:\(server.port)/").answer?.status == 200)
    #expect(world.dns.queries.isEmpty)
    await server.stop()
    await world.dns.stop()
  }

  @Test("A cancelled chain ends at once")
  func cancellation() async throws {
    let world = try await TestWorld.make()
    let (requests, arrived) = AsyncStream.makeStream(of: Void.self)
    let server = try await world.secureServer { _ in
      arrived.yield()
      return []
    }
    let url = "https://a.example:\(server.port)/"
    let task = Task { try await world.walk(url) }
    for await _ in requests { break }
    task.cancel()
    #expect(try await task.value.cause == .cancelled)
    try await server.closed(1)
    await server.stop()
    await world.dns.stop()
  }

  @Test("A bearer that is reported lost ends its chains at once, and only its own")
  func reportedLoss() async throws {
    let world = try await TestWorld.make()
    let (requests, arrived) = AsyncStream.makeStream(of: Void.self)
    let server = try await world.secureServer { _ in
      arrived.yield()
      return []
    }
    let url = "https://a.example:\(server.port)/"
    let task = Task { try await world.walk(url) }
    for await _ in requests { break }
    world.client.bearerLost(interface: world.interface.index + 1000, "another one is gone")
    world.client.bearerLost(interface: world.interface.index, "the network released the bearer")
    let walk = try await task.value
    #expect(walk.cause == .bearerLost)
    #expect(walk.text.contains("released"))
    await server.stop()
    await world.dns.stop()
  }
}
