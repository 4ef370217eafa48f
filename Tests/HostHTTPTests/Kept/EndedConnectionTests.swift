import AuthCore
import HTTPTestSupport
import HostHTTP
import RedirectChain
import Testing
import Web

/// Servers that end a kept connection, or send on it what nobody asked for.
@Suite("Kept connections that end or lie", .serialized, .timeLimit(.minutes(1)))
struct EndedConnectionTests {
  private static func call(
    _ server: TestServer, _ method: WebRequest.Method = .post, time: Duration = .seconds(30)
  ) throws -> WebRequest {
    try HostWorld.call("https://localhost:\(server.port)", method: method, body: nil, time: time)
  }

  enum Ending: String, CaseIterable, Sendable {
    case close, reset, cut
    var step: TestServer.Step {
      switch self {
      case .close: .close
      case .reset: .reset
      case .cut: .cut
      }
    }
  }

  @Test(
    "A connection that ended while it waited carries no request", arguments: Ending.allCases,
    [WebRequest.Method.get, .post])
  func whileWaiting(ending: Ending, method: WebRequest.Method) async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { request in
      TestServer.json("{}") + (request.connection == 1 ? [.wait(.milliseconds(20)), ending.step] : [])
    }
    _ = try await world.client.send(Self.call(server, method), for: 1).get()
    try await server.closed(1)
    // On a busy machine the client hears of it later than the server.
    for _ in 0..<1000 where world.client.keptConnections > 0 { try await Task.sleep(for: .milliseconds(10)) }
    _ = try await world.client.send(Self.call(server, method), for: 1).get()
    #expect(server.requests.map(\.connection) == [1, 2])
    await server.stop()
  }

  @Test("A server that closes right after its answer, without notice, is called anew", arguments: Ending.allCases)
  func rightAfter(ending: Ending) async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { _ in TestServer.json("{}") + [ending.step] }
    // GET, because the second request may overtake the first connection's end on a busy machine.
    for _ in 0..<4 { _ = try await world.client.send(Self.call(server, .get), for: 1).get() }
    #expect(server.connections == 4)
    // The last one waits until its end is heard of.
    for _ in 0..<1000 where world.client.keptConnections > 0 { try await Task.sleep(for: .milliseconds(10)) }
    #expect(world.client.keptConnections == 0)
    await server.stop()
  }

  @Test(
    "A request that the server may have taken is sent again only if that is the same", arguments: Ending.allCases,
    WebRequest.Method.allCases)
  func unanswered(ending: Ending, method: WebRequest.Method) async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { request in
      request.connection == 1 && request.target.hasSuffix("x") ? [ending.step] : TestServer.json("{}")
    }
    _ = try await world.client.send(Self.call(server), for: 1).get()
    let origin = "https://localhost:\(server.port)"
    let call = WebRequest("test", method, try WebURL("\(origin)/\(HostWorld.secret)?x"))
    let result = try await world.client.send(call, for: 1)
    if [.get, .put, .delete].contains(method) {
      #expect(try result.get().status == 200)
      #expect(server.requests.map(\.connection) == [1, 1, 2])
    } else {
      guard case .failure(let failure) = result else {
        Issue.record("it was sent twice")
        return
      }
      #expect(failure.kind == .closed && failure.text.contains("localhost ended a connection without an answer"))
      #expect(failure.text.contains(";") && world.keepsSecret(failure))
      #expect(server.requests.map(\.connection) == [1, 1])
    }
    // From now on it gets a connection for each call.
    let before = server.connections
    for _ in 0..<3 { _ = try await world.client.send(Self.call(server), for: 1).get() }
    #expect(server.connections == before + 3 && world.client.keptConnections == 0)
    await server.stop()
  }

  @Test("What is sent again is sent once again", arguments: Ending.allCases)
  func onceAgain(ending: Ending) async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { request in
      request.target.hasSuffix("x") ? [ending.step] : TestServer.json("{}")
    }
    _ = try await world.client.send(Self.call(server, .get), for: 1).get()
    let call = WebRequest("test", .get, try WebURL("https://localhost:\(server.port)/?x"))
    guard case .failure(let failure) = try await world.client.send(call, for: 1) else {
      Issue.record("it was answered")
      return
    }
    #expect(failure.kind == .closed && server.requests.map(\.connection) == [1, 1, 2])
    await server.stop()
  }

  @Test(
    "Once a byte of an answer came, nothing is sent again",
    arguments: ["H", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab"])
  func begun(bytes: String) async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { request in
      request.target.hasSuffix("x") ? [.send(bytes), .close] : TestServer.json("{}")
    }
    _ = try await world.client.send(Self.call(server, .get), for: 1).get()
    let call = WebRequest("test", .get, try WebURL("https://localhost:\(server.port)/?x"))
    guard case .failure(let failure) = try await world.client.send(call, for: 1) else {
      Issue.record("it was answered")
      return
    }
    #expect(failure.kind == .closed && server.requests.map(\.connection) == [1, 1])
    await server.stop()
  }

  @Test("A server that drips or says nothing on a kept connection has the call's time, once", arguments: [true, false])
  func slow(drips: Bool) async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { request in
      guard request.target.hasSuffix("x") else { return TestServer.json("{}") }
      return drips
        ? [.send("HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n"), .repeating("x", every: .milliseconds(5))] : []
    }
    _ = try await world.client.send(Self.call(server, .get), for: 1).get()
    let call = WebRequest("test", .get, try WebURL("https://localhost:\(server.port)/?x"), time: .milliseconds(300))
    guard case .failure(let failure) = try await world.client.send(call, for: 1) else {
      Issue.record("it was answered")
      return
    }
    #expect(failure.kind == .timeout && server.requests.map(\.connection) == [1, 1])
    try await server.closed(1)
    await server.stop()
  }

  /// What a server sends behind an answer, in the same segment.
  static let extras = [
    TestServer.answer(200, body: "poison"), "HTTP/1.1 200 OK\r\nContent-Le", "\0\0\0\0", "poison",
    "HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n", "H",
  ]

  @Test("Bytes behind an answer are nobody's answer, and their connection is not used again", arguments: extras)
  func behind(extra: String) async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { request in
      let answer = TestServer.answer(200, body: "\(request.connection)")
      return [.send(request.connection == 1 ? answer + extra : answer)]
    }
    for number in 1...2 {
      let reply = try await world.client.send(Self.call(server), for: 1).get()
      #expect(String(decoding: reply.body, as: UTF8.self) == "\(number)")
    }
    #expect(server.requests.map(\.connection) == [1, 2])
    try await server.closed(1)
    await server.stop()
  }

  @Test("What comes while a connection waits ends the connection", arguments: extras + ["\r\n"])
  func unasked(extra: String) async throws {
    let world = try HostWorld.make()
    let server = try await world.secureServer { request in
      let answer = TestServer.json("\(request.connection)")
      return request.connection == 1 ? answer + [.wait(.milliseconds(20)), .send(extra)] : answer
    }
    _ = try await world.client.send(Self.call(server), for: 1).get()
    try await server.closed(1)
    let reply = try await world.client.send(Self.call(server), for: 1).get()
    #expect(String(decoding: reply.body, as: UTF8.self) == "2")
    #expect(server.requests.map(\.connection) == [1, 2])
    await server.stop()
  }

  @Test("An answer that came before the whole request had left is the connection's last one")
  func early() async throws {
    let world = try HostWorld.make()
    let server = try await TestServer.start(
      tls: world.certificates.serverContext(.good), waitsForBody: false
    ) { _ in [.stopReading] + TestServer.json("{}") }
    // The rest would be the beginning of the next request. No kernel takes so much that nobody
    // reads.
    let body = WebBody.text(String(repeating: "x", count: 32 << 20))
    for _ in 0..<2 {
      let call = try HostWorld.call("https://localhost:\(server.port)", body: body)
      #expect(try await world.client.send(call, for: 1).get().isSuccess)
    }
    #expect(server.requests.map(\.connection) == [1, 2] && world.client.keptConnections == 0)
    await server.stop()
  }
}
