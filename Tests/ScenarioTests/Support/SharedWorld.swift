import ScenarioRunner
import Testing

/// Gives the tests of a suite one world, which begins before the first of them and ends behind the
/// last: a world costs seconds.
///
/// Its tests leave it as they found it, and the suite is `.serialized`. Suites begin all at once
/// where tests run side by side; of those with a world some wait, so that few worlds are there for
/// nothing.
struct SharedWorld: SuiteTrait, TestScoping {
  @TaskLocal private static var world: World?
  private static let places = Places(2)

  let scenario: String

  /// The world of the suite that runs.
  static func current() throws -> World { try #require(world, "the suite has no world") }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Self.places.take()
    let result: Result<Void, any Error>
    do {
      try await Worlds.with(scenario) { world in
        try await Self.$world.withValue(world) { try await function() }
      }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    await Self.places.give()
    try result.get()
  }
}

extension Trait where Self == SharedWorld {
  static func world(_ scenario: String = "{}") -> Self { SharedWorld(scenario: scenario) }
}

/// Lets some go on at once; others wait in their order.
private actor Places {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func take() async {
    if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
  }

  func give() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
