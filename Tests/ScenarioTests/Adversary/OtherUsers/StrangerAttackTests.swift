import Testing

@testable import ScenarioRunner

/// A user who may ask nothing, at the socket as it is, and at one that was opened for everybody.
@Suite(
  .serialized, .enabled(if: Worlds.areAllowed, Worlds.reason), .world(Siege.scenario))
struct StrangerAttackTests {
  @Test("a stranger does not get as far as the socket", .timeLimit(.minutes(1)), .attack(by: .otherUser, .held))
  func closedSocket() async throws {
    let siege = try Siege()
    try await siege.attack("idle", by: .outsider, connections: 64) { attack in
      let isSo = try await siege.world.eventually { Siege.fate(attack) != nil }
      #expect(isSo)
      #expect(Siege.fate(attack)?.made == 0)
    }
  }

  @Test(
    "connections without end, at a socket that is open for all", .timeLimit(.minutes(1)),
    .attack(by: .otherUser, .broke))
  func idleConnections() async throws {
    let siege = try Siege()
    try await siege.attack("idle", by: .outsider, at: .openService, connections: 2500) { attack in
      let isSo = try await siege.world.eventually { (Siege.fate(attack)?.closed ?? 0) > 2000 }
      #expect(isSo)
    }
  }

  @Test("calls of 1 MiB that do not end", .timeLimit(.minutes(1)), .attack(by: .otherUser, .broke))
  func unfinishedCalls() async throws {
    let siege = try Siege()
    try await siege.attack("half", by: .outsider, at: .openService, connections: 235) { attack in
      let isSo = try await siege.world.eventually { (Siege.fate(attack)?.closed ?? 0) > 200 }
      #expect(isSo)
    }
  }

  @Test("calls that are refused, and no reply is read", .timeLimit(.minutes(1)), .attack(by: .otherUser, .held))
  func deafClients() async throws {
    try await Siege().attack(
      "deaf", by: .outsider, at: .openService, connections: 200, method: "org.varlink.service.GetInfo")
  }

  @Test("connections that come and go", .timeLimit(.minutes(1)), .attack(by: .otherUser, .held))
  func churn() async throws { try await Siege().attack("churn", by: .outsider, at: .openService, connections: 64) }
}
