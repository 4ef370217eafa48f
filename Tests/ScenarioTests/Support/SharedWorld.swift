import ScenarioRunner
import Testing

/// Gives the tests of a suite one world, which begins before the first of them and ends behind the last: a world costs seconds.
///
/// Its tests leave it as they found it, and the suite is `.serialized`.
struct SharedWorld: SuiteTrait, TestScoping {
  @TaskLocal private static var world: World?

  let scenario: String

  /// The world of the suite that runs.
  static func current() throws -> World { try #require(world, "the suite has no world") }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Worlds.with(scenario) { world in
      try await Self.$world.withValue(world) { try await function() }
    }
  }
}

extension Trait where Self == SharedWorld {
  static func world(_ scenario: String = "{}") -> Self { SharedWorld(scenario: scenario) }
}
