import ModemAPI

/// The steps of a flow, a line for each as it ends, its hops above it.
package struct FlowTable: Sendable {
  private static let width = 28
  private var layout = TableLayout([
    .init("STEP", isNumber: true), .init("WHAT", width: width), .init("BY", width: 6), .init("HOST", width: 34),
    .init("STATUS", isNumber: true), .init("START ms", isNumber: true), .init("TIME ms", isNumber: true, width: 8),
  ])

  package func header(_ paint: Paint) -> String { layout.header(paint) }

  /// - Parameter count: how often the step was made.
  package mutating func line(_ step: VerifyInterface.Step, count: Int = 1, _ paint: Paint) -> String {
    let row = [
      Cell(String(step.index), .bold), Cell(count == 1 ? step.name : "\(step.name) ×\(count)"),
      Cell(step.lane.rawValue), Cell(step.host),
      status(step.status, failed: step.failure != nil), Cell(ShownTime.milliseconds(step.start)),
      Cell(ShownTime.milliseconds(step.milliseconds)),
    ]
    return line(row, paint)
  }

  /// Why the step above failed.
  package static func line(_ failure: String, _ paint: Paint) -> String { "      " + paint(failure, .bad) + "\n" }

  package mutating func line(_ hop: VerifyInterface.Hop, _ paint: Paint) -> String {
    let row = [
      Cell("\(hop.step).\(hop.index)"), Cell(hop.next.map(Self.next) ?? "answer"), Cell(hop.scheme.rawValue),
      Cell(hop.host), status(hop.status, failed: hop.status == nil), Cell(ShownTime.milliseconds(hop.start)),
      Cell(hop.milliseconds.map(ShownTime.milliseconds)),
    ]
    return line(row, paint)
  }

  /// A long name is cut: the line below it has the complete one.
  private static func next(_ host: String) -> String {
    let room = width - 2
    return "→ " + (host.count > room ? host.prefix(room - 1) + "…" : host)
  }

  private mutating func line(_ row: [Cell], _ paint: Paint) -> String {
    layout.fit(row)
    return layout.line(row, paint)
  }

  private func status(_ status: Int?, failed: Bool) -> Cell {
    Cell(status.map(String.init), failed || (status ?? 0) >= 400 ? .bad : .plain)
  }
}
