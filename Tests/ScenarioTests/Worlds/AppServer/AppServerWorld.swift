import Glibc
import JSONTree
import Testing

@testable import ScenarioRunner

/// The world Scenarios/app-server with Examples/app-server running in it, and modemd that knows it.
struct AppServerWorld {
  static let program = "\(Worlds.repository)/Examples/app-server/app_server.py"
  static let python: String? = ["/usr/bin/python3", "\(Worlds.repository)/.build/venv/bin/python3"]
    .first { access($0, X_OK) == 0 }
  static let reason: Comment = "a simulated world needs root and /dev/net/tun, and the app's server Python 3"
  static let own = "+4915112345678"
  static let other = "+4915155555502"
  static let swapped = "+4915155555503"
  static let password = "password-of-the-app"

  let world: World
  let server: RunningCommand

  /// The server's settings; `members` come after those of the four providers.
  static func settings(_ world: World, _ members: String = "") -> String {
    """
    { "publicURL": "https://app.example", "authorities": "\(world.folder.authority)",
      "truID": { "api": "https://eu.api.truid.example", "clientID": "app" },
      "ipification": { "host": "https://api.ipification.example", "clientID": "app",
        "redirectURI": "com.example.app://ip/callback" },
      "camara": { "root": "https://api.camara.example", "authorizationEndpoint": "https://auth.camara.example/authorize",
        "tokenEndpoint": "https://auth.camara.example/token", "clientID": "app",
        "redirectURI": "com.example.app://camara/callback" },
      "mobileConnect": { "discovery": "https://discover.exchange.example/v2/discovery",
        "discoveryClientID": "app-at-exchange",
        "redirectURI": "https://app.example/mobile-connect/server_side_api/discovery_callback" }\(members) }
    """
  }

  static let secrets = [
    "app.password": password, "truid.client-secret": "app-secret-at-truid",
    "ipification.client-secret": "app-secret-at-ipification", "camara.client-secret": "app-secret-at-camara",
    "mobile-connect.discovery-secret": "app-secret-at-exchange", "tickets.token": "secret-of-the-tickets",
  ]

  /// modemd's files: every way in which modemd asks an app's server.
  static let providers = [
    "truid":
      #""kind": "truID", "backend": { "url": "https://app.example", "user": "app" }, "version": "v0.2", "product": "subscriberCheck", "checkDomains": ["truid.example"]"#,
    "older":
      #""kind": "truID", "backend": { "url": "https://app.example", "user": "app" }, "version": "v0.1", "product": "subscriberCheck", "checkDomains": ["truid.example"]"#,
    "ip":
      #""kind": "ipification", "host": "https://api.ipification.example", "clientID": "app", "redirectURI": "com.example.app://ip/callback", "backend": "https://app.example/ipification/complete""#,
    "button": #""kind": "mobileConnect", "appServer": { "url": "https://app.example" }"#,
  ]

  static func run(_ settings: String = "", _ body: (AppServerWorld) async throws -> Void) async throws {
    let text = try #require(Worlds.contents(of: "\(Worlds.repository)/Scenarios/app-server/scenario.json"))
    try await Worlds.with(text) { world in
      let folder = world.folder
      for (name, members) in providers { try folder.write("{ \(members) }", to: "providers/\(name).json") }
      for name in ["truid", "older"] {
        try folder.write(password, to: "credentials/\(name).backend-password", mode: 0o600)
      }
      _ = try await world.perform("restart modemd")
      let server = try await start(world, settings, listen: "unix:\(folder.file("app-server"))")
      let app = AppServerWorld(world: world, server: server)
      try await body(app)
      // Neither the example's log nor its end has a secret, a number or a code.
      server.process.send(SIGTERM)
      #expect(await server.process.waitForEnd() == .exited(0))
      let log = CollectedText(name: "app-server", text: server.output() + server.error())
      #expect(world.secretSearch.findings(in: log) == [], "\(log.text)")
      #expect(!log.text.contains(password) && !log.text.contains("Traceback"), "\(log.text)")
      #expect(world.leaks.packets == 0)
    }
  }

  /// Starts the example with the secrets in a folder as systemd makes it, and waits until it
  /// listens.
  static func start(_ world: World, _ settings: String, listen: String) async throws -> RunningCommand {
    let folder = world.folder
    try folder.makeFolder("app")
    for (name, secret) in secrets { try folder.write(secret + "\n", to: "app/\(name)", mode: 0o600) }
    try folder.write(Self.settings(world, settings), to: "app/settings.json")
    let server = try await world.begin([
      "env", "CREDENTIALS_DIRECTORY=\(folder.file("app"))", try #require(python), program, "--configuration",
      folder.file("app/settings.json"), "--listen", listen,
    ])
    #expect(try await world.eventually { server.error().contains("listens at") || server.process.end != nil })
    #expect(server.process.end == nil, "\(server.error())")
    return server
  }

  struct Answer {
    let status: Int
    let body: JSONValue?
    let text: String

    subscript(_ name: String) -> String? { body?[name]?.string }
  }

  /// Asks the server as a program of the host would.
  func ask(_ path: String, json: String? = nil, _ options: [String] = []) async throws -> Answer {
    let body = json.map { ["-H", "Content-Type: application/json", "-d", $0] } ?? []
    let url = path.contains("://") ? path : "https://app.example\(path)"
    let result = try await world.run(
      ["curl", "-sS", "--cacert", world.folder.authority, "-w", "\n%{http_code}"] + body + options + [url])
    let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.dropLast().joined(separator: "\n")
    return Answer(
      status: lines.last.flatMap { Int($0) } ?? 0, body: JSONValue(parsing: Array(text.utf8)),
      text: text + result.error)
  }

  static let authorized = ["-u", "app:\(password)"]

  /// Begins a flow, and opens its URL over the bearer; returns the session and the whole redirect.
  func authorize(_ kind: String, _ number: String) async throws -> (session: String, redirect: String) {
    let start = try await ask("/\(kind)/start", json: #"{"phone_number":"\#(number)"}"#)
    #expect(start.status == 201, "\(start.text)")
    let url = try #require(start["authorization_url"])
    let redirectURI = try #require(start["redirect_uri"])
    let opened = try await world.run(
      ["modemctl", "open", url, "--redirect-uri", redirectURI, "--reveal", "--json"])
    let outcome = try #require(opened.output.split(separator: "\n").last, "\(opened.error)")
    let redirect = JSONValue(parsing: Array(outcome.utf8))?["outcome"]?["redirect"]?["uri"]?.string
    return (try #require(start["session"]), try #require(redirect, "\(opened.output) \(opened.error)"))
  }

  func finish(_ kind: String, _ session: String, _ redirect: String) async throws -> Answer {
    let fields = JSONValue.object(["session": .string(session), "redirect": .string(redirect)])
    return try await ask("/\(kind)/finish", json: fields.text)
  }
}
