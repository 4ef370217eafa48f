import Glibc
import ModemAPI
import ModemAPIClient
import ModemModel
import ScenarioRunner
import Testing
import Varlink

/// What goes away during a chain: routes, interface, bearer, modem, either daemon.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct LossTests {
  /// Longer than the test may take: what ends such a chain earlier is not its answer.
  static let slowly = "/checks/4915112345678?slow_hop=3&slow_ms=120000"
  static let afterLoss: Set<CheckInterface.Failure.Cause> = [.bearerLost, .portUnavailable, .connectFailed]

  static let losses: [(String, String?)] = [
    ("empty-tables", nil), ("remove-interface", "restore-interface"), ("drop-bearer 36", nil), ("unplug", "plug-in"),
  ]

  @Test(arguments: ModemProtocol.allCases, losses)
  func `a chain ends when its bearer is lost, and the next one works`(
    kind: ModemProtocol, loss: (verb: String, repair: String?)
  ) async throws {
    try await Worlds.with(kind: kind) { world in
      let walk = try await world.walk(Self.slowly, milliseconds: 120_000) { hop in
        if hop == 2 { _ = try await world.perform(loss.verb) }
      }
      #expect(walk.hops.prefix(2).map(\.status) == [302, 302])
      #expect(walk.cause.map(Self.afterLoss.contains) == true, "\(loss.verb): \(walk.words)")
      if let repair = loss.repair {
        let meanwhile = try await world.walk("/checks/4915112345678")
        #expect(meanwhile.outcome?.result == .failed, "\(meanwhile.words)")
        _ = try await world.perform(repair)
      }
      var last = Walk()
      let works = try await world.eventually {
        last = try await world.walk("/checks/4915112345678")
        return last.outcome?.answer?.status == 200
      }
      #expect(works, "\(loss.verb): \(last.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `a killed modemd-port ends the chain at once and leaves nothing after its restart`(
    kind: ModemProtocol
  ) async throws {
    try await Worlds.with(kind: kind) { world in
      let before = try await world.hostState()
      let walk = try await world.walk(Self.slowly, milliseconds: 120_000) { hop in
        if hop == 2 { await world.end(.port) }
      }
      #expect(walk.cause.map(Self.afterLoss.contains) == true, "\(walk.words)")
      #expect(try await world.hostState() != before, "nothing was stale: the test would prove nothing")
      try await world.start(.port)
      #expect(try await world.eventually { try await world.hostState() == before })
      try await expectSuccess(world)
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `a killed modemd breaks the caller's connection at once, and is itself again after a restart`(
    kind: ModemProtocol
  ) async throws {
    try await Worlds.with(kind: kind) { world in
      let before = try await world.hostState()
      await #expect(throws: VarlinkClientError.disconnected) {
        _ = try await world.walk(Self.slowly, milliseconds: 120_000) { hop in
          if hop == 2 { await world.end(.service) }
        }
      }
      try await world.start(.service)
      try await expectSuccess(world)
      _ = try await world.client().call(BearerInterface.Disconnect.self, .init())
      #expect(try await world.eventually { try await world.hostState() == before })
    }
  }

  @Test func `a port that is stopped in order leaves nothing`() async throws {
    try await Worlds.with { world in
      let before = try await world.hostState()
      _ = try await world.client().call(BearerInterface.Connect.self, .init())
      #expect(try await world.hostState() != before)
      #expect(await world.end(.port, with: SIGTERM) == .exited(0))
      #expect(try await world.hostState() == before)
      #expect(world.modem.snapshot.bearers.isEmpty)
    }
  }

  private func expectSuccess(_ world: World) async throws {
    var last = Walk()
    let works = try await world.eventually {
      last = try await world.walk("/checks/4915112345678")
      return last.outcome?.answer?.status == 200
    }
    #expect(works, "\(last.words)")
    #expect(world.leaks.packets == 0, "\(world.leaks)")
  }
}
