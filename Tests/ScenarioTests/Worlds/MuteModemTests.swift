import Glibc
import ModemAPI
import ModemAPIClient
import ModemModel
import ModemSimulator
import ScenarioRunner
import Testing

/// A modem that never answers the end of a bearer.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct MuteModemTests {
  @Test(arguments: ModemProtocol.allCases)
  func `disconnect returns when the machine's part is gone, and says what goes on`(kind: ModemProtocol) async throws {
    var options = World.Options(kind: kind)
    // Whoever waits for the modem waits longer than the test may take.
    options.limits = ["disconnect=600"]
    try await Worlds.with("{}", options: options) { world in
      let before = try await world.hostState()
      let client = try await world.client()
      _ = try await client.call(BearerInterface.Connect.self, .init())
      world.modem.setFaults([SimulatedFault(on: .disconnect, .swallow)])
      let bearer = try await client.call(BearerInterface.Disconnect.self, .init()).bearer
      #expect(bearer.state == .down && bearer.releasing == true)
      #expect(try await world.hostState() == before)
      #expect(!world.modem.snapshot.bearers.isEmpty)
      // Others are served.
      _ = try await client.call(ModemInterface.Get.self, .init())
      #expect(
        try await world.eventually {
          try await client.call(BearerInterface.Get.self, .init()).bearer.releasing == true
        })
      let shown = try await world.run(["modemctl", "status"])
      #expect(shown.output.contains("the modem has yet to confirm the end"), "\(shown.output)")
      world.modem.setFaults([])
      #expect(await world.end(.port, with: SIGTERM) == .exited(0))
      #expect(world.modem.snapshot.bearers.isEmpty)
    }
  }
}
