import Glibc
import Testing

@testable import ScenarioRunner

/// A member of the group reaches the socket of a port, whose folder's rights are meant to keep him
/// out.
@Suite(
  .serialized, .enabled(if: Worlds.areAllowed, Worlds.reason), .world(Siege.scenario))
struct PortSocketAttackTests {
  @Test("calls that do not end", .timeLimit(.minutes(1)), .attack(by: .neighbour, .broke))
  func unfinishedCalls() async throws {
    try await Siege().attack("half", by: .member, at: .port, connections: 80, method: "org.modemd.Port.GetState") {
      try await isClosedAtOnce($0)
    }
  }

  @Test("more connections than the port may have files", .timeLimit(.minutes(1)), .attack(by: .neighbour, .broke))
  func idleConnections() async throws {
    try await Siege().attack("idle", by: .member, at: .port, connections: 300) { try await isClosedAtOnce($0) }
  }

  @Test("calls that may not be made", .timeLimit(.minutes(1)), .attack(by: .neighbour, .held))
  func refusedCalls() async throws {
    try await Siege().attack("flood", by: .member, at: .port, connections: 64, method: "org.modemd.Port.Disconnect") {
      try await isClosedAtOnce($0)
    }
  }

  @Test("connections that come and go", .timeLimit(.minutes(1)), .attack(by: .neighbour, .held))
  func churn() async throws { try await Siege().attack("churn", by: .member, at: .port, connections: 64) }

  /// Nothing is read from who may not ask: each of his connections ends as soon as it is there.
  private func isClosedAtOnce(_ attack: RunningCommand) async throws {
    let world = try Siege().world
    let port = try #require(await world.process(of: .port))
    #expect(try await world.eventually { (Siege.fate(attack)?.closed ?? 0) > 300 })
    #expect(openFiles(of: port) < 100)
  }

  private func openFiles(of process: ChildProcess) -> Int { WorldFolder.names(in: "/proc/\(process.id)/fd").count }
}
