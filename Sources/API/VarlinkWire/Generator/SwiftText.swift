/// Swift source in progress, laid out like the formatter's output, so that the formatter changes
/// nothing.
struct SwiftText {
  private(set) var output = ""
  var indentation = 0

  mutating func line(_ text: String) {
    output += text.isEmpty ? "\n" : String(repeating: "  ", count: indentation) + text + "\n"
  }

  /// `head`, the items and `tail` on one line if they fit, else the items on separate lines, as
  /// many as fit on each.
  mutating func list(_ head: String, _ items: [String], _ tail: String, isArray: Bool = false) {
    let inner = items.joined(separator: ", ")
    // The formatter counts the comma that an array's last item has on lines of its own.
    let comma = isArray ? 1 : 0
    guard indentation * 2 + head.count + inner.count + tail.count + comma > 120 else {
      return line(head + inner + tail)
    }
    line(head)
    indentation += 1
    fill(items.enumerated().map { $1 + ($0 < items.count - 1 || isArray ? "," : "") })
    indentation -= 1
    line(tail)
  }

  /// The cases of an enum: the first line begins with the keyword, the others are indented one step
  /// further.
  mutating func cases(_ cases: [String]) {
    let inner = "case " + cases.joined(separator: ", ")
    guard indentation * 2 + inner.count > 120 else { return line(inner) }
    var first = ["case"]
    var rest = cases.enumerated().map { $1 + ($0 < cases.count - 1 ? "," : "") }
    while let word = rest.first, indentation * 2 + first.joined(separator: " ").count + 1 + word.count <= 120 {
      first.append(word)
      rest.removeFirst()
    }
    line(first.joined(separator: " "))
    indentation += 1
    fill(rest)
    indentation -= 1
  }

  private mutating func fill(_ words: [String]) {
    var row = ""
    for word in words {
      if !row.isEmpty, indentation * 2 + row.count + 1 + word.count > 120 {
        line(row)
        row = ""
      }
      row += (row.isEmpty ? "" : " ") + word
    }
    line(row)
  }

  mutating func documentation(_ comment: [String], otherwise: String) {
    for text in comment.isEmpty ? [otherwise] : comment { line(text.isEmpty ? "///" : "/// \(text)") }
  }
}
