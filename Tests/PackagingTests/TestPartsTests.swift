import Testing

@Suite("scripts/run-parts", .timeLimit(.minutes(1)))
struct TestPartsTests {
  private static let parts = """
    # name, when, how many at once, targets
    worlds slow 3 MarsTests

    devices slow 1 VenusTests IoTests  # one at a time
    pure fast 4 *
    """

  /// Runs the script around a runner whose parts end as told.
  private static func run(
    _ which: String, statuses: [String: Int] = [:]
  ) async throws -> (status: Int32, lines: [String], outputs: [String: String]) {
    let runner = """
      case $* in
        *"--filter ^(MarsTests)"*) part=worlds status=\(statuses["worlds"] ?? 0) ;;
        *"--no-parallel --filter ^(VenusTests|IoTests)"*) part=devices status=\(statuses["devices"] ?? 0) ;;
        *"--skip ^(MarsTests|VenusTests|IoTests)"*) part=pure status=\(statuses["pure"] ?? 0) ;;
        *) exit 99 ;;
      esac
      echo "◇ Test run started."
      echo "$SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH at once"
      if [ $status = 0 ]; then echo "✔ Test run with 3 tests in 1 suite passed: $part."; exit 0; fi
      echo "✘ Test \\"bad\\" recorded an issue in $part"
      echo "✘ Test run with 3 tests in 1 suite failed: $part."
      exit $status
      """
    return try await Scratch.with { scratch in
      File.write(parts, to: "\(scratch.path)/parts")
      let folder = "\(scratch.path)/logs"
      let result = try await Tool.run(
        "scripts/run-parts", [folder, "\(scratch.path)/parts", which, "sh", "-c", runner, "runner"])
      let outputs = ["worlds", "devices", "pure"].compactMap { name in
        File.read("\(folder)/\(name).log").map { (name, $0) }
      }
      return (
        result.status, result.output.split(separator: "\n").map(String.init),
        Dictionary(uniqueKeysWithValues: outputs)
      )
    }
  }

  @Test("all parts run, as many tests at once as is said, and their closing lines are the last")
  func passed() async throws {
    let (status, lines, outputs) = try await Self.run("all")
    #expect(status == 0)
    #expect(
      lines.suffix(3)
        == ["devices", "pure", "worlds"].map { "✔ Test run with 3 tests in 1 suite passed: \($0)." })
    for (name, width) in [("worlds", 3), ("devices", 1), ("pure", 4)] {
      #expect(outputs[name]?.contains("\(width) at once") == true, "\(name)")
    }
  }

  @Test(
    "a part that fails has the last word, what failed in it, and the status",
    arguments: [(["pure": 3], 3), (["worlds": 4], 4), (["devices": 5, "worlds": 6], 6)])
  func failed(statuses: [String: Int], status: Int) async throws {
    let (ended, lines, _) = try await Self.run("all", statuses: statuses)
    #expect(ended == Int32(status))
    let last = statuses["worlds"] == nil ? "pure" : "worlds"
    #expect(lines.last == "✘ Test run with 3 tests in 1 suite failed: \(last).")
    #expect(lines.dropLast().last == "✘ Test \"bad\" recorded an issue in \(last)")
    for part in statuses.keys { #expect(lines.contains("✘ Test run with 3 tests in 1 suite failed: \(part).")) }
    for part in ["worlds", "devices", "pure"] where statuses[part] == nil {
      #expect(lines.contains("✔ Test run with 3 tests in 1 suite passed: \(part)."))
    }
  }

  @Test("the fast parts run alone, and the last lines say what was left out", arguments: [0, 7])
  func fast(status: Int) async throws {
    let (ended, lines, outputs) = try await Self.run("fast", statuses: ["pure": status])
    #expect(ended == Int32(status) && outputs.keys.sorted() == ["pure"])
    #expect(lines.suffix(2) == ["  worlds: MarsTests", "  devices: VenusTests IoTests"])
    let closing = "Test run with 3 tests in 1 suite \(status == 0 ? "passed" : "failed"): pure."
    #expect(lines.dropLast(3).last?.hasSuffix(closing) == true, "\(lines)")
  }

  @Test("a part that is none, and a file without parts, are errors")
  func wrong() async throws {
    #expect(try await Self.run("slowest").status == 2)
    #expect(try await Tool.run("scripts/run-part", ["/tmp", "Tests/parts", "nowhere", "true"]).status == 2)
    #expect(try await Tool.run("scripts/run-parts", ["/tmp"]).status == 2)
  }
}

/// The parts of this repository's tests.
@Suite struct RepositoryPartsTests {
  private struct Part {
    let name: String
    let isFast: Bool
    let targets: [String]
  }

  private static func parts() throws -> [Part] {
    try #require(File.read("\(Tool.repository)/Tests/parts")).split(separator: "\n").compactMap { line in
      let words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
      return words.isEmpty ? nil : Part(name: words[0], isFast: words[1] == "fast", targets: Array(words[3...]))
    }
  }

  /// Folders of `Tests` that are test targets, by Package.swift.
  private static func targets() throws -> Set<String> {
    let package = try #require(File.read("\(Tool.repository)/Package.swift"))
    return Set(
      package.matches(of: #/(?:tests\(|\.testTarget\()\s*(?:name: )?"(?<name>\w+)"/#).map { String($0.output.name) })
  }

  @Test("name targets that there are, each once, and leave the rest to the last one")
  func names() throws {
    let (parts, targets) = (try Self.parts(), try Self.targets())
    let named = parts.dropLast().flatMap(\.targets)
    #expect(targets.count > 30 && Set(named).isSubset(of: targets) && Set(named).count == named.count)
    #expect(parts.last?.targets == ["*"] && parts.last?.isFast == true)
  }

  @Test("the fast ones reach no device and no world")
  func fast() async throws {
    let left = Set(try Self.parts().filter { !$0.isFast }.flatMap(\.targets))
    for target in try Self.targets().subtracting(left) {
      let imports =
        "^(@testable )?import (CGLib|GLibBridge|MBIMBackend|QMIBackend|Rtnetlink|ScenarioRunner|ModemManagerLink)$"
      let found = try await Tool.run("grep", ["-rlE", imports, "Tests/\(target)"])
      #expect(found.output.isEmpty, "\(found.output)")
    }
  }
}
