/// Python source in progress, in lines of at most 100 columns.
struct PythonText {
  private(set) var output = ""
  var indentation = 0

  private static let width = 100
  private var margin: String { String(repeating: " ", count: indentation * 4) }

  mutating func line(_ text: String = "") { output += text.isEmpty ? "\n" : margin + text + "\n" }

  /// A string that documents what stands before it: the comment's paragraphs, then further ones.
  mutating func documentation(_ comment: [String], otherwise: String, further: [[String]] = []) {
    var lines = Self.filled(comment.isEmpty ? [otherwise] : comment, width: Self.width - indentation * 4 - 3)
    for paragraph in further { lines += [""] + paragraph }
    if lines.count == 1, margin.count + lines[0].count + 6 <= Self.width {
      return line("\"\"\"\(Self.escaped(lines[0]))\"\"\"")
    }
    for (index, text) in lines.enumerated() { line((index == 0 ? "\"\"\"" : "") + Self.escaped(text)) }
    line("\"\"\"")
  }

  /// `head`, the items and `tail` on one line if they fit, else each item on a line of its own.
  mutating func list(_ head: String, _ items: [String], _ tail: String) {
    let inner = items.joined(separator: ", ")
    guard margin.count + head.count + inner.count + tail.count > Self.width else { return line(head + inner + tail) }
    line(head)
    indentation += 1
    for item in items { line(item + ",") }
    indentation -= 1
    line(tail)
  }

  /// Comment lines as paragraphs, broken anew.
  static func filled(_ comment: [String], width: Int) -> [String] {
    var lines: [String] = []
    var current = ""
    for text in comment {
      if text.isEmpty {
        lines += [current, ""]
        current = ""
        continue
      }
      for word in text.split(separator: " ") {
        if !current.isEmpty, current.count + 1 + word.count > width {
          lines.append(current)
          current = ""
        }
        current += (current.isEmpty ? "" : " ") + word
      }
    }
    return lines + [current]
  }

  private static func escaped(_ text: String) -> String {
    text.flatMap { character -> [Character] in
      character == "\\" || character == "\"" ? ["\\", character] : [character]
    }.reduce(into: "") { $0.append($1) }
  }
}
