import Glibc
import JSONTree
import Testing

@testable import BrowserBridge
@testable import LoopbackHTTP

/// What other pages, other users and other programs try with the bridge for `fetch`. modemd is
/// asked nothing.
@Suite("Attacks on the bridge for fetch", .timeLimit(.minutes(1)))
struct FetchAttackTests {
  /// Sends requests that are all refused.
  private static func refused(_ rows: [(String, Int, [String: String])]) async throws {
    try await FetchWorld.run { world in
      for (name, status, changes) in rows {
        let answer = try await world.post(FetchWorld.call(), changes)
        #expect(answer.status == status, "\(name): \(answer.text)")
        #expect(answer.field("access-control-allow-origin") != "*", "\(name)")
      }
      #expect(world.modemd.numbers == [])
    }
  }

  @Test func `only a configured origin is answered, exactly as it is configured`() async throws {
    try await Self.refused([
      ("none", 403, ["Origin": ""]), ("null", 403, ["Origin": "null"]), ("any", 403, ["Origin": "*"]),
      ("another", 403, ["Origin": "https://evil.example"]), ("in the clear", 403, ["Origin": "http://kiosk.example"]),
      ("another port", 403, ["Origin": "https://kiosk.example:8443"]),
      ("the usual port", 403, ["Origin": "https://kiosk.example:443"]),
      ("longer", 403, ["Origin": "https://kiosk.example.evil.example"]),
      ("a user", 403, ["Origin": "https://kiosk.example@evil.example"]),
      ("large letters", 403, ["Origin": "https://KIOSK.example"]),
      ("a path", 403, ["Origin": "https://kiosk.example/"]),
      ("two in one", 403, ["Origin": "https://kiosk.example https://kiosk.example"]),
      ("its own", 403, ["Origin": "http://127.0.0.1:61978"]),
    ])
    try await FetchWorld.run { world in
      let twice = world.text(FetchWorld.call()).replacing(
        "Origin: \(FetchWorld.origin)\r\n", with: "Origin: \(FetchWorld.origin)\r\nOrigin: \(FetchWorld.origin)\r\n")
      #expect(try await world.browser.send(twice).status == 403)
      let stranger = try await world.post(FetchWorld.call(), ["Origin": "https://evil.example"])
      #expect(stranger.field("access-control-allow-origin") == nil && stranger.field("vary") == "Origin")
      #expect(world.modemd.numbers == [])
    }
  }

  @Test func `another name of this machine is another server`() async throws {
    try await FetchWorld.run { world in
      let port = world.browser.port
      for host in [
        "rebound.example:\(port)", "127.0.0.1", "127.0.0.1:80", "127.0.0.2:\(port)", "localhost.:\(port)",
        "127.0.0.1:0\(port)", "2130706433:\(port)", "[::]:\(port)", "",
      ] {
        let answer = try await world.post(FetchWorld.call(), ["Host": host])
        #expect(answer.status == 421, "\(host): \(answer.text)")
        #expect(answer.field("access-control-allow-origin") == nil)
      }
      #expect(world.modemd.numbers == [])
      for host in ["127.0.0.1:\(port)", "localhost:\(port)", "[::1]:\(port)"] {
        #expect(try await world.post(FetchWorld.call(), ["Host": host]).status == 200)
      }
    }
  }

  @Test func `what a page can send without a preflight is refused`() async throws {
    try await Self.refused([
      ("a plain text", 415, ["Content-Type": "text/plain"]), ("nothing", 415, ["Content-Type": ""]),
      ("a form", 415, ["Content-Type": "application/x-www-form-urlencoded"]),
      ("parts", 415, ["Content-Type": "multipart/form-data; boundary=x"]),
      ("two types", 415, ["Content-Type": "application/json, text/plain"]),
      ("a hidden type", 415, ["Content-Type": "text/plain; application/json"]),
      ("a parameter", 415, ["Content-Type": "application/json; charset=utf-8"]),
      ("another JSON", 415, ["Content-Type": "application/json+x"]),
      ("a navigation", 403, ["Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"]),
      ("without CORS", 403, ["Sec-Fetch-Mode": "no-cors"]), ("a frame", 403, ["Sec-Fetch-Dest": "iframe"]),
      ("no browser", 403, ["Sec-Fetch-Mode": "", "Sec-Fetch-Dest": "", "Sec-Fetch-Site": ""]),
      ("its own page", 403, ["Sec-Fetch-Site": "same-origin"]),
      ("loaded ahead", 403, ["Sec-Purpose": "prefetch"]), ("a cookie", 403, ["Cookie": "a=b"]),
      ("a password", 403, ["Authorization": "Basic eDp5"]),
    ])
  }

  @Test func `there is one path, and one method`() async throws {
    try await FetchWorld.run { world in
      for (line, status) in [
        ("GET /call", 405), ("HEAD /call", 405), ("PUT /call", 405), ("DELETE /call", 405), ("POST /", 404),
        ("POST /call?x=1", 404), ("POST /call/", 404), ("POST //call", 404), ("GET /start?ticket=x", 404),
        ("GET /inspect", 404), ("POST /begin", 404),
      ] {
        let answer = try await world.browser.send(world.text(FetchWorld.call(), line: line))
        #expect(answer.status == status, "\(line): \(answer.text)")
      }
      // An image, a script, a frame or a link has no origin.
      #expect(try await world.browser.get("/call").status == 403)
      #expect(world.modemd.numbers == [])
    }
  }

  @Test func `a preflight is answered exactly, and only if it asks for no more`() async throws {
    try await FetchWorld.run { world in
      func ask(_ changes: [String: String] = [:]) async throws -> TestBrowser.Answer {
        let own = [
          "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type",
          "Content-Type": "", "Content-Length": "",
        ]
        return try await world.browser.send(
          world.text("", own.merging(changes) { $1 }, line: "OPTIONS /call"))
      }
      let good = try await ask()
      #expect(good.status == 204)
      for (name, value) in [
        ("allow-origin", FetchWorld.origin), ("allow-methods", "POST"), ("allow-headers", "content-type"),
        ("max-age", "600"),
      ] { #expect(good.field("access-control-\(name)") == value) }
      #expect(good.field("vary") == "Origin" && good.field("access-control-allow-credentials") == nil)
      for changes in [
        ["Access-Control-Request-Method": "PUT"], ["Access-Control-Request-Method": ""],
        ["Access-Control-Request-Headers": "content-type,authorization"], ["Access-Control-Request-Headers": ""],
        ["Origin": "null"], ["Origin": "https://evil.example"], ["Sec-Fetch-Mode": "no-cors"],
      ] {
        let answer = try await ask(changes)
        #expect(answer.status == 403 && answer.field("access-control-allow-methods") == nil, "\(changes)")
      }
      #expect(try await ask(["Host": "rebound.example:\(world.browser.port)"]).status == 421)
      #expect(world.modemd.numbers == [])
    }
  }

  @Test func `bodies are read strictly and before anything happens`() async throws {
    try await FetchWorld.run { world in
      let rows: [(String, Int, String)] = [
        ("", 400, "badMessage"), ("[]", 400, "badMessage"), ("{", 400, "badMessage"),
        (#"{"call":"verify"}"#, 400, "badArgument"), (#"{"id":-1,"call":"verify"}"#, 400, "badArgument"),
        (#"{"id":1,"call":"verify","origin":"x"}"#, 400, "badArgument"),
        (FetchWorld.call("login", #"{"user":"a"}"#), 403, "notAllowed"),
        (FetchWorld.call("open", #"{"origin":"https://kiosk.example"}"#), 403, "notAllowed"),
        (FetchWorld.call("GetNumber"), 403, "notAllowed"),
        (FetchWorld.call("verify", #"{"number":"4711"}"#), 400, "badArgument"),
        (FetchWorld.call("verify", #"{"number":"+4915112345678","reveal":true}"#), 400, "badArgument"),
        (#"{"id":1,"call":"answer","parameters":{"value":"123456"}}"#, 400, "badArgument"),
      ]
      for (body, status, name) in rows {
        let answer = try await world.post(body)
        #expect(answer.status == status && answer.events.last?["error"]?["name"]?.string == name, "\(body)")
        #expect(answer.field("access-control-allow-origin") == FetchWorld.origin, "its own page may read why")
      }
      #expect(try await world.post(FetchWorld.call("simChange"), ["Origin": FetchWorld.other]).status == 403)
      #expect(try await world.post(String(repeating: " ", count: 5000)).status == 413)
      // Half a body is none.
      let half = try TestConnection(to: world.browser.port)
      try half.send(world.text(FetchWorld.call(), ["Content-Length": "4000"]))
      half.abort()
      let pieces = try await world.post("", ["Transfer-Encoding": "chunked", "Content-Length": ""])
      #expect(pieces.status == 400)
      #expect(world.modemd.numbers == [])
    }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to be another user"))
  func `another user's connection gets 403 and no word, whatever it says`() async throws {
    try await FetchWorld.run { world in
      for user in [UInt32(61_500), 65_534] {
        for text in [
          world.text(FetchWorld.call()), world.text("", line: "OPTIONS /call"), world.text("", ["Host": "x"]),
          world.text("{", ["Origin": "null"]),
        ] {
          // The socket's user follows its file's (fchown(2), sockfs).
          let connection = try TestConnection(to: world.browser.port) { fchown($0, user, user) }
          try connection.send(text)
          let answer = try await TestBrowser.blocking {
            TestBrowser.Answer(text: String(decoding: try connection.rest(), as: UTF8.self))
          }
          #expect(answer.status == 403 && answer.body.isEmpty, "\(answer.text)")
          #expect(answer.field("access-control-allow-origin") == nil && answer.field("allow") == nil)
        }
      }
      #expect(world.modemd.numbers == [])
    }
    // Root is another user, too, where the kiosk's is not root.
    try await FetchWorld.run(user: 61_500) { world in
      let answer = try await world.post(FetchWorld.call())
      #expect(answer.status == 403 && answer.body.isEmpty && world.modemd.numbers == [])
    }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to be another user"))
  func `another user who sends and closes at once is not root, as the kernel's list has it then`() async throws {
    try await FetchWorld.run { world in
      for _ in 0..<20 {
        let connection = try TestConnection(to: world.browser.port) { fchown($0, 61_500, 61_500) }
        try connection.send(world.text(FetchWorld.call()))
        connection.finish()
        let answer = try await TestBrowser.blocking { String(decoding: try connection.rest(), as: UTF8.self) }
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 403 "), "\(answer)")
      }
      #expect(world.modemd.numbers == [])
      // One that stays, of this process's user, is answered after them.
      #expect(try await world.post(FetchWorld.call()).status == 200)
      #expect(world.modemd.numbers == [FetchWorld.number])
    }
  }

  @Test func `an origin's calls in a minute and at one time are limited, and each of its own`() async throws {
    try await FetchWorld.run(#", "flows": 1"#) { world in
      world.modemd.change { $0.waits = true }
      let connection = try TestConnection(to: world.browser.port)
      try connection.send(world.text(FetchWorld.call()))
      _ = try await TestBrowser.blocking { try connection.read(until: "createCheck") }
      let busy = try await world.post(FetchWorld.call())
      #expect(busy.status == 429 && busy.events.last?["error"]?["name"]?.string == "busy")
      connection.abort()
      try await world.left(1)
      world.modemd.change { $0.waits = false }
      // The other origin has 10 in a minute.
      var statuses: [Int] = []
      for _ in 0..<11 {
        statuses.append(try await world.post(FetchWorld.call(), ["Origin": FetchWorld.other]).status)
      }
      #expect(statuses == Array(repeating: 200, count: 10) + [429])
      let late = try await world.post(FetchWorld.call(), ["Origin": FetchWorld.other])
      #expect(late.field("retry-after").flatMap { Int($0) } ?? 0 >= 1, "\(late.text)")
      #expect(late.events.last?["error"]?["name"]?.string == "tooMany")
      #expect(try await world.post(FetchWorld.call()).status == 200)
    }
  }
}
