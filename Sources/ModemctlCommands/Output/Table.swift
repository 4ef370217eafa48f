/// Columns for people: aligned, two blanks between, the last one as long as it is.
struct Table: Hashable, Sendable {
  /// Where a column's text stands.
  enum Alignment: Hashable, Sendable {
    case left, right
  }

  let columns: [(name: String, alignment: Alignment)]
  private(set) var rows: [[String]] = []

  init(_ columns: [(String, Alignment)]) { self.columns = columns.map { (name: $0.0, alignment: $0.1) } }

  static func == (a: Table, b: Table) -> Bool { a.lines == b.lines }
  func hash(into hasher: inout Hasher) { hasher.combine(lines) }

  mutating func add(_ row: [String]) { rows.append(row) }

  /// The header and the rows.
  var lines: [String] {
    let all = [columns.map(\.name)] + rows
    let widths = columns.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { Self.line($0, widths: widths, columns.map(\.alignment)) }
  }

  /// One line of cells at given widths; a cell that is longer pushes the rest.
  static func line(_ cells: [String], widths: [Int], _ alignments: [Alignment]) -> String {
    var line = cells.indices.map { index in
      let padding = String(repeating: " ", count: max(widths[index] - cells[index].count, 0))
      return alignments[index] == .left ? cells[index] + padding : padding + cells[index]
    }.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }
}
