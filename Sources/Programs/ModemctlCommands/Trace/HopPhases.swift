import ModemAPI

/// The phases of a hop's time.
struct HopPhases: Hashable, Sendable {
  enum Phase: CaseIterable, Sendable {
    case names, connection, tls, waiting, body

    /// For people.
    var word: String {
      switch self {
      case .names: "names"
      case .connection: "connection"
      case .tls: "TLS"
      case .waiting: "waiting"
      case .body: "body"
      }
    }
  }

  /// Phases that took time, in order; milliseconds from the start of the hop.
  let spans: [(phase: Phase, from: Double, to: Double)]

  init(_ times: CheckInterface.Times) {
    let ends = [
      (Phase.names, times.dns), (.connection, times.connect), (.tls, times.tls), (.waiting, times.firstByte),
      (.body, times.end),
    ]
    var spans: [(phase: Phase, from: Double, to: Double)] = []
    var last = 0.0
    for case (let phase, let end?) in ends where end.isFinite && end > last {
      spans.append((phase, last, end))
      last = end
    }
    self.spans = spans
  }

  /// Milliseconds from the start of the hop to its end.
  var end: Double { spans.last?.to ?? 0 }

  /// How long a phase took; nil if it did not happen.
  func duration(_ phase: Phase) -> Double? {
    spans.first { $0.phase == phase }.map { $0.to - $0.from }
  }

  /// The phase at a moment of the hop; nil outside.
  func phase(at moment: Double) -> Phase? { spans.first { $0.from <= moment && moment < $0.to }?.phase }

  static func == (a: Self, b: Self) -> Bool { a.spans.elementsEqual(b.spans) { $0 == $1 } }

  func hash(into hasher: inout Hasher) {
    for span in spans { hasher.combine(span.to) }
  }
}
