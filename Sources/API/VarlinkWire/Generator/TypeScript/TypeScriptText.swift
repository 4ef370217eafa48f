/// TypeScript or JavaScript source in progress, laid out in 100 columns.
struct TypeScriptText {
  private(set) var output = ""
  private var indentation = 0

  mutating func line(_ text: String = "") {
    output += text.isEmpty ? "\n" : String(repeating: "  ", count: indentation) + text + "\n"
  }

  mutating func block(_ head: String, _ tail: String = "}", _ body: (inout TypeScriptText) -> Void) {
    line(head)
    indentation += 1
    body(&self)
    indentation -= 1
    line(tail)
  }

  /// A comment for documentation, on one line if it fits.
  mutating func documentation(_ comment: [String], otherwise: String = "") {
    let lines = (comment.isEmpty ? [otherwise] : comment).map { $0.split(separator: "*/").joined(separator: "*\\/") }
    guard lines != [""] else { return }
    if lines.count == 1, indentation * 2 + lines[0].count + 7 <= 100 { return line("/** \(lines[0]) */") }
    line("/**")
    for text in lines { line(text.isEmpty ? " *" : " * \(text)") }
    line(" */")
  }

  /// `head`, the alternatives and `tail` on one line if they fit, else on lines of their own, as
  /// many as fit on each.
  mutating func union(_ head: String, _ alternatives: [String], _ tail: String) {
    let whole = head + alternatives.joined(separator: " | ") + tail
    guard indentation * 2 + whole.count > 100 else { return line(whole) }
    line(head.hasSuffix(" ") ? String(head.dropLast()) : head)
    indentation += 1
    var row = ""
    for (index, each) in alternatives.enumerated() {
      let word = "| " + each + (index == alternatives.count - 1 ? tail : "")
      if !row.isEmpty, indentation * 2 + row.count + 1 + word.count > 100 {
        line(row)
        row = ""
      }
      row += (row.isEmpty ? "" : " ") + word
    }
    line(row)
    indentation -= 1
  }
}
