import FirebaseAPI
import Glibc
import JSONTree
import ModemAPI
import ModemAPIClient
import Testing

@testable import ScenarioRunner

private let sharedMachine = """
  { "providers": [ { "kind": "firebase" } ],
    "subscribers": [ { "number": "+4915199999991", "simChangedMinutesAgo": 50000 } ],
    "modemdCredentials": { "project.api-key": "api-key-of-the-world" },
    "modemdProviders": { "project": { "kind": "firebase", "emulator": "firebase.example:9099",
      "code": { "seconds": 60 }, "simCheck": { "backend": "https://signin.app.example" } } },
    "settings": { "check": { "historyLimit": 3 }, "access": { "groups": ["daemon"], "table": {
      "org.modemd.PhoneSignIn": ["daemon"] } } } }
  """

/// What one member of the group learns of another, and does to him. Root's reserve and what is
/// shared on purpose stand in Docs/security.md.
@Suite(
  .serialized, .timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason),
  .world(sharedMachine))
struct CrossUserAttackTests {
  private static let host = "check.aggregator.example"
  private static let url = #"{"url":"https://check.aggregator.example/checks/4915112345678"}"#

  private static func begin(_ body: (World) async throws -> Void) async throws {
    let world = try SharedWorld.current()
    world.admitMembers()
    try await body(world)
  }

  /// Has a user's chain walked to its end.
  private static func walk(_ user: LocalUser, _ world: World) async throws {
    let answer = try await user.call("org.modemd.Check.Open", url, in: world)
    #expect(answer.parameters?["outcome"]?["result"]?.string == "answer", "\(answer.text)")
  }

  private static func history(of user: LocalUser, _ world: World) async throws -> [JSONValue] {
    let answer = try await user.call("org.modemd.Check.History", in: world)
    return try #require(answer.parameters?["checks"]).items
  }

  @Test(.attack(by: .neighbour, .broke))
  func `a preparation asks which hosts another user's chain went through`() async throws {
    try await Self.begin { world in
      try await Self.walk(.first, world)
      let own = try await LocalUser.first.call("org.modemd.Check.Prepare", Self.url, in: world)
      #expect((own.parameters?["resolved"]?.items.count ?? 0) > 1, "\(own.text)")
      let other = try await LocalUser.second.call("org.modemd.Check.Prepare", Self.url, in: world)
      #expect(other.parameters?["resolved"]?.items == [.string(Self.host)], "\(other.text)")
      #expect(other.parameters?["unresolved"]?.items == [])
    }
  }

  @Test(.attack(by: .neighbour, .held))
  func `the history shows another user's checks`() async throws {
    try await Self.begin { world in
      try await Self.walk(.first, world)
      let user = LocalUser(userID: 61_010, groupIDs: [LocalUser.daemonGroup])
      let others = try await Self.history(of: user, world)
      #expect(others == [])
      let own = try await Self.history(of: .first, world)
      #expect(!own.isEmpty && own.allSatisfy { $0["user"]?.integer == 61_001 })
    }
  }

  @Test(.attack(by: .neighbour, .broke))
  func `gaps in the history's numbers tell how much others check`() async throws {
    try await Self.begin { world in
      let user = LocalUser(userID: 61_011, groupIDs: [LocalUser.daemonGroup])
      try await Self.walk(user, world)
      for _ in 0..<2 { try await Self.walk(.first, world) }
      try await Self.walk(user, world)
      let numbers = try await Self.history(of: user, world).map { $0["number"]?.integer }
      #expect(numbers == [2, 1])
    }
  }

  @Test(.attack(by: .neighbour, .broke))
  func `many checks push another user's out of the history`() async throws {
    try await Self.begin { world in
      let user = LocalUser(userID: 61_012, groupIDs: [LocalUser.daemonGroup])
      try await Self.walk(user, world)
      for _ in 0..<4 { try await Self.walk(.first, world) }
      let (many, few) = (try await Self.history(of: .first, world), try await Self.history(of: user, world))
      #expect(many.count == 3 && few.count == 1)
    }
  }

  @Test(.attack(by: .neighbour, .held))
  func `another user answers the question that a flow asks its own caller`() async throws {
    try await Self.begin { world in
      let replies = try await world.client().stream(
        PhoneSignInInterface.SignIn.self, .init(number: "+4915199999991", codeFrom: .caller, provider: "project"))
      var outcome: PhoneSignInInterface.Outcome?
      for try await reply in replies {
        outcome = reply.outcome
        guard reply.event == .codeWanted, let flow = reply.flow else { continue }
        // The id is told to nobody else; suppose it was.
        let code = IssuedSecrets(at: world.folder.issuedSecrets).all.last { $0.kind == "one-time code" }?.value ?? "-"
        let give = #"{"flow":"\#(flow)","code":"\#(code)"}"#
        let stolen = try await LocalUser.second.call("org.modemd.PhoneSignIn.GiveCode", give, in: world)
        #expect(stolen.error == "org.modemd.PhoneSignIn.NoSuchFlow")
        _ = try await world.client().call(PhoneSignInInterface.GiveCode.self, .init(flow: flow, code: code))
      }
      #expect(outcome?.result == .signedIn, "\(outcome?.text ?? "-")")
    }
  }

  @Test(.attack(by: .neighbour, .held))
  func `a member asks the port behind modemd's back`() async throws {
    try await Self.begin { world in
      let ports = world.folder.file("ports")
      let socket = "\(ports)/wwan0"
      // Suppose that the folder were open: the port looks at its callers itself.
      chmod(ports, 0o711)
      chown(socket, 0, LocalUser.daemonGroup)
      defer { chmod(ports, 0o700) }
      for method in ["GetState", "Disconnect", "WatchMessages", "Slots"] {
        let answer = try await LocalUser.first.call("org.modemd.Port.\(method)", in: world, at: socket)
        #expect(!answer.isAnswered, "\(method): \(answer.text)")
      }
    }
  }
}
