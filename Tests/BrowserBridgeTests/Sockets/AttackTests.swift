import Glibc
import LoopbackHTTP
import NIOCore
import Testing

@testable import BrowserBridge

/// What a web page, another user and a strange network may try. Nothing of it may reach modemd, or
/// use a ticket.
@Suite("Attacks on the service for browsers", .timeLimit(.minutes(2)))
struct AttackTests {
  @Test func `an image, a frame, a prefetch, a script's call and a rebound name get nothing`() async throws {
    try await BridgeWorld.run { world in
      let rows: [([String: String], Int)] = [
        (["Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"], 403), (["Sec-Fetch-Dest": "iframe"], 403),
        (["Sec-Fetch-Dest": "embed"], 403), (["Sec-Purpose": "prefetch"], 403),
        (["Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty", "Origin": "https://evil.example"], 403),
        (["Sec-Fetch-Site": "", "Sec-Fetch-Mode": "", "Sec-Fetch-Dest": ""], 403),
        (["Host": "evil.example:\(world.browser.port)"], 421), (["Host": "127.0.0.1"], 421), (["Host": ""], 421),
      ]
      for (fields, status) in rows {
        let answer = try await world.browser.get(world.link, fields)
        // Without Host it is no HTTP/1.1 at all.
        #expect(answer.status == status || fields["Host"] == "" && answer.status == 400, "\(fields): \(answer.text)")
        #expect(!answer.body.contains("Shop"))
      }
      #expect(world.backend.requests == [] && world.modemd.numbers == [])
    }
  }

  @Test func `a link to another host, a forged way back and a broken link lead nowhere`() async throws {
    try await BridgeWorld.run { world in
      let (port, id) = (world.backend.server.port, BridgeWorld.ticket)
      for (link, status) in [
        ("/start?ticket=https://evil.example/tickets/\(id)", 403),
        ("/start?ticket=https://127.0.0.1:\(port)/tickets/\(id)", 403),
        ("/start?ticket=http://localhost:\(port)/tickets/\(id)", 403),
        ("/start?ticket=https://localhost:\(port)/other/\(id)", 403),
        ("/start?ticket=https://localhost:\(port)/tickets/\(id)%2fclaim", 403),
        ("/start?ticket=https://localhost:\(port)/tickets/\(id)%3fa", 403),
        ("/start", 400), ("/start?ticket=", 400), ("/start?ticket=a&ticket=b", 400),
      ] {
        #expect(try await world.browser.get(link).status == status, "\(link)")
      }
      #expect(world.backend.requests == [])
      world.backend.change { state in
        state.ticket = state.ticket.replacing(
          "}", with: #","return":"https://evil.example","verdicts":"https://evil.example"}"#)
        state.claim = state.claim.replacing(
          "}", with: #","return":"https://evil.example","verdicts":"https://evil.example"}"#)
      }
      let offer = try await world.browser.get(
        world.link + "&return=https://evil.example&redirect_uri=https://evil.example")
      #expect(offer.status == 200 && !offer.text.contains("evil"))
      let path = try await world.press(offer)
      _ = try await world.page(path, with: "You are being led back")
      let back = try await world.browser.page(path + "/return?return=https://evil.example")
      #expect(back.field("location")?.hasPrefix("https://shop.example/back?") == true, "\(back.text)")
      #expect(world.backend.verdicts.count == 1)
    }
  }

  @Test func `a form of another site, and a guessed one, begin nothing`() async throws {
    try await BridgeWorld.run { world in
      let offer = try await world.browser.get(world.link)
      let form = ["visit": try #require(offer.input("visit")), "form": try #require(offer.input("form"))]
      for fields in [
        ["Origin": "https://evil.example"], ["Origin": "null"], ["Origin": ""], ["Sec-Fetch-Site": "cross-site"],
        ["Origin": "http://localhost:\(world.browser.port)"], ["Sec-Fetch-Site": "same-site"],
        ["Content-Type": "text/plain"], ["Sec-Fetch-Dest": "iframe"],
      ] {
        let answer = try await world.browser.post("/begin", form, fields)
        #expect(answer.status == 403 || answer.status == 415, "\(fields): \(answer.text)")
      }
      let guessed = String(repeating: "0", count: 40)
      for fields in [
        ["visit": guessed, "form": guessed], form.merging(["form": guessed]) { $1 }, ["visit": form["visit"] ?? ""],
        [:],
        form.merging(["form": ""]) { $1 },
      ] {
        #expect(try await world.browser.post("/begin", fields).status == 403)
      }
      #expect(
        try await world.browser.get("/begin?visit=\(form["visit"] ?? "")&form=\(form["form"] ?? "")").status == 405)
      #expect(world.backend.requests.count == 1 && world.modemd.numbers == [])
    }
  }

  @Test func `a ticket acts once: with two clicks, two pages, and a backend that forgets`() async throws {
    try await BridgeWorld.run { world in
      world.backend.change { $0.forgets = true }
      let (first, second) = (try await world.browser.get(world.link), try await world.browser.get(world.link))
      let path = try await world.press(first)
      #expect(try await world.press(first) == path, "the second click shows the flow of the first")
      let form = ["visit": try #require(second.input("visit")), "form": try #require(second.input("form"))]
      let refused = try await world.browser.post("/begin", form)
      #expect(refused.status == 410 && refused.body.contains("used before"), "\(refused.text)")
      _ = try await world.page(path, with: "You are being led back")
      #expect(try await world.browser.get(world.link).status == 410)
      #expect(world.modemd.numbers.count == 1 && world.backend.verdicts.count == 1)
      #expect(world.backend.requests.count { $0.hasSuffix("/claim") } == 1)
    }
  }

  @Test func `after a restart the backend still knows that a ticket was used`() async throws {
    try await BridgeWorld.run { world in
      world.backend.change { $0.isClaimed = true }
      let answer = try await world.browser.get(world.link)
      #expect(answer.status == 410 && answer.body.contains("used before"), "\(answer.text)")
    }
    try await BridgeWorld.run { world in
      let offer = try await world.browser.get(world.link)
      // Between this page and its button another process has claimed it.
      world.backend.change { $0.isClaimed = true }
      let path = try await world.press(offer)
      let end = try await world.page(path, with: "used before")
      #expect(world.modemd.numbers == [] && world.backend.verdicts == [], "\(end.body)")
      #expect(try await world.browser.page("/flow/\(String(repeating: "0", count: 40))").status == 410)
    }
  }

  @Test func `a claim that asks something else than the page has shown is not asked`() async throws {
    try await BridgeWorld.run(#", "asks": ["verify", "signIn"]"#) { world in
      world.backend.change { $0.claim = $0.claim.replacing("verify", with: "signIn") }
      let path = try await world.begin()
      _ = try await world.page(path, with: "cannot be asked here")
      #expect(world.modemd.numbers == [])
    }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to be another user"))
  func `another user of the machine gets nothing, and not the pages of a user who may`() async throws {
    try await BridgeWorld.run(users: [1501]) { world in
      world.modemd.change { $0.waits = true }
      let path = try await world.begin()
      func ask(_ user: UInt32, _ path: String) async throws -> TestBrowser.Answer {
        let head = world.browser.head("GET \(path)", ["Sec-Fetch-Site": "same-origin"])
        let port = world.browser.port
        return try await TestBrowser.blocking {
          let connection = try OtherUser.connection(to: port, as: user)
          try connection.send(head)
          return TestBrowser.Answer(text: String(decoding: try connection.rest(), as: UTF8.self))
        }
      }
      for path in [path, world.link, "\(path)/return"] {
        let stranger = try await ask(1500, path)
        #expect(stranger.status == 403 && stranger.body.contains("may not use this service"), "\(stranger.text)")
      }
      // Another user who may use the service has flows of its own.
      #expect(try await ask(1501, world.link).status == 410)
      #expect(try await ask(1501, path).status == 410)
      try await world.cancel(path)
    }
  }

  @Test func `too many tickets, flows and pages are refused, each with its limit`() async throws {
    try await BridgeWorld.run(#", "startsPerMinute": 3"#) { world in
      var statuses: [Int] = []
      for _ in 0..<5 { statuses.append(try await world.browser.get(world.link).status) }
      #expect(statuses == [200, 200, 200, 429, 429])
      #expect(try await world.browser.get(world.link).field("retry-after") == "20")
      world.clock.advance(by: .seconds(20))
      #expect(try await world.browser.get(world.link).status == 200)
      #expect(world.backend.requests.count == 4)
    }
    var limits = BrowserBridge.Limits()
    limits.userVisits = 2
    try await BridgeWorld.run(limits: limits) { world in
      let first = try await world.browser.get(world.link)
      for _ in 0..<2 {
        world.clock.advance(by: .seconds(1))
        #expect(try await world.browser.get(world.link).status == 200)
      }
      // The oldest page made room.
      let form = ["visit": try #require(first.input("visit")), "form": try #require(first.input("form"))]
      #expect(try await world.browser.post("/begin", form).status == 403)
    }
    limits.userVisits = 1
    try await BridgeWorld.run(limits: limits) { world in
      _ = try await world.page(try await world.begin(), with: "You are being led back")
      // The page of a check that has ended makes room for the next one.
      world.backend.renew("ticket-klmnopqrst")
      let next = world.link.replacing(BridgeWorld.ticket, with: "ticket-klmnopqrst")
      #expect(try await world.browser.get(next).status == 200)
    }
    limits.userFlows = 0
    try await BridgeWorld.run(limits: limits) { world in
      let offer = try await world.browser.get(world.link)
      let form = ["visit": try #require(offer.input("visit")), "form": try #require(offer.input("form"))]
      #expect(try await world.browser.post("/begin", form).status == 429)
      #expect(world.backend.requests.count == 1, "the ticket is not used")
    }
  }

  @Test func `a request that is too long, too slow or no HTTP ends`() async throws {
    var requests = RequestLimits()
    requests.requestTime = .milliseconds(300)
    try await BridgeWorld.run(requests: requests) { world in
      let long = String(repeating: "x", count: 100_000)
      for (text, statuses) in [
        (world.browser.head("GET /start", ["X-Long": long]), [431, 0]),
        (world.browser.head("GET /\(long)", [:]), [431, 0]),
        (world.browser.head("POST /begin", ["Content-Length": "5000"]) + long.prefix(5000), [413, 431, 0]),
        (world.browser.head("POST /begin", ["Transfer-Encoding": "chunked"]) + "1\r\nx\r\n0\r\n\r\n", [400]),
        (world.browser.head("GET http://evil.example/start", [:]), [400]), ("\u{16}\u{3}\u{1}\u{0}\r\n\r\n", [400, 0]),
        ("GET /start HTTP/1.1\r\nHost: a\r\n" + String(repeating: "a: b\r\n", count: 100) + "\r\n", [400]),
        (
          world.browser.head("GET /start", ["Host": "127.0.0.1:\(world.browser.port)", "Content-Length": "-1"]),
          [400, 0]
        ),
      ] {
        let answer = try await world.browser.send(text)
        #expect(statuses.contains(answer.status), "\(text.prefix(60)): \(answer.text.prefix(200))")
      }
      // Half a request, and none: the time limit ends both.
      for text in ["GET /start HTTP/1.1\r\nHost: ", ""] {
        #expect(try await world.browser.send(text).text == "")
      }
      #expect(world.backend.requests == [])
    }
  }

  @Test func `one user's idle connections end at its limit, and a new one is served after them`() async throws {
    var requests = RequestLimits()
    requests.userConnections = 4
    requests.requestTime = .seconds(20)
    try await BridgeWorld.run(requests: requests) { world in
      var held: [TestConnection] = []
      for _ in 0..<4 { held.append(try TestConnection(to: world.browser.port)) }
      // The server hears of the connections in any order.
      while try await !world.browser.get("/nothing").text.isEmpty { await Task.yield() }
      #expect(held.count == 4)
      held = []
      while try await world.browser.get("/nothing").status != 404 { await Task.yield() }
    }
  }

  @Test func `a backend that answers wrongly, leads elsewhere or hangs up gives no page`() async throws {
    try await BridgeWorld.run { world in
      for ticket in ["", "[]", "{}", #"{"id":"other-0123456789ab","ask":"verify","expiresInSeconds":1}"#] {
        world.backend.change { $0.ticket = ticket }
        let answer = try await world.browser.get(world.link)
        #expect(answer.status == 502 && answer.body.contains("cannot be asked here"), "\(ticket): \(answer.text)")
      }
      #expect(world.modemd.numbers == [])
    }
  }
}

/// A connection whose socket is another user's.
enum OtherUser {
  static func connection(to port: Int, as user: UInt32) throws -> TestConnection {
    try TestConnection(to: port) { descriptor in fchown(descriptor, user, user) }
  }
}
