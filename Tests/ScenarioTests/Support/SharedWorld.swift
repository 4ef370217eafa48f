import Glibc
import Testing

@testable import ScenarioRunner

/// One world for all tests of a suite: attacks on the same daemons, one after the other.
struct SharedWorld: SuiteTrait, TestScoping {
  @TaskLocal static var current: World?

  let scenario: String

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Worlds.with(scenario) { world in
      try await Self.$current.withValue(world) { try await function() }
    }
  }
}

extension Trait where Self == SharedWorld {
  /// The suite's tests have a world in common, which they find as `SharedWorld.current`.
  static func inOneWorld(_ scenario: String = "{}") -> Self { SharedWorld(scenario: scenario) }
}
