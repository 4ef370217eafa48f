import ScenarioRunner
import Testing

/// A world that the tests of one suite share, which costs its seconds once. Each test leaves it as it can be used by the next.
struct SharedWorld: SuiteTrait, TestScoping {
  @TaskLocal private static var shared: World?

  let scenario: String

  /// The suite's own.
  static var current: World {
    get throws { try #require(shared, "the suite has no shared world") }
  }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Worlds.with(scenario) { world in
      try await Self.$shared.withValue(world) { try await function() }
    }
  }
}

extension Trait where Self == SharedWorld {
  static func world(_ scenario: String) -> Self { SharedWorld(scenario: scenario) }
}
