import ModemAPI
import ModemctlCore

/// A hop in full, for people.
enum TraceText {
  /// - Parameter reveals: whether to also list the fields; masked, their names alone say little.
  static func details(_ hop: CheckInterface.Hop, reveals: Bool, _ paint: Paint) -> String {
    let phases = HopPhases(hop.times)
    let times = HopPhases.Phase.allCases.compactMap { phase in
      phases.duration(phase).map { "\(phase.word) \(ShownTime.milliseconds($0))" }
    }
    let others = (hop.addresses ?? []).filter { $0 != hop.address }
    var cells: [(String, Cell?)] = [
      ("URL", Cell("\((hop.method ?? .get).rawValue.uppercased()) \(hop.url ?? HopTable.origin(hop))")),
      ("Address", hop.address.map { Cell(address($0, hop)) }),
      ("Also", others.isEmpty ? nil : Cell(others.joined(separator: " "))),
      ("Connection", hop.address == nil ? nil : Cell(connection(hop))),
      ("Milliseconds", times.isEmpty ? nil : Cell(times.joined(separator: ", "))),
      ("Cookies sent", hop.cookies.isEmpty ? nil : Cell(plain(hop.cookies.joined(separator: " ")))),
      (
        "Cookies set",
        (hop.setCookies ?? []).isEmpty ? nil : Cell(hop.setCookies.map { plain($0.joined(separator: " ")) })
      ),
      ("Leads to", hop.next.map { Cell($0) }),
    ]
    cells += (hop.traceFields ?? []).map { (plain($0.name), Cell(plain($0.value ?? Mask.hidden))) }
    if reveals {
      let shown = Set((hop.traceFields ?? []).map { $0.name.lowercased() })
      cells += values(hop.requestFields, "> ")
      cells += values(hop.answerFields?.filter { !shown.contains($0.name.lowercased()) }, "< ")
    }
    let status = hop.status.map { " \($0)" } ?? ""
    return Details(groups: [Details.Group("Hop \(hop.index)\(status)", cells: cells)]).render(paint)
  }

  /// Text from a stranger without control characters for the terminal.
  static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { scalar in
          scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format ? "?" : scalar
        }))
  }

  private static func values(_ fields: [CheckInterface.Field]?, _ mark: String) -> [(String, Cell?)] {
    (fields ?? []).compactMap { field in field.value.map { (mark + plain(field.name), Cell(plain($0))) } }
  }

  private static func address(_ address: String, _ hop: CheckInterface.Hop) -> String {
    address + (hop.family.map { $0 == .ipv4 ? " (IPv4)" : " (IPv6)" } ?? "") + ", port \(hop.port)"
  }

  private static func connection(_ hop: CheckInterface.Hop) -> String {
    (hop.reused ? "reused" : hop.openedAhead == true ? "opened ahead" : "new")
      + (hop.tlsVersion.map { ", TLS \($0)" } ?? (hop.scheme == .http ? ", in clear" : ""))
  }
}
