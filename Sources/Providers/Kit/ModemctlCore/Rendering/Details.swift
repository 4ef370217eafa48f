/// Titled groups of labelled values, aligned over all groups. Labels without a value are left out.
package struct Details: Sendable {
  package typealias Line = (label: String, value: Cell)

  package struct Group: Sendable {
    package let title: String
    package let lines: [Line]

    package init(_ title: String, _ lines: [(String, String?)]) {
      self.title = title
      self.lines = lines.compactMap { label, value in value.map { (label, Cell($0)) } }
    }

    package init(_ title: String, cells: [(String, Cell?)]) {
      self.title = title
      self.lines = cells.compactMap { label, cell in cell.map { (label, $0) } }
    }
  }

  package let groups: [Group]

  package init(groups: [Group]) { self.groups = groups }

  package func render(_ paint: Paint) -> String {
    let groups = groups.filter { !$0.lines.isEmpty }
    let width = groups.flatMap(\.lines).map(\.label.count).max() ?? 0
    return groups.map { group in
      paint(group.title, .bold) + "\n"
        + group.lines.map { label, value in
          "  " + label + String(repeating: " ", count: width - label.count + 2) + paint(value.text, value.colour) + "\n"
        }.joined()
    }.joined(separator: "\n")
  }
}
