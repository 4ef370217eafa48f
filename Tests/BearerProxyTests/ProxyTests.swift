import BearerProxy
import Glibc
import Testing
import TrafficLedger
import Varlink

import BearerStreams

@Suite("The proxy's socket", .timeLimit(.minutes(1)))
struct ProxyTests {
  @Test("an allowed client is connected, by either language, and bytes that it sent early arrive")
  func connects() async throws {
    try await ProxyWorld.with { world in
      for request in [LocalClient.connect, LocalClient.socks] {
        let client = try LocalClient(world.path)
        defer { client.close() }
        client.send(request + Array("early".utf8))
        let answer = await client.read(until: Array("EARLY".utf8))
        #expect(answer?.suffix(5) == Array("EARLY".utf8))
      }
      #expect(
        world.requests == [.init(host: "h", port: 1, purpose: .proxy), .init(host: "h", port: 1, purpose: .proxy)])
    }
  }

  @Test("a user without the right is told so, whatever he asks, and nothing is opened")
  func noRight() async throws {
    try await ProxyWorld.with(isAllowed: { _ in false }) { world in
      for head in ["CONNECT h:1 HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "OPTIONS * HTTP/1.1\r\n\r\n"] {
        let client = try LocalClient(world.path)
        defer { client.close() }
        client.send(Array(head.utf8))
        let answer = String(decoding: await client.readToEnd() ?? [], as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.contains("access.table"))
      }
      let client = try LocalClient(world.path)
      defer { client.close() }
      client.send(LocalClient.socks)
      #expect(await client.readToEnd()?.suffix(10) == [5, 2, 0, 1, 0, 0, 0, 0, 0, 0])
      #expect(world.requests.isEmpty)
    }
  }

  @Test("the reasons of a stream that is refused", arguments: RefusedStream.all)
  func refusals(refused: RefusedStream) async throws {
    try await ProxyWorld.with(failure: refused.error) { world in
      let http = try LocalClient(world.path)
      defer { http.close() }
      http.send(LocalClient.connect)
      let answer = String(decoding: await http.readToEnd() ?? [], as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 \(refused.status) ") && answer.hasSuffix("why\n"))
      let socks = try LocalClient(world.path)
      defer { socks.close() }
      socks.send(LocalClient.socks)
      #expect(await socks.readToEnd()?.dropFirst(2).prefix(2) == [5, refused.reply])
    }
  }

  @Test("a client that says nothing, or a byte at a time, is told when its time is over")
  func slow() async throws {
    try await ProxyWorld.with(requestTime: .milliseconds(300)) { world in
      let (silent, slow) = (try LocalClient(world.path), try LocalClient(world.path))
      defer {
        silent.close()
        slow.close()
      }
      slow.send(Array("CONNECT".utf8))
      #expect(await silent.readToEnd() == [])
      #expect(String(decoding: await slow.readToEnd() ?? [], as: UTF8.self).hasPrefix("HTTP/1.1 408 "))
    }
  }

  @Test("a client that never reads its refusal, and never leaves, is cut off")
  func neverReads() async throws {
    try await ProxyWorld.with(isAllowed: { _ in false }) { world in
      let client = try LocalClient(world.path)
      defer { client.close() }
      client.send(LocalClient.connect)
      #expect(await client.isCutOff())
    }
  }

  @Test("who leaves while the connection is made ends the attempt", arguments: [true, false])
  func leaves(closes: Bool) async throws {
    try await ProxyWorld.with(hangs: true) { world in
      let client = try LocalClient(world.path)
      defer { if !closes { client.close() } }
      client.send(LocalClient.connect)
      await world.attempts.began()
      if closes { client.close() } else { client.endOutput() }
      #expect(await world.attempts.wasCancelled())
    }
  }

  @Test("one user's connections are bounded; beyond, they are closed at once, and room that is left is given anew")
  func bounded() async throws {
    // Root has no bound of its own but that of all.
    try await ProxyWorld.with(connections: 8) { world in
      let clients = try (0..<8).map { _ in try LocalClient(world.path) }
      for client in clients {
        client.send(LocalClient.connect)
        #expect(await client.read(until: Array("\r\n\r\n".utf8)) != nil)
      }
      let more = try LocalClient(world.path)
      #expect(await more.readToEnd() == [])
      more.close()
      clients[0].close()
      var isIn = false
      for _ in 0..<200 where !isIn {
        let again = try LocalClient(world.path)
        again.send(LocalClient.connect)
        isIn = await again.read(until: Array("\r\n\r\n".utf8)) != nil
        again.close()
      }
      #expect(isIn)
      for client in clients.dropFirst() { client.close() }
    }
  }

  @Test("connections end with the proxy, and its file goes")
  func ends() async throws {
    try await ProxyWorld.with { world in
      let client = try LocalClient(world.path)
      defer { client.close() }
      client.send(LocalClient.connect)
      #expect(await client.read(until: Array("\r\n\r\n".utf8)) != nil)
      await world.proxy.close()
      #expect(await client.readToEnd() == [])
      #expect(access(world.path, F_OK) != 0)
    }
  }
}

/// Why a stream was refused, and how clients learn that.
struct RefusedStream: Sendable {
  let error: StreamError
  let status: Int
  let reply: UInt8

  static let all: [RefusedStream] = [
    .init(error: .notResolved(name: "h", text: "why"), status: 502, reply: 4),
    .init(error: .notConnected(.refused, text: "why"), status: 502, reply: 5),
    .init(error: .notConnected(.timedOut, text: "why"), status: 504, reply: 6),
    .init(error: .notConnected(.unreachable, text: "why"), status: 502, reply: 4),
    .init(error: .notConnected(.refusedAddress, text: "why"), status: 403, reply: 2),
    .init(error: .notConnected(.bearerLost, text: "why"), status: 502, reply: 3),
    .init(error: .notConnected(.failed, text: "why"), status: 502, reply: 1),
    .init(error: .destinationNotAllowed(host: "h", port: 1, text: "why"), status: 403, reply: 2),
    .init(error: .budgetSpent(budget: "b", resets: nil, text: "why"), status: 429, reply: 2),
  ]
}
