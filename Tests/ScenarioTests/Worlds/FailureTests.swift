import Glibc
import ModemAPI
import ModemAPIClient
import ModemModel
import ScenarioRunner
import Testing

/// Each way to fail has its own cause, and none leaves by the other uplink.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct FailureTests {
  @Test func `what servers do wrong is told apart`() async throws {
    let expected: [(String, CheckInterface.Failure.Cause)] = [
      ("/loop", .redirectLoop), ("/redirects/20", .tooManyRedirects), ("/wrong-certificate", .tlsFailed),
      ("/unresolvable", .dnsFailed), ("/unreachable", .connectFailed), ("/hangup", .badAnswer),
      ("/large", .tooLarge), ("/loopback", .refusedByPolicy), ("/odd-location", .badRedirect),
      ("/no-location", .badRedirect),
    ]
    try await Worlds.with { world in
      for (path, cause) in expected {
        let walk = try await world.walk(path)
        #expect(walk.cause == cause, "\(path): \(walk.words)")
      }
      let late = try await world.walk("/never", milliseconds: 400)
      #expect(late.cause == .timeout, "\(late.words)")
      for status in [400, 403, 404, 500, 503] {
        let walk = try await world.walk("/status/\(status)")
        #expect(walk.outcome?.answer?.status == status, "\(walk.words)")
      }
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test(arguments: ["unknown", "failure", "silence"])
  func `when the bearer's DNS fails nobody else is asked`(fault: String) async throws {
    let scenario = #"{"chain": {"nameFaults": {"signon.operator.example": "\#(fault)"}}}"#
    try await Worlds.with(scenario) { world in
      let walk = try await world.walk("/checks/4915112345678")
      #expect(walk.cause == .dnsFailed || (fault == "silence" && walk.cause == .timeout), "\(walk.words)")
      #expect(walk.outcome?.failure?.hop == 2)
      // The other uplink would have answered: it resolves every name.
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  static let unready: [(String, CheckInterface.Failure.Cause)] = [
    (#"{"sim": {"state": "absent"}}"#, .simAbsent),
    (#"{"sim": {"state": "pinRequired"}}"#, .simLocked),
    (#"{"network": {"registration": "searching"}}"#, .notRegistered),
    (#"{"network": {"registration": "denied"}}"#, .notRegistered),
    (#"{"modem": {"faults": [{"operation": "connect", "action": "refuse", "cause": 33}]}}"#, .bearerRefused),
  ]

  @Test(arguments: ModemProtocol.allCases, unready)
  func `a SIM, network or operator that is not ready is named`(
    kind: ModemProtocol, expected: (scenario: String, cause: CheckInterface.Failure.Cause)
  ) async throws {
    try await Worlds.with(expected.scenario, kind: kind) { world in
      let walk = try await world.walk("/checks/4915112345678")
      #expect(walk.cause == expected.cause, "\(walk.words)")
      #expect(world.leaks.packets == 0, "\(world.leaks)")
    }
  }

  @Test(arguments: ModemProtocol.allCases)
  func `after its PIN a locked SIM serves`(kind: ModemProtocol) async throws {
    try await Worlds.with(#"{"sim": {"state": "pinRequired", "pin": "4711"}}"#, kind: kind) { world in
      let modem = try await world.client().call(ModemInterface.UnlockPIN.self, .init(pin: "4711")).modem
      #expect(modem.sim.state == .ready)
      let isReady = try await world.eventually {
        try await world.client().call(ModemInterface.Get.self, .init()).modem.registration.state == .home
      }
      #expect(isReady)
      let walk = try await world.walk("/checks/4915112345678")
      #expect(walk.outcome?.answer?.status == 200, "\(walk.words)")
    }
  }
}
