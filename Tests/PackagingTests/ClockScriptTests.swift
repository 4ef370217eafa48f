import Testing

/// scripts/check-clocks on small trees of its own.
@Suite(.timeLimit(.minutes(1)))
struct ClockScriptTests {
  /// Runs the script on a tree of one file.
  private static func run(_ folder: String, _ line: String) async throws -> Tool.Result {
    try await Scratch.with { scratch in
      File.makeFolder("\(scratch.path)/Sources/\(folder)")
      File.write("import Glibc\n\(line)\n", to: "\(scratch.path)/Sources/\(folder)/Source.swift")
      return try await Tool.run("scripts/check-clocks", [scratch.path])
    }
  }

  @Test(
    "A limit by a clock that nobody can exchange is found",
    arguments: [
      "let end = ContinuousClock.now + limit", "  typealias Instant = SuspendingClock.Instant",
      "    try await Task.sleep(for: .seconds(1))", "try await Task<Never, Never>.sleep(for: limit)",
      "try await wait(until: end, clock: .suspending)", "let end = DispatchTime.now() + 3", "  usleep(1000)",
    ]) func isFound(_ line: String) async throws
  {
    let result = try await Self.run("Service/ModemService", line)
    #expect(result.status == 1, "\(result.output)")
    #expect(result.output.contains("Sources/Service/ModemService/Source.swift:2:"), "\(result.output)")
  }

  @Test(
    "What asks the clock that it was given is not, nor what stands outside of what it tests",
    arguments: [
      ("Service/ModemService", "try await clock.sleep(until: end)"),
      ("Service/ModemService", "/// Not `Task.sleep`, which keeps its timer."),
      ("Base/LimitClock", "let start = SuspendingClock.now"),
      ("Simulation/ScenarioRunner", "try await Task.sleep(for: .seconds(1))"),
      ("Providers/TruID/Simulation", "try await Task.sleep(for: .seconds(1))"),
      ("Programs/modem-simulator", "let start = ContinuousClock.now"),
    ]) func passes(_ folder: String, _ line: String) async throws
  {
    let result = try await Self.run(folder, line)
    #expect(result.status == 0, "\(result.output)")
  }

  @Test func theSourcesOfThisRepositoryNameNoClockOfTheirOwn() async throws {
    let result = try await Tool.run("scripts/check-clocks")
    #expect(result.status == 0, "\(result.output)")
  }
}
