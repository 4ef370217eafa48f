import Testing

@Suite("scripts/run-tests", .timeLimit(.minutes(1)))
struct TestRunnerScriptTests {
  private static let failure = """
    ◇ Test run started.
    ◇ Test "good" started.
    ✔ Test "good" passed after 0.001 seconds.
    ◇ Test "bad" started.
    ✘ Test "bad" recorded an issue at A.swift:1:2: Expectation failed: one == two
    ↳ one: 1
    ✘ Test "bad" failed after 0.001 seconds with 1 issue.
    ✘ Suite "A" failed after 0.001 seconds with 1 issue.
    ◇ Test "last" started.
    said by a program
    ✔ Test "last" passed after 0.001 seconds.
    ✘ Test run with 3 tests in 1 suite failed after 0.003 seconds with 1 issue.
    """

  /// Runs the script around a runner that prints a text and ends with a status.
  private static func run(_ text: String, status: Int) async throws -> (
    result: Tool.Result, lines: [String], log: String
  ) {
    try await Scratch.with { scratch in
      let log = "\(scratch.path)/new/test.log"
      let result = try await Tool.run(
        "scripts/run-tests", [log, "sh", "-c", "printf '%s\\n' \"$0\"; exit $1", text, "\(status)"])
      return (result, result.output.split(separator: "\n").map(String.init), File.read(log) ?? "")
    }
  }

  @Test("what failed is said again before the runner's last line, with its status", arguments: [1, 2, 77])
  func failed(status: Int) async throws {
    let (result, lines, log) = try await Self.run(Self.failure, status: status)
    let told = Self.failure.split(separator: "\n").map(String.init)
    #expect(result.status == Int32(status) && log == Self.failure + "\n")
    #expect(Array(lines.prefix(told.count)) == told)
    #expect(lines.dropFirst(told.count).first?.hasPrefix("What failed") == true)
    #expect(Array(lines.dropFirst(told.count + 1)) == [told[4], "  " + told[5], told[6], told[11]])
  }

  @Test("after a run that passed nothing is added")
  func passed() async throws {
    let text = "◇ Test run started.\n✔ Test run with 3 tests in 1 suite passed after 0.003 seconds."
    let (result, _, log) = try await Self.run(text, status: 0)
    #expect(result.status == 0 && result.output == text + "\n" && log == result.output)
  }

  @Test("many failures are cut at 40 lines, and a runner that was ended leaves the test that it was at")
  func unusual() async throws {
    let many = (1...99).map { "✘ Test \($0) recorded an issue" } + ["✘ Test run with 99 tests failed."]
    let (_, lines, _) = try await Self.run(many.joined(separator: "\n"), status: 1)
    // All of it, the heading, forty lines, how many more there are, and the end.
    #expect(lines.count == 143)
    #expect(lines.suffix(2) == ["… and 59 lines more", "✘ Test run with 99 tests failed."])
    let (ended, rest, _) = try await Self.run("◇ Test run started.\n◇ Test \"crash\" started.", status: 139)
    #expect(ended.status == 139 && rest.last?.hasSuffix("◇ Test \"crash\" started.") == true)
  }

  @Test("a run that has no end is ended with what it started, and the test that it was at is named")
  func endless() async throws {
    try await Scratch.with { scratch in
      // The one in the background would hold the pipe, and with it the script, open.
      let runner = "echo '◇ Test run started.'; echo '◇ Test \"waits\" started.'; (trap '' TERM; sleep 300) & sleep 300"
      let result = try await Tool.run(
        "scripts/run-tests", ["\(scratch.path)/test.log", "sh", "-c", runner], environment: ["TEST_LIMIT": "0.5s"])
      let last = result.output.split(separator: "\n").last
      #expect(result.status == 124)
      #expect(last == "The run was ended after 0.5s. What began last: ◇ Test \"waits\" started.")
    }
  }
}
