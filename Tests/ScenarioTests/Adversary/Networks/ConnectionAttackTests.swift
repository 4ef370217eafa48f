import HTTPTestSupport
import ModemAPI
import Testing

/// What servers, and whoever sits on the way to those in clear, do with connections and answers.
@Suite(
  "Connections in bad hands", .serialized, .timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason),
  .world(#"{"network": {"ipType": "ipv4"}}"#))
struct ConnectionAttackTests {
  private static let forged = TestServer.answer(200, ["Content-Type: application/json"], body: #"{"forged":true}"#)

  @Test("Servers that hang up behind their redirects and do not say so", .attack(by: .provider, .broke))
  func hangsUp() async throws {
    try await HostileNetwork.attack { network in
      for isTLS in [true, false] {
        let second = try await network.server(isTLS ? HostileNetwork.host : nil) { request in
          request.target == "/b" ? TestServer.json("{}") : TestServer.redirect("/b") + [.close]
        }
        let first = try await network.server { _ in
          TestServer.redirect("\(isTLS ? "https" : "http")://\(HostileNetwork.host):\(second.port)/a")
        }
        var good = 0
        for _ in 0..<20 {
          let walk = try await network.open(first.port)
          if walk.outcome?.answer?.status == 200 { good += 1 }
          // The end may still cross the request on its way: then it is a cut answer.
          #expect(walk.outcome?.answer?.status == 200 || walk.cause == .badAnswer, "\(walk.words)")
        }
        #expect(good >= 15, "\(good) of 20 came to their end")
        // Whatever came of it, nothing was asked twice.
        #expect(second.requests.count { $0.target == "/a" } == 20)
        #expect(second.requests.count { $0.target == "/b" } <= 20)
        for server in [first, second] { await server.stop() }
      }
    }
  }

  @Test("Half an answer ahead of the request, and its end behind it", .attack(by: .network, .broke))
  func halfAhead() async throws { try await ahead(forged: Self.forged.prefix(30), rest: Self.forged.dropFirst(30)) }

  @Test("A whole answer ahead of the request", .attack(by: .network, .held))
  func wholeAhead() async throws { try await ahead(forged: Self.forged[...], rest: "") }

  private func ahead(forged: Substring, rest: Substring) async throws {
    try await HostileNetwork.attack { network in
      let second = try await network.server(nil) { request in
        if request.target == "/a" { return [.send(TestServer.answer(302, ["Location: /b"]) + forged)] }
        return request.connection == 1 ? [.send(String(rest))] : TestServer.json(#"{"true":1}"#)
      }
      let first = try await network.server { _ in
        TestServer.redirect("http://\(HostileNetwork.host):\(second.port)/a")
      }
      let walk = try await network.open(first.port)
      #expect(walk.outcome?.answer?.json?["true"] != nil, "\(walk.words)")
      for server in [first, second] { await server.stop() }
    }
  }

  @Test("TLS that is cut off within an answer, told as a SIM without credit", .attack(by: .network, .broke))
  func cut() async throws {
    try await HostileNetwork.attack { network in
      for text in [
        "", "HTTP/1.1 200 OK\r\n\r\n{\"verified\": true}", "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}",
      ] {
        let server = try await network.server { _ in [.send(text), .cut] }
        let walk = try await network.open(server.port)
        #expect(walk.cause == .badAnswer && !walk.words.contains("credit"), "\(walk.words)")
        await server.stop()
      }
    }
  }

  @Test("Heads, interim answers and chunks without end", .attack(by: .provider, .held))
  func endless() async throws {
    try await HostileNetwork.attack { network in
      let letters = String(repeating: "x", count: 1024)
      let floods: [[TestServer.Step]] = [
        [.send("HTTP/1.1 200 OK\r\n"), .repeating("A: \(letters)\r\n", every: .microseconds(50))],
        [.repeating("HTTP/1.1 103 X\r\nA: \(letters)\r\n\r\n", every: .microseconds(50))],
        [
          .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;"),
          .repeating(letters, every: .microseconds(50)),
        ],
        [.send("HTTP/1.1 302 X\r\nLocation: "), .repeating(letters, every: .microseconds(50))],
      ]
      for flood in floods {
        let server = try await network.server { _ in flood }
        let walk = try await network.open(server.port)
        #expect(walk.cause == .tooLarge, "\(walk.words)")
        #expect((walk.hops.first?.bodyBytes ?? 0) <= 65_536)
        await server.stop()
      }
    }
  }

  @Test("A cookie set in clear in the place of one that TLS alone may read", .attack(by: .network, .broke))
  func cookieTossing() async throws {
    try await HostileNetwork.attack { network in
      for tossed in ["session=evil; Path=/", "session=evil; Path=/end; Domain=aggregator.example"] {
        let last = try await network.server { request in
          TestServer.json("{}", status: request.target == "/end" ? 200 : 404)
        }
        let clear = try await network.server(nil) { _ in
          TestServer.redirect("https://\(HostileNetwork.host):\(last.port)/end", ["Set-Cookie: \(tossed)"])
        }
        let first = try await network.server { _ in
          TestServer.redirect(
            "http://\(HostileNetwork.host):\(clear.port)/", ["Set-Cookie: session=genuine; Secure; Path=/"])
        }
        let walk = try await network.open(first.port)
        #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
        #expect(last.requests.map { $0.field("cookie") } == ["session=genuine"])
        for server in [first, clear, last] { await server.stop() }
      }
    }
  }

  @Test("A Location that would split the next request or its answer in two", .attack(by: .network, .held))
  func splitting() async throws {
    try await HostileNetwork.attack { network in
      let encoded = "/x%0d%0aCookie:%20a=b%0d%0a%0d%0aGET%20/y%20HTTP/1.1"
      let second = try await network.server(nil) { request in
        request.target == "/a" ? TestServer.redirect(encoded) : TestServer.json("{}")
      }
      let raw = try await network.server(nil) { _ in
        [.send("HTTP/1.1 302 X\r\nLocation: /x\rCookie: a=b\r\nContent-Length: 0\r\n\r\n")]
      }
      for (server, isAnswered) in [(second, true), (raw, false)] {
        let first = try await network.server { _ in
          TestServer.redirect("http://\(HostileNetwork.host):\(server.port)/a")
        }
        let walk = try await network.open(first.port)
        #expect((walk.outcome?.answer?.status == 200) == isAnswered, "\(walk.words)")
        #expect(server.requests.count == (isAnswered ? 2 : 1))
        #expect(server.requests.allSatisfy { $0.field("cookie") == nil })
        await first.stop()
      }
      #expect(second.requests.last?.target == encoded)
      for server in [second, raw] { await server.stop() }
    }
  }
}
