import ModemAPI
import ModemctlCore

/// The hops of a chain as bars over the time since its start.
struct Waterfall: Sendable {
  private struct Row {
    let hop: CheckInterface.Hop
    let phases: HopPhases
    /// Milliseconds from the start of the chain.
    let start: Double
  }

  private static let marks: [HopPhases.Phase: Character] = [
    .names: "░", .connection: "▒", .tls: "▓", .waiting: "█", .body: "▪",
  ]
  private static let colours: [HopPhases.Phase: Paint.Colour] = [
    .names: .attention, .connection: .attention, .tls: .attention, .waiting: .good, .body: .bold,
  ]
  private static let originWidths = 12...40
  private static let leastBar = 8

  private var rows: [Row] = []

  var isEmpty: Bool { rows.isEmpty }

  /// Milliseconds from the start of the chain to the end of its last hop.
  var end: Double { rows.map { $0.start + $0.phases.end }.max() ?? 0 }

  mutating func add(_ hop: CheckInterface.Hop) {
    // A modemd that does not report when a hop began followed them one after the other.
    let start = hop.start.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil } ?? end
    rows.append(Row(hop: hop, phases: HopPhases(hop.times), start: start))
  }

  /// The drawing, one line per hop between a head and a legend. No line is longer than `width`
  /// characters if that is 32 or more.
  func lines(width: Int, _ paint: Paint) -> [String] {
    let total = max(end, 1)
    let totalText = ShownTime.milliseconds(total)
    let number = max(totalText.count, 4)
    let room = max(width, 32) - 2 - 1 - 6 - 1 - 1 - 1 - number
    let longest = rows.map { HopTable.origin($0.hop).count }.max() ?? 0
    let origin = min(
      max(min(longest, room / 2), min(Self.originWidths.lowerBound, room - Self.leastBar)), Self.originWidths.upperBound
    )
    let bar = max(room - origin, 1)
    let head =
      " # STATUS " + Self.fitted("SCHEME AND HOST", origin) + " " + Self.scale(bar, totalText) + " "
      + Self.right("ms", number)
    var lines = [paint(head, .bold)]
    for row in rows {
      let status = row.hop.status.map(String.init) ?? "-"
      lines.append(
        Self.right(String(row.hop.index), 2) + " " + paint(Self.fitted(status, 6), Self.colour(row.hop.status)) + " "
          + Self.fitted(HopTable.origin(row.hop), origin) + " " + Self.bar(row, bar, total, paint) + " "
          + Self.right(ShownTime.milliseconds(row.phases.end), number))
    }
    lines.append(contentsOf: Self.legend(max(width, 32), paint))
    return lines
  }

  private static func bar(_ row: Row, _ width: Int, _ total: Double, _ paint: Paint) -> String {
    let cell = total / Double(width)
    var phases = (0..<width).map { row.phases.phase(at: (Double($0) + 0.5) * cell - row.start) }
    if phases.allSatisfy({ $0 == nil }), let last = row.phases.spans.last {
      // Shorter than half a character, but still visible.
      phases[min(max(Int(row.start / cell), 0), width - 1)] = last.phase
    }
    var text = ""
    var index = 0
    while index < width {
      let phase = phases[index]
      let end = phases[index...].firstIndex { $0 != phase } ?? width
      let run = String(repeating: phase.flatMap { marks[$0] } ?? " ", count: end - index)
      text += paint(run, phase.flatMap { colours[$0] } ?? .plain)
      index = end
    }
    return text
  }

  private static func scale(_ width: Int, _ total: String) -> String {
    let last = "\(total)"
    guard width >= last.count + 3 else { return String(repeating: " ", count: width) }
    return "0" + String(repeating: " ", count: width - 1 - last.count) + last
  }

  /// The meaning of the marks, on as many lines as needed.
  private static func legend(_ width: Int, _ paint: Paint) -> [String] {
    var lines: [(text: String, count: Int)] = []
    for phase in HopPhases.Phase.allCases {
      let mark = marks[phase].map { String($0) } ?? " "
      let entry = (text: paint(mark, colours[phase] ?? .plain) + " " + phase.word, count: 2 + phase.word.count)
      if let last = lines.last, last.count + 2 + entry.count <= width {
        lines[lines.count - 1] = (last.text + "  " + entry.text, last.count + 2 + entry.count)
      } else {
        lines.append(("   " + entry.text, 3 + entry.count))
      }
    }
    return lines.map(\.text)
  }

  private static func colour(_ status: Int?) -> Paint.Colour {
    switch status {
    case nil, .some(400...): .bad
    case .some(300..<400): .plain
    case .some: .good
    }
  }

  /// Cut or padded to a width.
  private static func fitted(_ text: String, _ width: Int) -> String {
    text.count > width
      ? String(text.prefix(max(width - 1, 0))) + (width > 0 ? "…" : "")
      : text + String(repeating: " ", count: width - text.count)
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(width - text.count, 0)) + text
  }
}
