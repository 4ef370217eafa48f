/// A tutorial of Docs/tutorials: what its reader types, and what must be seen then.
struct TutorialPage {
  /// A block of a tutorial between two fences.
  struct Block {
    let language: String
    let lines: [String]
    var text: String { lines.joined(separator: "\n") }
  }

  /// What a reader does in one go, and what must then be shown.
  struct Step {
    var commands: String
    var shown: [String] = []
    let needsPython: Bool
  }

  static let names = ["sim-card-authentication", "sim-swap-sign-in", "mobile-connect-login", "website-login"]

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
      case "sh": steps.append(Step(commands: block.text, needsPython: block.text.hasPrefix("python3 ")))
      case "python":
        let name = block.lines.first.map { $0.drop { $0 == "#" || $0 == " " } } ?? ""
        steps.append(Step(commands: "cat >\(name) <<'PYTHON'\n\(block.text)\nPYTHON", needsPython: false))
      default: if !steps.isEmpty { steps[steps.count - 1].shown += block.lines }
      }
    }
    return steps
  }
}
