import ModemAPI
import ModemAPIClient
import ModemModel
import ScenarioRunner
import Testing

/// A modem that agrees on Microsoft's extensions to MBIM, which the port asks for.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct ExtensionWorldTests {
  @Test(arguments: [2, 3], ["lte", "nrNonStandalone", "nr"])
  func `the number, the bearer and the answer over a later MBIM`(version: Int, technology: String) async throws {
    let scenario = #"{"modem": {"mbimExtensions": \#(version)}, "network": {"technology": "\#(technology)"}}"#
    try await Worlds.with(scenario) { world in
      let modem = try #require(try await world.client().call(ModemInterface.List.self, .init()).modems.first)
      #expect(modem.sim.numbers.map(\.number) == ["+4915112345678"])
      #expect(modem.registration.technology?.rawValue == technology)
      #expect(modem.imei == "004999010640000")
      let walk = try await world.walk("/checks/4915112345678")
      #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
      _ = try await world.perform("drop-bearer 36")
      let isDown = try await world.eventually { world.modem.snapshot.bearers.isEmpty }
      // A chain that begins before the drop has been heard of ends with it.
      var again = Walk()
      let works = try await world.eventually {
        again = try await world.walk("/checks/4915112345678")
        return again.outcome?.answer?.status == 200
      }
      #expect(isDown && works, "\(again.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }
}
