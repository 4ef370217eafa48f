import AuthCore
import ClockTestSupport
import HTTPTestSupport
import HostHTTP
import LimitClock
import NIOConcurrencyHelpers
import RedirectChain
import Testing
import Web

@Suite("Connections that are kept for a user's next call", .serialized, .timeLimit(.minutes(1)))
struct KeptConnectionTests {
  @Test("A login's calls share one connection, and ask for nothing else")
  func shared() async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    for method in [.get, .post, .post, .patch, .put, .delete] as [WebRequest.Method] {
      let call = try HostWorld.call("https://localhost:\(server.port)", method: method, body: nil)
      #expect(try await world.client.send(call, for: 1000).get().status == 200)
    }
    #expect(server.requests.map(\.connection) == [1, 1, 1, 1, 1, 1])
    #expect(server.requests.allSatisfy { $0.field("connection") == nil && $0.field("keep-alive") == nil })
    #expect(world.client.keptConnections == 1)
    #expect(world.log.lines.count { $0.contains("kept") } == 5)
    #expect(!world.log.lines.contains { $0.contains(HostWorld.secret) })
    world.client.retire()
    try await server.closed(1)
    await server.stop()
  }

  @Test("Users share no connection, one after the other and at once")
  func users() async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { request in TestServer.json(request.field("x-user") ?? "") }
    @Sendable func call(_ user: UInt32) async throws {
      let call = try HostWorld.call(
        "https://localhost:\(server.port)", headers: [.init(name: "X-User", value: "\(user)")])
      let reply = try await world.client.send(call, for: user).get()
      #expect(String(decoding: reply.body, as: UTF8.self) == "\(user)")
    }
    for _ in 0..<3 { for user in [0, 1000, 1001] as [UInt32] { try await call(user) } }
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 { for user in [0, 1000, 1001] as [UInt32] { group.addTask { try await call(user) } } }
      try await group.waitForAll()
    }
    let users = Dictionary(grouping: server.requests, by: \.connection).values.map {
      Set($0.map { $0.field("x-user") })
    }
    #expect(server.requests.count == 33 && server.connections < 33)
    #expect(users.allSatisfy { $0.count == 1 }, "a connection carried two users' requests")
    await server.stop()
  }

  @Test("Without a user, and in the clear, each call has its own connection", arguments: [nil, 1000] as [UInt32?])
  func own(user: UInt32?) async throws {
    let world = try HostWorld.make()
    let isTLS = user == nil
    let server =
      try await isTLS ? world.secureServer { _ in TestServer.json("{}") } : .start { _ in TestServer.json("{}") }
    for _ in 0..<3 {
      let call = try HostWorld.call("\(isTLS ? "https" : "http")://localhost:\(server.port)")
      _ = try await world.client.send(call, for: user).get()
    }
    try await server.closed(3)
    #expect(server.requests.map(\.connection) == [1, 2, 3] && world.client.keptConnections == 0)
    #expect(server.requests.allSatisfy { $0.field("connection") == "close" })
    await server.stop()
  }

  @Test("Other origins of the same server have their own connections")
  func origins() async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    for host in ["localhost", "127.0.0.1", "localhost", "127.0.0.1"] {
      _ = try await world.client.send(HostWorld.call("https://\(host):\(server.port)"), for: 1).get()
    }
    #expect(server.requests.map(\.connection) == [1, 2, 1, 2])
    await server.stop()
  }

  @Test("After new settings nothing of the old ones is kept")
  func retired() async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    let call = try HostWorld.call("https://localhost:\(server.port)")
    _ = try await world.client.send(call, for: 1).get()
    world.client.retire()
    try await server.closed(1)
    _ = try await world.client.send(call, for: 1).get()
    try await server.closed(2)
    #expect(server.connections == 2 && world.client.keptConnections == 0)
    await server.stop()
  }

  @Test("A client that is gone leaves no connection")
  func gone() async throws {
    var world: HostWorld? = try HostWorld.make()
    let server = try #require(try await world?.secureServer { _ in TestServer.json("{}") })
    _ = try await world?.client.send(HostWorld.call("https://localhost:\(server.port)"), for: 1).get()
    #expect(server.connections == 1)
    world = nil
    try await server.closed(1)
    await server.stop()
  }

  @Test("A connection closes when nobody needs it for a while")
  func idle() async throws {
    var keeping = ConnectionKeeping()
    keeping.idle = .milliseconds(50)
    let world = try HostWorld.make(keeping: keeping)
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    let call = try HostWorld.call("https://localhost:\(server.port)", method: .get, body: nil)
    _ = try await world.client.send(call, for: 1).get()
    try await server.closed(1)
    #expect(world.client.keptConnections == 0)
    _ = try await world.client.send(call, for: 1).get()
    #expect(server.connections == 2)
    await server.stop()
  }

  @Test("While the machine sleeps the server's time goes on", arguments: [3, 5, 11])
  func sleep(seconds: Int) async throws {
    let clock = DrivenClock()
    let world = try HostWorld.make(awakeClock: clock.clock)
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    let origin = "https://localhost:\(server.port)"
    _ = try await world.client.send(HostWorld.call(origin), for: 1).get()
    clock.advance(by: .seconds(seconds))
    // What may not be sent twice asks for more freshness.
    _ = try await world.client.send(HostWorld.call(origin), for: 1).get()
    #expect(server.connections == (seconds < 4 ? 1 : 2))
    if seconds > 10 { try await server.closed(1) }
    await server.stop()
  }

  @Test("A connection has an end, however busy it is")
  func life() async throws {
    let clock = DrivenClock()
    let world = try HostWorld.make(awakeClock: clock.clock)
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    for _ in 0..<25 {
      _ = try await world.client.send(HostWorld.call("https://localhost:\(server.port)"), for: 1).get()
      clock.advance(by: .seconds(3))
    }
    // Its last request is the one at 57 s.
    #expect(server.requests.map(\.connection) == Array(repeating: 1, count: 20) + Array(repeating: 2, count: 5))
    await server.stop()
  }

  @Test(
    "A server says how long",
    arguments: [
      ("Connection: close", 3), ("Keep-Alive: timeout=1", 3), ("Keep-Alive: max=0", 3), ("Keep-Alive: timeout=5", 1),
      ("Keep-Alive: timeout=5, max=1000", 1), ("Connection: Keep-Alive", 1), ("X-Other: close", 1),
    ])
  func announced(field: String, connections: Int) async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { _ in [.send(TestServer.answer(200, [field], body: "{}"))] }
    for _ in 0..<3 {
      _ = try await world.client.send(HostWorld.call("https://localhost:\(server.port)"), for: 1).get()
    }
    #expect(server.connections == connections)
    await server.stop()
  }

  @Test(
    "After each whole answer the connection is kept",
    arguments: [
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n",
      "HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nX: y\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 1\r\n\r\nx",
      "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\nx",
    ])
  func framing(answer: String) async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { _ in [.send(answer)] }
    for _ in 0..<3 {
      _ = try await world.client.send(HostWorld.call("https://localhost:\(server.port)"), for: 1).get()
    }
    #expect(server.connections == 1)
    await server.stop()
  }

  @Test(
    "After an answer that has no certain end, or cannot be used, the connection is not kept",
    arguments: [
      [.send("HTTP/1.1 200 OK\r\n\r\nabc"), .close], [.send("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx")],
      [.send(TestServer.answer(200, ["Content-Encoding: gzip"], body: "not gzip"))],
      [.send(TestServer.answer(200, ["Content-Encoding: br"], body: "x"))],
      [.send("HTTP/1.1 200 OK\r\nContent-Length: 262145\r\n\r\n")],
      [.send("HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n")],
    ] as [[TestServer.Step]])
  func unusable(steps: [TestServer.Step]) async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { _ in steps }
    for _ in 0..<2 {
      _ = try await world.client.send(HostWorld.call("https://localhost:\(server.port)"), for: 1)
    }
    try await server.closed(2)
    #expect(server.connections == 2 && world.client.keptConnections == 0)
    await server.stop()
  }

  @Test("A call that is cancelled takes its kept connection along")
  func cancelled() async throws {
    let world = try HostWorld.make()
    let (requests, arrived) = AsyncStream.makeStream(of: Void.self)
    let server = try await world.secureServer { request in
      arrived.yield()
      return request.field("x-hang") == nil ? TestServer.json("{}") : []
    }
    let origin = "https://localhost:\(server.port)"
    _ = try await world.client.send(HostWorld.call(origin), for: 1).get()
    var each = requests.makeAsyncIterator()
    await each.next()
    let hanging = try HostWorld.call(origin, headers: [.init(name: "X-Hang", value: "1")], time: .seconds(3600))
    let task = Task { try await world.client.send(hanging, for: 1) }
    await each.next()
    task.cancel()
    let outcome = await task.result
    #expect(throws: CancellationError.self) { try outcome.get() }
    try await server.closed(1)
    _ = try await world.client.send(HostWorld.call(origin), for: 1).get()
    #expect(server.requests.map(\.connection) == [1, 1, 2])
    await server.stop()
  }

  @Test("Many calls at once leave a bounded number of connections")
  func many() async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("{}") }
    try await withThrowingTaskGroup { group in
      for user in 0..<10 as Range<UInt32> {
        for _ in 0..<6 {
          group.addTask {
            _ = try await world.client.send(HostWorld.call("https://localhost:\(server.port)"), for: user).get()
          }
        }
      }
      try await group.waitForAll()
    }
    let kept = world.client.keptConnections
    #expect(server.requests.count == 60 && (1...32).contains(kept))
    try await server.closed(server.connections - kept)
    await server.stop()
  }
}
