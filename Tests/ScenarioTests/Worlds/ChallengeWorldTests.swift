import ModemSimulator
import ScenarioRunner
import Testing
import modem_simulator

/// What a running world says and does about its SIM's challenges.
@Suite(.serialized, .timeLimit(.minutes(2)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct ChallengeWorldTests {
  @Test func `no challenge is asked unless somebody logs in, and a verb changes how the SIM answers`() async throws {
    try await Worlds.with(#"{"modem": {"authentication": {"ways": ["channels"]}}}"#) { world in
      // The port has read its SIM by then.
      let list = try await world.run(["modemctl", "list"])
      #expect(list.end == .exited(0))
      let count = try await world.perform("challenges")
      #expect(count == "0 challenges, 0 channels open")
      #expect(world.modem.snapshot.commands[.authenticate] == nil)
      let changed = try await world.perform(#"authentication {"card": "wrongKey", "ways": []}"#)
      #expect(changed == "done")
      let restored = try await world.perform("authentication")
      #expect(restored == "done")
      await #expect(throws: WorldError.self) {
        _ = try await world.perform(#"authentication {"card": "lost"}"#)
      }
    }
  }
}
