import FirebaseAPI
import FoundationEssentials
import Glibc
import ModemAPI
import ModemAPIClient
import Testing
import Varlink

@testable import ScenarioRunner

/// Sign-in by phone through both daemons, against a Firebase that sends its codes to the simulated
/// modem.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct SignInWorldTests {
  /// The modem's own.
  private static let own = "+4915112345678"
  /// No modem of the world has them.
  private static let elsewhere = "+4915199999991"
  private static let swapped = "+4915199999992"
  private static let unknown = "+4915199999993"
  private static let stalled = "+4915199999994"

  private static let scenario = """
    { "providers": [ { "kind": "firebase", "stalledNumbers": ["\(stalled)"] } ],
      "subscribers": [
        { "number": "\(own)", "simChangedMinutesAgo": 50000 },
        { "number": "\(elsewhere)", "simChangedMinutesAgo": 50000 },
        { "number": "\(swapped)", "simChangedMinutesAgo": 5 }, { "number": "\(unknown)" } ],
      "modemdCredentials": { "project.api-key": "api-key-of-the-world" },
      "modemdProviders": {
        "project": { "kind": "firebase", "emulator": "firebase.example:9099",
          "code": { "sender": "Firebase", "pattern": "{digits:6} is your verification code", "seconds": 60 },
          "simCheck": { "backend": "https://signin.app.example" } },
        "impatient": { "kind": "firebase", "emulator": "firebase.example:9099", "code": { "seconds": 1 },
          "simCheck": { "backend": "https://signin.app.example" } },
        "over-bearer": { "kind": "firebase", "emulator": "firebase.example:9099",
          "simCheck": { "backend": "https://signin.app.example", "route": "bearer" } } } }
    """

  private struct Walk: Sendable {
    var steps: [PhoneSignInInterface.Step] = []
    var outcome: PhoneSignInInterface.Outcome?
    var user: PhoneSignInInterface.User?

    var names: [String] { steps.map(\.name) }
    var words: String { "\(names) \(outcome?.result.rawValue ?? "-"): \(outcome?.text ?? "-")" }
  }

  /// - Parameter onCode: called when a code is wanted, with the flow's name.
  private static func signIn(
    _ world: World, _ number: String, _ provider: String = "project",
    codeFrom: PhoneSignInInterface.SignIn.Parameters.CodeFrom? = nil,
    onCode: @Sendable (_ flow: String) async throws -> Void = { _ in }
  ) async throws -> Walk {
    var walk = Walk()
    let replies = try await world.client().stream(
      PhoneSignInInterface.SignIn.self, .init(number: number, codeFrom: codeFrom, provider: provider))
    for try await reply in replies {
      if let step = reply.step { walk.steps.append(step) }
      if reply.event == .codeWanted { try await onCode(reply.flow ?? "") }
      (walk.outcome, walk.user) = (reply.outcome, reply.user)
    }
    return walk
  }

  private static func give(_ code: String, to flow: String, _ world: World) async throws {
    _ = try await world.client().call(PhoneSignInInterface.GiveCode.self, .init(flow: flow, code: code))
  }

  /// Has the emulator fail in some way.
  private static func set(_ behaviour: String, _ world: World) async throws {
    let result = try await world.run([
      "curl", "-sS", "-m", "20", "-X", "PATCH", "-H", "Content-Type: application/json", "-d",
      "{\"simulated\":\(behaviour)}", "http://firebase.example:9099/emulator/v1/projects/p/config",
    ])
    #expect(result.end == .exited(0), "\(result.error)")
  }

  /// The code that was made last.
  private static func lastCode(_ world: World) -> String {
    IssuedSecrets(at: world.folder.issuedSecrets).all.last { $0.kind == "one-time code" }?.value ?? "-"
  }

  private static func hosts(_ world: World) -> [String] { world.requests(.uplink).map(\.host) }

  @Test func `a code from the modem's own message signs in, another's code does no harm, and tokens are refreshed`()
    async throws
  {
    try await Worlds.with(Self.scenario) { world in
      let saved = world.folder.file("tokens")
      let signIn = try await world.run([
        "modemctl", "sign-in", Self.own, "--provider", "project", "--save-tokens", saved,
      ])
      #expect(signIn.end == .exited(0), "\(signIn.error)\(signIn.output)")
      #expect(signIn.output.contains("signedIn by project"))
      for secret in IssuedSecrets(at: world.folder.issuedSecrets).all where secret.kind != "user id" {
        #expect(!signIn.output.contains(secret.value) && !signIn.error.contains(secret.value), "\(secret.kind)")
      }
      #expect(Self.hosts(world) == ["signin.app.example", "firebase.example", "firebase.example"])
      let refresh = try await world.run(["modemctl", "refresh-sign-in", saved, "--provider", "project"])
      #expect(refresh.end == .exited(0), "\(refresh.error)")
      // Nothing of it has to do with the bearer.
      #expect(world.requests(.network).isEmpty && world.modem.snapshot.bearers.isEmpty)

      // A message with another code follows at once: without a pattern it may be tried first.
      try await Self.set(#"{"messages":"decoy"}"#, world)
      let decoy = try await Self.signIn(world, Self.own, "over-bearer")
      #expect(decoy.outcome?.result == .signedIn, "\(decoy.words)")
      #expect(decoy.user?.number == Self.own && decoy.user?.isNew == false)
      // By the pattern it is another message.
      let fitting = try await Self.signIn(world, Self.own)
      #expect(fitting.outcome?.result == .signedIn, "\(fitting.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test func `a code that the caller gives signs in, after a wrong one`() async throws {
    try await Worlds.with(Self.scenario) { world in
      let attempts = Attempts()
      let walk = try await Self.signIn(world, Self.elsewhere, codeFrom: .caller) { flow in
        let code = Self.lastCode(world)
        guard await attempts.next() == 1 else { return try await Self.give(code, to: flow, world) }
        try await Self.give(code == "111111" ? "222222" : "111111", to: flow, world)
      }
      #expect(walk.outcome?.result == .signedIn, "\(walk.words)")
      #expect(
        walk.names == [
          "simCheck", "sendVerificationCode", "askForCode", "signInWithPhoneNumber", "askForCodeAgain",
          "signInWithPhoneNumber",
        ])
      #expect(walk.steps.compactMap(\.status) == [200, 200, 400, 200])
      #expect(walk.user?.number == Self.elsewhere && walk.outcome?.sim == .unchanged)
      await #expect(throws: VarlinkError.self) { try await Self.give("123456", to: "0", world) }
    }
  }

  @Test func `what the gate does not let pass leads to no message`() async throws {
    try await Worlds.with(Self.scenario) { world in
      let changed = try await Self.signIn(world, Self.swapped, codeFrom: .caller)
      #expect(changed.outcome?.result == .simSwapped && changed.outcome?.sim == .changed, "\(changed.words)")
      let unknown = try await Self.signIn(world, Self.unknown, codeFrom: .caller)
      #expect(unknown.outcome?.result == .simUnknown && unknown.outcome?.sim == .unknown, "\(unknown.words)")
      #expect(changed.names == ["simCheck"] && unknown.names == ["simCheck"])
      // A message to another phone could not be read here, and not even the SIM check is asked.
      let other = try await Self.signIn(world, Self.elsewhere)
      #expect(other.outcome?.result == .codeRequired && other.names.isEmpty, "\(other.words)")
      // The bearer goes away while it carries the question.
      async let lost = Self.signIn(world, Self.stalled, "over-bearer", codeFrom: .caller)
      #expect(try await world.eventually { world.requests(.network).contains { $0.host == "signin.app.example" } })
      _ = try await world.perform("drop-bearer 36")
      let walk = try await lost
      #expect(walk.outcome?.result == .noDataPath && walk.outcome?.sim == .unknown, "\(walk.words)")
      #expect(walk.names == ["simCheck"])
      // Nobody asked Firebase for anything, on either way.
      #expect(!(world.requests(.uplink) + world.requests(.network)).contains { $0.host == "firebase.example" })
      #expect(IssuedSecrets(at: world.folder.issuedSecrets).all.isEmpty)
      #expect(world.modem.snapshot.messages.isEmpty)
    }
  }

  @Test func `a quota, a message that never comes, and a locked account are told apart`() async throws {
    try await Worlds.with(Self.scenario) { world in
      try await Self.set(#"{"refusals":{"sendVerificationCode":"QUOTA_EXCEEDED : Exceeded quota."}}"#, world)
      let quota = try await Self.signIn(world, Self.own)
      #expect(quota.outcome?.result == .rateLimited && quota.outcome?.code == "QUOTA_EXCEEDED", "\(quota.words)")
      try await Self.set(#"{"messages":"none"}"#, world)
      let never = try await Self.signIn(world, Self.own, "impatient")
      #expect(never.outcome?.result == .codeRequired, "\(never.words)")
      #expect(never.names == ["simCheck", "sendVerificationCode", "readCode"])
      try await Self.set(#"{"disabledNumbers":["\#(Self.own)"]}"#, world)
      let locked = try await Self.signIn(world, Self.own)
      #expect(locked.outcome?.result == .userRefused && locked.outcome?.code == "USER_DISABLED", "\(locked.words)")
      let log = Worlds.contents(of: world.folder.file("modemd.log")) ?? ""
      for secret in IssuedSecrets(at: world.folder.issuedSecrets).all {
        #expect(!log.contains(secret.value), "\(secret.kind)")
      }
      #expect(!log.contains("api-key-of-the-world") && !log.contains("15112345678"))
    }
  }

  private actor Attempts {
    private var count = 0

    func next() -> Int {
      count += 1
      return count
    }
  }
}
