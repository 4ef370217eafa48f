import Subprocess
import Testing

@Suite("Figures of the benchmarks", .timeLimit(.minutes(1)))
struct FigureTests {
  struct Row: Sendable {
    let arguments: [String]
    let numbers: String
    let line: String
  }

  @Test(
    "a figure is one line: name, value, unit, ratio to the limit, to the peer, and to one alone",
    arguments: [
      Row(arguments: [], numbers: "3\n1\n2\n", line: "x 2 ms - - -"),
      Row(arguments: ["--most", "4"], numbers: "2\n", line: "x 2 ms 0.5 - -"),
      Row(arguments: ["--most", "4", "--peer", "8", "--unit", "MB"], numbers: "2.5\n", line: "x 2.5 MB 0.625 0.313 -"),
      Row(arguments: ["--bare"], numbers: "10\n20\n30\n40\n", line: "20.0"),
    ])
  func lines(_ row: Row) async throws {
    let result = try await Subprocess.run(
      .path(.init(Tool.binaries + "/modemd-bench")), arguments: Arguments(["times", "--name", "x"] + row.arguments),
      input: .string(row.numbers), output: .string(limit: 4096), error: .string(limit: 4096))
    #expect(result.standardOutput == row.line + "\n", "\(result.standardError)")
  }

  @Test(
    "a ratio of pairs is their median and the interval of the sign test",
    arguments: [
      // Of 31 ratios, the tenth from either end.
      ((1...31).map { "\($0) 10" }, "x 1.6 times 3.2 - -\nx-low 1 times - - -\nx-high 2.2 times - - -\n"),
      // A pair's ratio counts, not the ratio of medians; of six, the first and the last.
      (
        ["1 2", "3 2", "10 10", "2 1", "1 1", "11 10"],
        "x 1 times 2 - -\nx-low 0.5 times - - -\nx-high 2 times - - -\n"
      ),
      // Five say nothing with 95 %.
      (["1 1", "1 1", "1 1", "1 1", "1 1"], "x 1 times 2 - -\nx-low 0 times - - -\nx-high inf times - - -\n"),
    ])
  func pairs(_ lines: [String], _ figures: String) async throws {
    let result = try await Subprocess.run(
      .path(.init(Tool.binaries + "/modemd-bench")), arguments: ["pairs", "--name", "x", "--most", "0.5"],
      input: .string(lines.joined(separator: "\n") + "\n"), output: .string(limit: 4096),
      error: .string(limit: 4096))
    #expect(result.standardOutput == figures, "\(result.standardError)")
  }

  @Test("the same goes to a file as JSON, an object a line")
  func json() async throws {
    try await Scratch.with { scratch in
      let file = scratch.path + "/figures.jsonl"
      for numbers in ["1\n", "2\n"] {
        _ = try await Subprocess.run(
          .path(.init(Tool.binaries + "/modemd-bench")),
          arguments: ["times", "--name", "x", "--most", "4", "--json", file],
          input: .string(numbers), output: .discarded, error: .discarded)
      }
      #expect(
        File.read(file) == """
          {"name":"x","value":1,"unit":"ms","ratioToLimit":0.25,"ratioToPeer":null,"ratioToOne":null}
          {"name":"x","value":2,"unit":"ms","ratioToLimit":0.5,"ratioToPeer":null,"ratioToOne":null}

          """)
    }
  }

  @Test("a service that is not there is an error, not a figure")
  func nobody() async throws {
    let result = try await Tool.run(
      Tool.binaries + "/modemd-bench", ["calls", "--socket", "/nonexistent/socket", "--seconds", "0.1"])
    #expect(result.status != 0)
    #expect(result.output.isEmpty)
    #expect(result.error.contains("cannot connect to /nonexistent/socket"))
  }
}
