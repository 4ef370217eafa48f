import FirebaseAPI
import Glibc
import ModemAPI
import ModemAPIClient
import OperatorSimulator
import Testing
import Varlink

@testable import ScenarioRunner

/// modemd reads its files anew at SIGHUP, as `systemctl reload` sends it.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct ReloadWorldTests {
  /// No modem of the world has it.
  private static let number = "+4915199999991"
  private static let path = "/checks/4915112345678"
  private static let provider = """
    { "kind": "firebase", "emulator": "firebase.example:9099",
      "simCheck": { "backend": "https://signin.app.example" } }
    """
  private static let scenario = """
    { "providers": [ { "kind": "firebase" } ], "settings": {},
      "subscribers": [ { "number": "+4915112345678" }, { "number": "\(number)", "simChangedMinutesAgo": 50000 } ],
      "modemdCredentials": { "first.api-key": "api-key-of-first", "second.api-key": "api-key-of-second" },
      "modemdProviders": { "first": \(provider) } }
    """
  private static let success = "reloaded:"
  private static let failure = "the reload changed nothing:"

  /// Asks for a reload, and waits until the log says how it ended.
  private static func reload(
    _ world: World, _ daemon: World.Daemon = .service, expecting words: String
  ) async throws {
    func count() -> Int {
      (Worlds.contents(of: world.folder.log(of: daemon.rawValue)) ?? "").split(separator: "\n")
        .count { $0.contains(words) }
    }
    let before = count()
    await world.process(of: daemon)?.send(SIGHUP)
    #expect(try await world.eventually { count() > before }, "\(world.folder.tail(of: daemon.rawValue))")
  }

  private static func names(_ client: ModemAPIClient) async throws -> [String] {
    try await client.call(VerifyInterface.Providers.self, .init()).providers.map(\.name)
  }

  @Test func `files of providers appear and go, for connections that are open too`() async throws {
    try await Worlds.with(Self.scenario) { world in
      let client = try await world.client()
      #expect(try await Self.names(client) == ["first"])
      try world.folder.write(Self.provider, to: "providers/second.json")
      #expect(try await Self.names(client) == ["first"])
      try await Self.reload(world, expecting: Self.success)
      #expect(try await Self.names(client) == ["first", "second"])
      unlink(world.folder.file("providers/first.json"))
      try await Self.reload(world, expecting: Self.success)
      #expect(try await Self.names(client) == ["second"])
      #expect(await world.process(of: .service)?.end == nil)
    }
  }

  @Test func `a file that cannot be used changes nothing, and the log names it and the key`() async throws {
    try await Worlds.with(Self.scenario) { world in
      try world.folder.write(Self.provider, to: "providers/second.json")
      for (settings, key) in [
        (#"{ "check": { "histroyLimit": 5 } }"#, "check.histroyLimit"),
        (#"{ "limits": { "userCalls": 0 } }"#, "limits.userCalls"),
        (#"{ "access": { "table": { "org.modemd.Nothing": ["root"] } } }"#, "org.modemd.Nothing"), ("{", "JSON"),
      ] {
        try world.folder.write(settings, to: "modemd.json")
        try await Self.reload(world, expecting: Self.failure)
        let log = Worlds.contents(of: world.folder.log(of: "modemd")) ?? ""
        #expect(log.split(separator: "\n").last { $0.contains(Self.failure) }?.contains(key) == true, "\(key)")
        #expect(try await Self.names(world.client()) == ["first"], "\(key)")
      }
      #expect(await world.process(of: .service)?.end == nil)
      try world.folder.write("{}", to: "modemd.json")
      try await Self.reload(world, expecting: Self.success)
      #expect(try await Self.names(world.client()) == ["first", "second"])
    }
  }

  @Test func `a check under way ends by the rules that it began with, and the next one has the new ones`() async throws
  {
    try await Worlds.with(Self.scenario) { world in
      let strict = #"{ "check": { "cleartextDomains": ["nothing.example"] } }"#
      // The answer that leads to cleartext comes after the reload.
      let before = try await world.walk(Self.path + "?slow_hop=2&slow_ms=4000") { hop in
        guard hop == 1 else { return }
        try world.folder.write(strict, to: "modemd.json")
        try await Self.reload(world, expecting: Self.success)
      }
      #expect(before.outcome?.answer?.status == 200, "\(before.words)")
      let after = try await world.walk(Self.path)
      #expect(after.cause == .refusedByPolicy, "\(after.words)")
      // Root sees all that were remembered: the history outlives a reload.
      let past = try await world.client().call(CheckInterface.History.self, .init()).checks
      #expect(past.count == 2)
    }
  }

  @Test func `a sign-in goes on with its provider, and takes the code, after the provider's file has gone`()
    async throws
  {
    try await Worlds.with(Self.scenario) { world in
      let replies = try await world.client().stream(
        PhoneSignInInterface.SignIn.self, .init(number: Self.number, codeFrom: .caller, provider: "first"))
      var last: PhoneSignInInterface.SignIn.Reply?
      for try await reply in replies {
        last = reply
        guard reply.event == .codeWanted else { continue }
        try world.folder.write(Self.provider, to: "providers/second.json")
        unlink(world.folder.file("providers/first.json"))
        try await Self.reload(world, expecting: Self.success)
        let code = IssuedSecrets(at: world.folder.issuedSecrets).all.last { $0.kind == "one-time code" }?.value ?? "-"
        _ = try await world.client().call(
          PhoneSignInInterface.GiveCode.self, .init(flow: reply.flow ?? "", code: code))
      }
      #expect(last?.outcome?.result == .signedIn && last?.outcome?.provider == "first", "\(last?.outcome?.text ?? "-")")
      #expect(try await Self.names(world.client()) == ["second"])
    }
  }

  @Test func `a port reads its settings anew, its bearer stays, and what needs a restart is named`() async throws {
    var options = World.Options()
    options.portSettings = "{}"
    try await Worlds.with(Self.scenario, options: options) { world in
      let client = try await world.client()
      let before = try await client.call(BearerInterface.Connect.self, .init()).bearer
      func numbers() async throws -> [String] {
        try await client.call(ModemInterface.Get.self, .init()).modem.sim.numbers.map(\.number)
      }
      #expect(try await !numbers().contains("+4915112340000"))
      try world.folder.write(
        #"{ "sim": { "numbers": ["+4915112340000"] }, "bearer": { "guard": "off" } }"#, to: "modemd-port.json")
      try await Self.reload(world, .port, expecting: Self.success)
      #expect(try await world.eventually { try await numbers().contains("+4915112340000") })
      let log = Worlds.contents(of: world.folder.log(of: "modemd-port")) ?? ""
      #expect(log.contains("bearer.guard will apply when the port is restarted"))
      try world.folder.write(#"{ "sim": { "number": [] } }"#, to: "modemd-port.json")
      try await Self.reload(world, .port, expecting: Self.failure)
      #expect(try await numbers().contains("+4915112340000"))
      let after = try await client.call(BearerInterface.Get.self, .init()).bearer
      #expect(after.state == .up && after.since == before.since)
      #expect(await world.process(of: .port)?.end == nil)
    }
  }
}
