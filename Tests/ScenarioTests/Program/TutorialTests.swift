import Glibc
import ScenarioRunner
import Testing

/// Every command of the tutorials, in the world that they name.
@Suite("Tutorials", .serialized, .timeLimit(.minutes(3)), .enabled(if: Worlds.areAllowed, Worlds.reason))
struct TutorialTests {
  /// A block of a tutorial between two fences.
  struct Block {
    let language: String
    let lines: [String]
    var text: String { lines.joined(separator: "\n") }
  }

  private static let python = "\(Worlds.repository)/.build/venv/bin/python3"

  static func blocks(of text: String) -> [Block] {
    var blocks: [Block] = []
    var open: (language: String, lines: [String])?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if let block = open {
        if line == "```" {
          blocks.append(Block(language: block.language, lines: block.lines))
          open = nil
        } else {
          open = (block.language, block.lines + [line])
        }
      } else if line.hasPrefix("```") {
        open = (String(line.dropFirst(3)), [])
      }
    }
    return blocks
  }

  /// The folder of the world that a tutorial starts.
  static func world(of text: String) -> String? {
    text.split(whereSeparator: \.isNewline).lazy.compactMap { line in
      line.firstRange(of: "modem-simulator up ").map { String(line[$0.upperBound...].prefix { $0 != " " }) }
    }.first
  }

  @Test(
    "Each command does what the tutorial says, and shows what it shows",
    arguments: [
      "sim-card-authentication",
      "sim-swap-sign-in",
      "mobile-connect-login",
      "website-login",
    ])
  func commands(name: String) async throws {
    let text = try #require(Worlds.contents(of: "\(Worlds.repository)/Docs/tutorials/\(name).md"))
    let blocks = Self.blocks(of: text)
    let folder = try #require(Self.world(of: text))
    let hasPython = access(Self.python, X_OK) == 0
    try await Worlds.with(
      try #require(Worlds.contents(of: "\(Worlds.repository)/\(folder)/scenario.json"))
    ) { world in
      var output: String?
      var count = 0
      for block in blocks {
        switch block.language {
        case "sh":
          let result = try await world.run(["sh", "-euc", "cd \(world.folder.path)\n\(block.text)"])
          #expect(result.end == .exited(0), "\(block.text)\n\(result.output)\(result.error)")
          output = result.output
          count += 1
        case "python":
          output = nil
          guard hasPython else { continue }
          let result = try await world.run([Self.python, "-c", block.text])
          #expect(result.end == .exited(0), "\(result.output)\(result.error)")
          output = result.output
        case "text":
          guard let shown = output else { continue }
          for line in block.lines { #expect(shown.contains(line), "\(line) is not in:\n\(shown)") }
        default: Issue.record("a block of \(block.language) is not run")
        }
      }
      #expect(count >= 4 && world.leaks.packets == 0)
    }
  }
}
