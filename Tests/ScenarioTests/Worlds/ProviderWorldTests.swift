import Glibc
import JSONTree
import ModemAPI
import ModemAPIClient
import ModemModel
import OperatorSimulator
import Testing

@testable import ScenarioRunner

/// The small sample provider, asked over both networks of the host.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct ProviderWorldTests {
  private static let scenario = """
    { "providers": [ { "kind": "sample", "secret": "s3cret-of-sample" } ],
      "subscribers": [ { "number": "+4915199999999", "simChangedMinutesAgo": 5 } ] }
    """

  /// Asks as a program of the host would, by the host's own resolver and routes.
  private static func curl(_ world: World, _ arguments: String...) async throws -> CommandResult {
    try await world.run(["curl", "-sS", "-m", "20", "--cacert", world.folder.authority] + arguments)
  }

  /// Asks over the bearer; names are given, as curl would ask the host's resolver.
  private static func curlOverBearer(_ world: World, _ arguments: String...) async throws -> CommandResult {
    let names = world.scenario.providerHosts.flatMap { host in
      (host.securePorts + host.cleartextPorts).flatMap { ["--resolve", "\(host.name):\($0):\(host.addresses[0])"] }
    }
    return try await world.run(
      ["curl", "-sS", "-m", "20", "--cacert", world.folder.authority, "--interface", "wwan0"] + names + arguments)
  }

  @Test func `both networks lead to one provider, which knows who asks by the bearer alone`() async throws {
    try await Worlds.with(Self.scenario) { world in
      _ = try await world.client().call(BearerInterface.Connect.self, .init())
      let outside = try await Self.curl(world, "-4", "https://api.provider.example/caller")
      #expect(outside.output == #"{"isMobile":false,"isSecure":true,"source":"192.0.2.2"}"#, "\(outside.error)")
      let inside = try await Self.curlOverBearer(world, "https://api.provider.example/caller")
      #expect(
        inside.output == #"{"isMobile":true,"isSecure":true,"number":"+4915112345678","source":"10.64.0.2"}"#,
        "\(inside.error)")
      let backend = try await Self.curl(world, "-6", "http://backend.app.example:8080/caller")
      #expect(backend.output == #"{"isMobile":false,"isSecure":false,"source":"2001:db8:ffff::2"}"#, "\(backend.error)")
      let local = try await Self.curl(world, "-4", "http://localhost:8081/caller")
      #expect(local.output == #"{"isMobile":false,"isSecure":false,"source":"127.0.0.1"}"#, "\(local.error)")
      // One state: what came one way is there the other way.
      let kept = try await Self.curl(
        world, "-X", "PUT", "--data-urlencode", "text=über den & hinaus", "https://api.provider.example/note")
      #expect(kept.end == .exited(0), "\(kept.error)")
      let note = try await Self.curlOverBearer(world, "https://api.provider.example/note")
      #expect(note.output == #"{"text":"über den & hinaus"}"#, "\(note.error)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")

      #expect(
        world.requests(.uplink).map(\.description) == [
          "uplink GET api.provider.example /caller", "uplink GET backend.app.example /caller",
          "uplink PUT api.provider.example /note",
        ])
      #expect(
        world.requests(.network).map(\.description) == [
          "operator GET api.provider.example /caller", "operator GET api.provider.example /note",
        ])
      #expect(world.requests(.host).map(\.description) == ["host GET localhost /caller"])
    }
  }

  @Test func `all other hosts still answer that something leaked, and it counts`() async throws {
    try await Worlds.with(Self.scenario, startsDaemons: false) { world in
      for url in [
        "https://check.aggregator.example/checks/4915112345678", "http://he.operator.example/he/start",
        "http://operator.provider.example/caller",
      ] {
        let before = world.leaks.packets
        let answer = try await Self.curl(world, url)
        #expect(answer.output == #"{"leaked":true}"#, "\(url)")
        #expect(world.leaks.packets > before, "\(url)")
      }
      #expect(world.requests(.network).isEmpty)
      #expect(world.requests(.uplink).map(\.place) == ["/checks", "/he", "/caller"])
    }
  }

  @Test func `a service's code comes to the modem with the number, and to no other`() async throws {
    try await Worlds.with(Self.scenario) { world in
      for number in ["+4915199999999", "+4915112345678"] {
        let sent = try await Self.curl(
          world, "-w", "%{http_code}", "--data-urlencode", "number=\(number)", "https://api.provider.example/code")
        #expect(sent.output == "204", "\(number): \(sent.error)")
      }
      let issued = IssuedSecrets(at: world.folder.issuedSecrets).all
      #expect(issued.map(\.kind) == ["one-time code", "one-time code"])
      // The modem has it; the port reads it, and tells modemd.
      var list: [MessagesInterface.Message] = []
      let isThere = try await world.eventually {
        list = try await world.client().call(MessagesInterface.List.self, .init()).messages
        return !list.isEmpty
      }
      #expect(isThere && list.map(\.sender) == ["Sample"])
      #expect(list.first?.text == "Your code is \(issued.last?.value ?? "-").\nIt is good for 2 minutes.")
      var information = stat()
      #expect(stat(world.folder.issuedSecrets, &information) == 0 && information.st_mode & 0o777 == 0o600)
    }
  }
}

extension ProviderWorldTests {
  @Test func `services are told words, another time, and that a SIM was changed`() async throws {
    try await Worlds.with(Self.scenario, startsDaemons: false) { world in
      func clock() async throws -> JSONValue? {
        let url = "https://api.provider.example/clock?number=%2B4915112345678"
        return JSONValue(parsing: try await Self.curl(world, url).output.utf8)
      }
      let before = try await clock()
      #expect(before?["mood"] == nil && before?["simChange"] == nil)
      for line in ["tell sample.mood bright and early", "tell clock 86400", "tell sim-change:+4915112345678 7"] {
        #expect(try await world.perform(line) == "done")
      }
      let told = try await clock()
      #expect(told?["mood"]?.string == "bright and early")
      let times = [before?["time"], told?["time"], told?["simChange"]]
        .compactMap { $0?.string.flatMap { Timestamp(rfc3339: $0) }?.milliseconds }
      try #require(times.count == 3)
      #expect((86_400_000..<86_460_000).contains(times[1] - times[0]))
      #expect((360_000..<480_000).contains(times[0] - times[2]))
      for line in ["tell sample.mood", "tell sim-change:+4915112345678 unknown", "tell clock"] {
        _ = try await world.perform(line)
      }
      let after = try await clock()
      #expect(after?["mood"] == nil && after?["simChange"] == nil)
      await #expect(throws: WorldError.self) { try await world.perform("tell") }
    }
  }
}

/// What modemd is told of providers.
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct ProviderFilesTests {
  /// How modemd of a world was started: its command line and its variables.
  private static func start(of world: World) async throws -> [String] {
    let id = try #require(await world.process(of: .service)).id
    let files = ["cmdline", "environ"].compactMap { Worlds.contents(of: "/proc/\(id)/\($0)") }
    return files.flatMap { $0.split(separator: "\0").map(String.init) }
  }

  @Test func `modemd's files and credentials lie in the world's folder, and modemd is told of them`() async throws {
    let scenario = """
      { "modemdProviders": { "one": { "clientID": "app", "kind": "truID" } },
        "modemdCredentials": { "one.client-secret": "top\\nsecret" } }
      """
    try await Worlds.with(scenario) { world in
      let folder = world.folder
      #expect(Worlds.contents(of: folder.file("providers/one.json")) == #"{"clientID":"app","kind":"truID"}"#)
      #expect(Worlds.contents(of: folder.file("credentials/one.client-secret")) == "top\nsecret")
      var information = stat()
      #expect(stat(folder.file("credentials/one.client-secret"), &information) == 0)
      #expect(information.st_mode & 0o777 == 0o600)
      let words = try await Self.start(of: world)
      #expect(words.contains("CREDENTIALS_DIRECTORY=" + folder.credentials))
      let place = try #require(words.firstIndex(of: "--providers"))
      #expect(words[place + 1] == folder.providers)
    }
  }

  @Test func `a world without providers has empty folders for them, and never reads the machine's own`() async throws {
    try await Worlds.with { world in
      let words = try await Self.start(of: world)
      #expect(
        words.contains(world.folder.providers) && words.contains("CREDENTIALS_DIRECTORY=" + world.folder.credentials))
      #expect(WorldFolder.names(in: world.folder.providers) == [])
      #expect(WorldFolder.names(in: world.folder.credentials) == [])
      for name in ["forwarding", "issued-secrets"] {
        #expect(access(world.folder.file(name), F_OK) != 0, "\(name)")
      }
    }
  }

  @Test(arguments: ["restart", "reload"])
  func `modemd reads files that are added in the world when it is restarted or reloads`(verb: String) async throws {
    try await Worlds.with { world in
      let before = try await world.run(["modemctl", "providers", "--json"])
      #expect(!before.output.contains("added"))
      let script = """
        printf '{"kind":"truID","clientID":"app"}' >"$MODEM_SIMULATOR_PROVIDERS/added.json"
        printf new-secret >"$MODEM_SIMULATOR_CREDENTIALS/added.client-secret"
        modem-simulator control \(verb) modemd
        modemctl providers --json
        """
      let after = try await world.run(["sh", "-euc", script])
      #expect(after.end == .exited(0) && after.output.contains("\"added\""), "\(after.output) \(after.error)")
    }
  }

  @Test func `a program's socket in the world answers for its host, over either network`() async throws {
    let scenario = #"{ "providers": [ { "kind": "program", "socket": "shop" } ] }"#
    let program = """
      import http.server, os, socketserver
      class Handler(http.server.BaseHTTPRequestHandler):
          def do_GET(self):
              body = f'{{"path":"{self.path}","host":"{self.headers["Host"]}"}}'.encode()
              self.send_response(200)
              self.send_header("Content-Type", "application/json")
              self.send_header("Content-Length", str(len(body)))
              self.end_headers()
              self.wfile.write(body)
          def address_string(self): return "-"
          def log_message(self, *_): pass
      socketserver.UnixStreamServer(os.environ["MODEM_SIMULATOR_FOLDER"] + "/shop", Handler).serve_forever()
      """
    try await Worlds.with(scenario) { world in
      let curl = ["curl", "-sS", "--cacert", world.folder.authority, "https://app.example/one?two=3"]
      let nobody = try await world.run(curl)
      #expect(nobody.output.contains("does not answer"), "\(nobody.output) \(nobody.error)")
      let server = try await world.begin(["python3", "-c", program])
      #expect(try await world.eventually { access(world.folder.file("shop"), F_OK) == 0 }, "\(server.error())")
      let host = try await world.run(curl)
      #expect(host.output == #"{"path":"/one?two=3","host":"app.example"}"#, "\(host.output) \(host.error)")
      let bearer = try await world.run(["modemctl", "open", "https://app.example/bearer", "--json"])
      #expect(bearer.output.contains("/bearer") && !bearer.output.contains("leaked"), "\(bearer.output)")
      #expect(world.leaks.packets == 0)
    }
  }
}
