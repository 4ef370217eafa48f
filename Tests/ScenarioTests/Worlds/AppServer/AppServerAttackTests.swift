import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// What somebody on the network, another user or a web page may try with the app's server of the
/// examples.
@Suite(
  "The app's server under attack", .serialized, .timeLimit(.minutes(3)),
  .enabled(if: Worlds.areAllowed && AppServerWorld.python != nil, AppServerWorld.reason))
struct AppServerAttackTests {
  private static let number = #"{"phone_number":"\#(AppServerWorld.own)"}"#

  @Test func `checks, which cost money, need the password, and have a limit`() async throws {
    try await AppServerWorld.run(#", "checksPerMinute": 3"#) { app in
      let before = app.world.requests(.network).count { $0.host == "eu.api.truid.example" }
      for options in [[], ["-u", "app:wrong"], ["-u", "root:\(AppServerWorld.password)"], ["-u", ":"]] {
        for path in ["/subscriber-check", "/v0.2/phone-check", "/sim-check"] {
          let refused = try await app.ask(path, json: Self.number, options)
          #expect(refused.status == 401 && refused["error"] == "unauthenticated", "\(path): \(refused.text)")
        }
        #expect(try await app.ask("/coverage-access-token", options).status == 401)
      }
      #expect(app.world.requests(.network).count { $0.host == "eu.api.truid.example" } == before, "tru.ID was asked")
      var statuses: [Int] = []
      for _ in 0..<6 {
        statuses.append(try await app.ask("/check", json: Self.number, AppServerWorld.authorized).status)
      }
      #expect(statuses.prefix(3) == [200, 200, 200] && statuses.last == 429, "\(statuses)")
    }
  }

  @Test func `a result is told of the server's own checks alone, and a code is used once`() async throws {
    try await AppServerWorld.run { app in
      let authorized = AppServerWorld.authorized
      let made = try await app.ask("/v0.2/subscriber-check", json: Self.number, authorized)
      let id = try #require(made["check_id"], "\(made.text)")
      let opened = try await app.world.run(["modemctl", "open", try #require(made["check_url"]), "--reveal", "--json"])
      let last = try #require(opened.output.split(separator: "\n").last)
      let answer = JSONValue(parsing: Array(last.utf8))?["outcome"]?["answer"]?["json"]
      let code = try #require(answer?["code"]?.string, "\(last)")
      let fields = #"{"check_id":"\#(id)","code":"\#(code)"}"#
      let verdict = try await app.ask("/v0.2/subscriber-check/exchange-code", json: fields, authorized)
      #expect(verdict.body?["match"] == .bool(true) && verdict["session"] != nil, "\(verdict.text)")
      let again = try await app.ask("/v0.2/subscriber-check/exchange-code", json: fields, authorized)
      #expect(again.status == 400 && again["error"] == "invalid_grant", "\(again.text)")
      let read = try await app.ask("/v0.2/subscriber-check?check_id=\(id)", authorized)
      #expect(read.body?["match"] == .bool(true) && read["session"] == nil, "one check is one session: \(read.text)")
      for path in [
        "/v0.1/subscriber-check?check_id=\(id)", "/v0.2/phone-check?check_id=\(id)", "/subscriber-check/\(id)",
        "/subscriber-check/00000000000000000000000000000000", "/subscriber-check/..%2f..%2foauth2",
      ] {
        let other = try await app.ask(path, authorized + ["--path-as-is"])
        #expect(other.status == 404, "\(path): \(other.text)")
      }
    }
  }

  @Test func `what is malformed, too large or another site's is refused`() async throws {
    try await AppServerWorld.run { app in
      let start = "/ipification/start"
      let large = #"{"phone_number":"\#(String(repeating: "1", count: 20_000))"}"#
      let rows: [(String, String?, [String], Int)] = [
        (start, large, [], 413), (start, "[]", [], 400), (start, #"{"phone_number":7}"#, [], 400),
        (start, #"{"phone_number":"1; DROP"}"#, [], 400), (start, #"{"other":""}"#, [], 400),
        (start, String(repeating: "[", count: 10_000), [], 400),
        (start, Self.number, ["-H", "Content-Type: text/plain"], 415),
        (start, Self.number, ["-H", "Origin: https://evil.example"], 403),
        (start, Self.number, ["-H", "Origin: https://app.example"], 201),
        (start, Self.number, ["-X", "PUT"], 404), ("/nothing", nil, [], 401),
        ("/nothing", nil, AppServerWorld.authorized, 404),
        ("/mobile-connect/server_side_api/start_discovery?msisdn=49&msisdn=50", nil, [], 400),
        ("/mobile-connect/server_side_api/start_discovery?msisdn=1%26x=2", nil, [], 400),
        ("/mobile-connect/server_side_api/start_discovery?sourceIp=%0d%0aX-Evil:1", nil, [], 400),
      ]
      for (path, json, options, status) in rows {
        let answer = try await app.ask(path, json: json, options)
        #expect(
          answer.status == status, "\(path) \(json?.prefix(40) ?? "") \(options): \(answer.status) \(answer.text)")
      }
      let socket = app.world.folder.file("app-server")
      let rebound = try await app.ask(
        "http://evil.example/ipification/start", json: Self.number, ["--unix-socket", socket])
      #expect(rebound.status == 421, "\(rebound.text)")
      // Directly, because the world's proxy sends whole bodies.
      for (field, status) in [
        ("Transfer-Encoding: chunked", 411), ("Content-Length: -1", 400), ("Content-Length: 9999999999", 400),
      ] {
        let answer = try await app.ask(
          "http://localhost/ipification/start", json: Self.number, ["--unix-socket", socket, "-H", field])
        #expect(answer.status == status, "\(field): \(answer.text)")
      }
      // The redirect of a session must be the registered URI as a whole, with each parameter once.
      let (session, redirect) = try await app.authorize("ipification", AppServerWorld.own)
      let evil = redirect.split(separator: "?").joined(separator: "x?")
      #expect(try await app.finish("ipification", session, evil).status == 400)
      let (second, twice) = try await app.authorize("ipification", AppServerWorld.own)
      let doubled = try await app.finish("ipification", second, twice + "&code=another")
      #expect(doubled.status == 400 && doubled["error"] == "bad_request", "\(doubled.text)")
      // Somebody who saw a code go by has no nonce.
      let (_, seen) = try await app.authorize("ipification", AppServerWorld.own)
      let code = try #require(seen.split(separator: "=").dropFirst().first?.split(separator: "&").first)
      let stolen = JSONValue.object([
        "code": .string(String(code)), "redirect_uri": .string("com.example.app://ip/callback"),
        "login_hint": .string(String(AppServerWorld.own.dropFirst())),
      ])
      let refused = try await app.ask("/ipification/complete", json: stolen.text)
      #expect(refused.status == 403 && refused["error"] == "token_refused", "\(refused.text)")
    }
  }

  @Test func `other users cannot reach the socket, and many idle connections end`() async throws {
    try await AppServerWorld.run { app in
      var information = stat()
      #expect(stat(app.world.folder.file("app-server"), &information) == 0 && information.st_mode & 0o777 == 0o660)
      let idle = """
        import os, socket
        held = []
        for _ in range(60):
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(os.environ["MODEM_SIMULATOR_FOLDER"] + "/app-server")
            held.append(connection)
        print("held", flush=True)
        assert all(connection.recv(1) == b"" for connection in held)
        """
      let holder = try await app.world.begin([try #require(AppServerWorld.python), "-c", idle])
      #expect(try await app.world.eventually { holder.output().contains("held") })
      #expect(try await app.ask("/session").status == 401, "others are answered meanwhile")
      #expect(await holder.process.waitForEnd() == .exited(0), "\(holder.error())")
    }
  }

  @Test func `it starts with secrets from private files and behind TLS alone, and says what is wrong`() async throws {
    try await Worlds.with(#"{ "providers": [ { "kind": "truID" } ] }"#, startsDaemons: false) { world in
      let folder = world.folder
      try folder.makeFolder("app")
      for name in ["app.password", "truid.client-secret"] {
        try folder.write("secret-text", to: "app/\(name)", mode: 0o600)
      }
      let certificates =
        #""certificate": "\#(folder.file("certificates/app.truid-demo.example.pem"))", "key": "\#(folder.file("certificates/app.truid-demo.example.key"))""#
      let truID = #""truID": { "clientID": "app" }"#
      let credentials = [
        "--secret-file", "app.password=\(folder.file("app/app.password"))",
        "--secret-file", "truid.client-secret=\(folder.file("app/truid.client-secret"))",
      ]
      func start(_ settings: String, _ options: [String]) async throws -> RunningCommand {
        try folder.write(settings, to: "app/settings.json")
        return try await world.begin(
          [
            try #require(AppServerWorld.python), AppServerWorld.program, "--configuration",
            folder.file("app/settings.json"),
          ]
            + options)
      }
      let rows: [(String, [String], String)] = [
        ("{ \(truID) }", [], "the secret app.password is missing; give --secret-file app.password=PATH"),
        (
          "{ \(truID), \"listen\": \"0.0.0.0:8080\" }", credentials,
          "listen is no loopback address, and there is no tls"
        ),
        ("{ \(truID), \"colour\": \"red\" }", credentials, "colour is not known; known are authorities"),
        (#"{ "truID": {} }"#, credentials, "truID.clientID is missing"),
        (
          #"{ "truID": { "clientID": "app", "api": "http://api.example" } }"#, credentials,
          "truID.api is not an https URL"
        ),
        ("{}", credentials, "no provider is configured"), ("[", [], "is no JSON"),
      ]
      for (settings, options, words) in rows {
        let server = try await start(settings, options)
        #expect(await server.process.waitForEnd() == .exited(2), "\(settings)")
        #expect(server.error().contains(words) && !server.error().contains("Traceback"), "\(server.error())")
      }
      chmod(folder.file("app/app.password"), 0o644)
      let open = try await start("{ \(truID) }", credentials)
      #expect(await open.process.waitForEnd() == .exited(2))
      #expect(open.error().contains("the file of the secret app.password is open to every user"), "\(open.error())")
      chmod(folder.file("app/app.password"), 0o600)

      let server = try await start(
        #"{ \#(truID), "tls": { \#(certificates) }, "publicURL": "https://app.truid-demo.example", "listen": "0.0.0.0:8443" }"#,
        credentials)
      #expect(try await world.eventually { server.error().contains("listens at") || server.process.end != nil })
      let curl = [
        "curl", "-sS", "--cacert", folder.authority, "--resolve", "app.truid-demo.example:8443:127.0.0.1",
        "https://app.truid-demo.example:8443/session",
      ]
      let answer = try await world.run(curl)
      #expect(answer.output.contains("unauthenticated"), "\(answer.output) \(answer.error) \(server.error())")
      server.process.send(SIGTERM)
      #expect(await server.process.waitForEnd() == .exited(0))
    }
  }
}
