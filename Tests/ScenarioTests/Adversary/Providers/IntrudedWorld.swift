import ModemAPI
import ModemAPIClient
import ScenarioRunner
import Testing

/// One world for all attacks of a suite, as a world costs seconds: the intruder in it is told
/// before each what to do.
struct IntrudedWorld: SuiteTrait, TestScoping {
  @TaskLocal private static var running: World?

  let scenario: @Sendable () -> String

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await Worlds.with(scenario()) { world in
      try await Self.$running.withValue(world) { try await function() }
    }
  }

  /// The suite's world, with the intruder at this plan of the scenario's.
  static func world(plan: String) async throws -> World {
    let world = try #require(running, "the suite has no world")
    _ = try await world.perform("tell intruder.plan \(plan)")
    return world
  }
}

extension Trait where Self == IntrudedWorld {
  static func intruded(_ scenario: @escaping @Sendable () -> String) -> Self { IntrudedWorld(scenario: scenario) }
}
