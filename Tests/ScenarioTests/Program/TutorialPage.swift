/// A tutorial of Docs/tutorials: what its reader types, and what must be seen then.
struct TutorialPage {
  /// A block of a tutorial between two fences.
  struct Block {
    let language: String
    let lines: [String]
    var text: String { lines.joined(separator: "\n") }
    /// Of a program: the name of its file, which its first line says.
    var name: String { String(lines.first?.drop { "#/<!- ".contains($0) }.prefix { $0 != " " } ?? "") }
    var isProgram: Bool { Self.endings.keys.contains(language) }

    /// How the file of a program ends, by its language.
    static let endings = ["python": ".py", "js": ".mjs", "html": ".html"]
  }

  /// What a reader does in one go, and what must then be shown.
  struct Step {
    var commands: String
    var shown: [String] = []
    /// Whether it runs a program that needs one of modemd's clients, or a browser.
    let needsClient: Bool
  }

  static let names = [
    "sim-card-authentication", "sim-swap-sign-in", "mobile-connect-login", "website-login", "number-over-any-network",
    "fleet",
  ]

  let text: String
  let blocks: [Block]

  init(_ text: String) {
    self.text = text
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
    self.blocks = blocks
  }

  /// The lines that start the world, as they are printed: in a checkout, and with the package.
  var startLines: [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("    ") && $0.contains("modem-simulator shell ") }
      .map { String($0.dropFirst(4)) }
  }

  /// The last word of a start line: the folder of the world.
  static func world(of line: String) -> String { line.split(separator: " ").last.map(String.init) ?? "" }

  /// The commands in order. A program of the page is saved under the name in its first line.
  var steps: [Step] {
    var steps: [Step] = []
    for block in blocks {
      switch block.language {
      case "sh":
        let needsClient = block.lines.contains { $0.hasPrefix("python3 ") || $0.hasPrefix("node ") }
        steps.append(Step(commands: block.text, needsClient: needsClient))
      case "python", "js", "html":
        steps.append(Step(commands: "cat >\(block.name) <<'PROGRAM'\n\(block.text)\nPROGRAM", needsClient: false))
      default: if !steps.isEmpty { steps[steps.count - 1].shown += block.lines }
      }
    }
    return steps
  }
}
