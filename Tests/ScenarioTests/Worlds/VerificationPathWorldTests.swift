import CAMARAAPI
import Glibc
import IPificationAPI
import ModemAPI
import ModemAPIClient
import OperatorSimulator
import Testing
import TruIDAPI

@testable import ScenarioRunner

/// What verifications ask the simulated providers for, and what they do at the same time. Both
/// networks have a round trip of 30 ms.
@Suite(.serialized, .timeLimit(.minutes(4)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct VerificationPathWorldTests {
  private static let number = "+4915112345678"
  private static let trip = 30.0

  private static func scenario() throws -> String {
    try #require(Worlds.contents(of: "\(Worlds.repository)/Scenarios/bench-verify/scenario.json"))
  }

  /// A step of any provider's flow.
  struct Step {
    let index: Int
    let name: String
    let start: Double
    let time: Double
    var end: Double { start + time }
  }

  struct Flow {
    var steps: [Step] = []
    var result = "none"

    func step(_ name: String) throws -> Step { try #require(steps.first { $0.name == name }) }
  }

  private static func truID(_ world: World) async throws -> Flow {
    let flow = try await TruIDWorldTests.subscriberCheck(world, number)
    return Flow(
      steps: flow.steps.map { Step(index: $0.index, name: $0.name, start: $0.start, time: $0.milliseconds) },
      result: flow.outcome.map { "\($0.result)" } ?? "none")
  }

  private static func ipification(_ world: World) async throws -> Flow {
    var flow = Flow()
    for try await reply in try await world.client().stream(
      IPificationInterface.Verify.self, .init(number: number))
    {
      if let step = reply.step {
        flow.steps.append(Step(index: step.index, name: step.name, start: step.start, time: step.milliseconds))
      }
      if let outcome = reply.outcome { flow.result = "\(outcome.result)" }
    }
    return flow
  }

  private static func camara(_ world: World) async throws -> Flow {
    let flow = try await CAMARAWorldTests.verify(world, number, with: "operator")
    return Flow(
      steps: flow.steps.map { Step(index: $0.index, name: $0.name, start: $0.start, time: $0.milliseconds) },
      result: flow.outcome.map { "\($0.result)" } ?? "none")
  }

  @Test func `nothing is asked twice, by no provider, cold and warm`() async throws {
    try await Worlds.with(Self.scenario()) { world in
      for (name, verify) in [("tru.ID", Self.truID), ("IPification", Self.ipification), ("CAMARA", Self.camara)] {
        for temperature in ["cold", "warm"] {
          let before = (world.requests(.network).count, world.requests(.uplink).count)
          let flow = try await verify(world)
          #expect(flow.result == "verified", "\(name) \(temperature)")
          #expect(flow.steps.map(\.index) == Array(1...flow.steps.count), "\(flow.steps)")
          let byHost = world.requests(.uplink).dropFirst(before.1)
          // Each backend call is a step, and each step of the host's network is one request.
          let asked = flow.steps.filter {
            ["accessToken", "createCheck", "exchangeCode", "readUserInfo", "verify", "readResult"].contains($0.name)
          }
          #expect(byHost.count == asked.count, "\(name) \(temperature): \(byHost) for \(asked.map(\.name))")
          #expect(Set(asked.map(\.name)).count == asked.count, "\(name) \(temperature): \(asked.map(\.name))")
        }
      }
    }
  }

  @Test func `the bearer comes up beside tru_ID's token, and before its check is made`() async throws {
    try await Worlds.with(Self.scenario()) { world in
      let flow = try await Self.truID(world)
      let (token, bearer, check) = try (flow.step("accessToken"), flow.step("bearer"), flow.step("createCheck"))
      #expect(bearer.start < token.end, "\(bearer) \(token)")
      #expect(check.start >= bearer.end - 0.1 && check.start >= token.end - 0.1, "\(check)")
      #expect(token.index < bearer.index && bearer.index < check.index)
    }
  }

  @Test func `the connection for the exchange of a code is opened beside the chain`() async throws {
    try await Worlds.with(Self.scenario()) { world in
      var reloads = 0
      for verify in [Self.ipification, Self.camara] {
        // With a new connection, it takes a name, TCP, TLS and the request: four round trips.
        var least = Double.infinity
        for _ in 1...4 where least >= 3 * Self.trip {
          // No connection of the attempt before.
          await world.process(of: .service)?.send(SIGHUP)
          reloads += 1
          let lines = reloads
          #expect(
            try await world.eventually {
              (Worlds.contents(of: world.folder.log(of: "modemd")) ?? "").split(separator: "\n")
                .count { $0.contains("reloaded:") } >= lines
            })
          least = min(least, try await verify(world).step("exchangeCode").time)
        }
        #expect(least < 3 * Self.trip, "exchangeCode took \(least) ms")
      }
    }
  }
}
