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
  @Test func `modemd's files and credentials lie in the world's folder, and modemd is told of them`() async throws {
    let scenario = """
      { "modemdProviders": { "one": { "kind": "example", "limit": 3 } },
        "modemdCredentials": { "one.client-secret": "top\\nsecret" } }
      """
    try await Worlds.with(scenario, startsDaemons: false) { world in
      let folder = world.folder
      #expect(Worlds.contents(of: folder.file("providers/one.json")) == #"{"kind":"example","limit":3}"#)
      #expect(Worlds.contents(of: folder.file("credentials/one.client-secret")) == "top\nsecret")
      var information = stat()
      #expect(stat(folder.file("credentials/one.client-secret"), &information) == 0)
      #expect(information.st_mode & 0o777 == 0o600)
      #expect(await world.providerArguments == ["--providers", folder.file("providers")])
      #expect(await world.providerVariables == ["CREDENTIALS_DIRECTORY": folder.file("credentials")])
    }
  }

  @Test func `a world without providers is as it was`() async throws {
    try await Worlds.with(startsDaemons: false) { world in
      #expect(await world.providerArguments.isEmpty)
      #expect(await world.providerVariables.isEmpty)
      for name in ["providers", "credentials", "forwarding", "issued-secrets"] {
        #expect(access(world.folder.file(name), F_OK) != 0, "\(name)")
      }
    }
  }
}
