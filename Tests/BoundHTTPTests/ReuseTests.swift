import BoundHTTP
import Dispatch
import HTTPExchange
import HTTPTestSupport
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import NetworkAddress
@_spi(Exchange) import RedirectChain
import Testing
@_spi(Exchange) import Web

/// Servers that end a connection, or say something on it, between an answer and the next request.
///
/// The chain's loop is held after each hop until the server has done so: what is in the kernel
/// then, no loop has read.
@Suite("Connections between two requests", .serialized, .timeLimit(.minutes(2)))
struct ReuseTests {
  /// A chain whose loop waits behind each hop for as many signals as there were hops.
  struct Held: Sendable {
    let world: TestWorld
    let group: MultiThreadedEventLoopGroup
    let isDone = DispatchSemaphore(value: 0)

    static func make() async throws -> Held {
      Held(world: try await TestWorld.make(), group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
    }

    func walk(_ url: String) async throws -> TestWorld.Walk {
      var options = ChainClient.Options()
      options.trust = TLSTrust(extraRootsFile: world.certificates.rootFile, usesSystemRoots: false)
      options.dns = .patient
      options.learnsOrigins = false
      let client = ChainClient(
        group: group, options: options, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      let request = ChainRequest(
        url: try WebURL(url),
        policy: TestWorld.policy {
          $0.requiresSecureStart = false
          $0.maximumRedirects = 5
        })
      let hops = NIOLockedValueBox<[ChainHop]>([])
      let isDone = isDone
      let result = await client.run(request, over: world.interface) { hop in
        hops.withLockedValue { $0.append(hop) }
        if hop.status == 302 { isDone.wait() }
      }
      return TestWorld.Walk(result: result, hops: hops.withLockedValue { $0 })
    }

    func stop() async {
      await world.dns.stop()
      try? await group.shutdownGracefully()
    }
  }

  @Test(
    "Eighty chains over servers that close behind each redirect without saying so go well, no request is sent twice",
    arguments: [true, false])
  func closedBehind(isTLS: Bool) async throws {
    let held = try await Held.make()
    let isDone = held.isDone
    let answering: TestServer.Answering = { request in
      guard let number = Int(request.target.dropFirst()), number < 3 else { return TestServer.json("{}") }
      return TestServer.redirect("/\(number + 1)") + [.close, .call { isDone.signal() }]
    }
    let server = try await isTLS ? held.world.secureServer(.good, answering) : TestServer.start(answering)
    let count = 40
    var ends: [String: Int] = [:]
    for _ in 0..<count {
      let walk = try await held.walk("\(isTLS ? "https" : "http")://a.example:\(server.port)/0")
      ends[walk.answer.map { "\($0.status)" } ?? walk.text, default: 0] += 1
      #expect(walk.hops.map(\.isReused) == [false, false, false, false])
    }
    #expect(ends == ["200": count])
    #expect(server.requests.count == 4 * count && server.connections == 4 * count)
    await server.stop()
    await held.stop()
  }

  @Test("Nor when the end is still on its way is a request sent twice", arguments: [true, false])
  func closing(isTLS: Bool) async throws {
    let world = try await TestWorld.make()
    let answering: TestServer.Answering = { request in
      request.target == "/1" ? TestServer.json("{}") : TestServer.redirect("/1") + [.close]
    }
    let server = try await isTLS ? world.secureServer(.good, answering) : TestServer.start(answering)
    let policy = TestWorld.policy { $0.requiresSecureStart = false }
    var good = 0
    for _ in 0..<40 {
      let walk = try await world.walk("\(isTLS ? "https" : "http")://a.example:\(server.port)/", policy: policy)
      if walk.answer != nil { good += 1 }
      #expect(walk.answer?.status == 200 || walk.cause == .badAnswer, "\(walk.result)")
    }
    // A busy server may take its time between answer and end.
    #expect(good >= 30)
    #expect(server.requests.count { $0.target == "/" } == 40 && server.requests.count { $0.target == "/1" } <= 40)
    await server.stop()
    await world.dns.stop()
  }

  struct Ahead: Sendable, CustomTestStringConvertible {
    let name: String
    /// Behind the redirect, in the same segment.
    var together = ""
    /// In a segment of its own.
    var apart = ""
    /// Behind the next request, if one should come on the same connection.
    var rest = ""
    var testDescription: String { name }

    static let forged = TestServer.answer(200, ["Content-Type: application/json"], body: #"{"forged":1}"#)
    static let half = (forged.prefix(30), forged.dropFirst(30))
    static let all: [Ahead] = [
      .init(name: "a whole answer in the same segment", together: forged),
      .init(name: "a whole answer in a segment of its own", apart: forged),
      .init(name: "half an answer in the same segment", together: String(half.0), rest: String(half.1)),
      .init(name: "half an answer in a segment of its own", apart: String(half.0), rest: String(half.1)),
      .init(name: "one letter", together: "H", rest: String(forged.dropFirst())),
      .init(name: "an interim answer", apart: "HTTP/1.1 103 X\r\nLink: x\r\n\r\n", rest: forged),
    ]
  }

  @Test("What comes ahead of a request is never its answer", arguments: Ahead.all, [true, false])
  func ahead(_ test: Ahead, isTLS: Bool) async throws {
    let held = try await Held.make()
    let isDone = held.isDone
    let first = NIOLockedValueBox(0)
    let answering: TestServer.Answering = { request in
      if request.target == "/0" {
        first.withLockedValue { $0 = request.connection }
        var steps: [TestServer.Step] = [.send(TestServer.answer(302, ["Location: /1"]) + test.together)]
        if !test.apart.isEmpty { steps += [.wait(.milliseconds(1)), .send(test.apart)] }
        return steps + [.call { isDone.signal() }]
      }
      let isSame = first.withLockedValue { $0 == request.connection }
      return isSame ? [.send(test.rest)] : TestServer.json(#"{"true":1}"#)
    }
    let server = try await isTLS ? held.world.secureServer(.good, answering) : TestServer.start(answering)
    let walk = try await held.walk("\(isTLS ? "https" : "http")://a.example:\(server.port)/0")
    #expect(walk.answer.map { String(decoding: $0.body, as: UTF8.self) } == #"{"true":1}"#, "\(walk.result)")
    #expect(server.requests.map(\.target) == ["/0", "/1"])
    await server.stop()
    await held.stop()
  }

  @Test("A server that speaks first in clear gave no answer")
  func speaksFirst() async throws {
    let world = try await TestWorld.make()
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.execute { channel.writeAndFlush(ByteBuffer(string: Ahead.forged), promise: nil) }
        return channel.eventLoop.makeSucceededVoidFuture()
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let policy = TestWorld.policy { $0.requiresSecureStart = false }
    let walk = try await world.walk("http://a.example:\(server.localAddress?.port ?? 0)/", policy: policy)
    // Where the request was quicker, it has been asked for.
    #expect(walk.cause == .badAnswer || walk.answer?.status == 200, "\(walk.result)")
    try await server.close()
    await world.dns.stop()
  }

  @Test("A connection that was opened ahead is not called used again, and its addresses are shown")
  func openedAhead() async throws {
    let world = try await TestWorld.make(learnsOrigins: true)
    let second = try await world.secureServer { _ in TestServer.json("2") }
    let first = try await world.secureServer { _ in TestServer.redirect("https://b.example:\(second.port)/") }
    let url = "https://a.example:\(first.port)/"
    let cold = try await world.walk(url)
    #expect(cold.hops.map(\.isOpenedAhead) == [false, false])
    let learnt = try await world.walk(url)
    #expect(learnt.hops.map(\.isReused) == [false, false])
    #expect(learnt.hops.map(\.isOpenedAhead) == [false, true])
    #expect(learnt.hops.map(\.addresses) == [["127.0.0.1"], ["127.0.0.1"]])
    for server in [first, second] { await server.stop() }
    await world.dns.stop()
  }

  @Test(
    "Only an answer that says that its connection stays open lets the next request leave without a quiet time",
    arguments: [true, false])
  func announced(isAnnounced: Bool) async throws {
    var connecting = ConnectionTiming.patient
    connecting.quiet = .seconds(30)
    let world = try await TestWorld.make(connecting: connecting)
    let server = try await world.secureServer { request in
      request.target == "/1"
        ? TestServer.redirect("/2", isAnnounced ? ["Connection: Keep-Alive"] : []) : TestServer.json("{}")
    }
    // Far below the quiet time, and far above what two requests take.
    let policy = TestWorld.policy { $0.totalTime = isAnnounced ? .seconds(20) : .seconds(2) }
    let walk = try await world.walk("https://a.example:\(server.port)/1", policy: policy)
    if isAnnounced {
      #expect(walk.answer?.status == 200 && walk.hops.last?.isReused == true, "\(walk.text)")
    } else {
      #expect(walk.cause == .timeout && walk.isUnsent)
    }
    #expect(server.requests.count == (isAnnounced ? 2 : 1))
    await server.stop()
    await world.dns.stop()
  }
}
