/// One field of a table.
package struct Cell: Hashable, Sendable {
  package let text: String
  package let colour: Paint.Colour

  /// A dash where there is no text.
  package init(_ text: String?, _ colour: Paint.Colour = .plain) {
    self.text = text.flatMap { $0.isEmpty ? nil : $0 } ?? "-"
    self.colour = colour
  }
}

/// Columns that keep their width from row to row, and grow when something longer comes.
package struct TableLayout: Sendable {
  package struct Column: Sendable {
    package let title: String
    package let isNumber: Bool
    package var width: Int

    package init(_ title: String, isNumber: Bool = false, width: Int = 0) {
      self.title = title
      self.isNumber = isNumber
      self.width = max(width, title.count)
    }
  }

  package private(set) var columns: [Column]

  package init(_ columns: [Column]) { self.columns = columns }

  /// Makes the columns as wide as these cells need.
  package mutating func fit(_ row: [Cell]) {
    for (index, cell) in row.enumerated() { columns[index].width = max(columns[index].width, cell.text.count) }
  }

  package func header(_ paint: Paint) -> String { line(columns.map { Cell($0.title, .bold) }, paint) }

  package func line(_ row: [Cell], _ paint: Paint) -> String {
    var line = ""
    for (index, (cell, column)) in zip(row, columns).enumerated() {
      let padding = String(repeating: " ", count: max(column.width - cell.text.count, 0))
      let isLast = index == columns.count - 1
      if index > 0 { line += "  " }
      line += column.isNumber ? padding + paint(cell.text, cell.colour) : paint(cell.text, cell.colour)
      if !column.isNumber, !isLast { line += padding }
    }
    return line + "\n"
  }

  /// A whole table.
  package static func render(_ columns: [Column], _ rows: [[Cell]], _ paint: Paint) -> String {
    var layout = TableLayout(columns)
    for row in rows { layout.fit(row) }
    return layout.header(paint) + rows.map { layout.line($0, paint) }.joined()
  }
}
