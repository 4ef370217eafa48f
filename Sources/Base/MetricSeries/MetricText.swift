/// Figures as text that collectors read.
package enum MetricText: Sendable {
  /// OpenMetrics 1.0 (the text format of github.com/prometheus/OpenMetrics).
  case openMetrics
  /// Prometheus' older text format 0.0.4, which node_exporter's textfile collector reads.
  case prometheus

  /// HTTP's name of the form.
  package var contentType: String {
    switch self {
    case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
    case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
    }
  }

  /// - Parameter samples: those of one family one after the other.
  package func write(_ samples: [MetricSample]) -> String {
    var text = ""
    var last: MetricFamily?
    for sample in samples {
      if sample.family != last {
        writeHead(of: sample.family, to: &text)
        last = sample.family
      }
      write(sample, to: &text)
    }
    if self == .openMetrics { text += "# EOF\n" }
    return text
  }

  private func writeHead(of family: MetricFamily, to text: inout String) {
    // The older format knows the samples' names only.
    let name = self == .openMetrics ? family.name : family.name + family.suffix
    text += "# TYPE \(name) \(word(for: family.kind))\n"
    if self == .openMetrics, let unit = family.unit { text += "# UNIT \(name) \(unit)\n" }
    text += "# HELP \(name) \(Self.escaped(family.help))\n"
  }

  private func word(for kind: MetricFamily.Kind) -> String {
    switch kind {
    case .counter: "counter"
    case .gauge, .state: "gauge"
    case .histogram: "histogram"
    case .info: self == .openMetrics ? "info" : "gauge"
    }
  }

  private func write(_ sample: MetricSample, to text: inout String) {
    let family = sample.family
    let labels = Array(zip(family.labels, sample.labels))
    switch sample.value {
    case .number(let number): Self.line(family.name + family.suffix, labels, number, to: &text)
    case .word(let present):
      for word in family.words {
        Self.line(family.name, labels + [("state", word)], word == present ? 1 : 0, to: &text)
      }
    case .histogram(let histogram):
      for (index, count) in histogram.counts.enumerated() {
        let bound = index < histogram.bounds.count ? Self.canonical(histogram.bounds[index]) : "+Inf"
        Self.line("\(family.name)_bucket", labels + [("le", bound)], Double(count), to: &text)
      }
      Self.line("\(family.name)_count", labels, Double(histogram.count), to: &text)
      Self.line("\(family.name)_sum", labels, histogram.sum, to: &text)
    }
  }

  private static func line(_ name: String, _ labels: [(String, String)], _ number: Double, to text: inout String) {
    text += name
    if !labels.isEmpty {
      text += "{" + labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",") + "}"
    }
    text += " \(short(number))\n"
  }

  /// Of the bounds of buckets, which are compared as text (OpenMetrics, "Considerations: Canonical
  /// Numbers").
  package static func canonical(_ number: Double) -> String { "\(number)" }

  private static func short(_ number: Double) -> String {
    if let whole = Int64(exactly: number) { return "\(whole)" }
    guard number.isFinite else { return number.isNaN ? "NaN" : number < 0 ? "-Inf" : "+Inf" }
    return "\(number)"
  }

  private static func escaped(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 0x5c || $0 == 0x22 || $0 == 0x0a }) else { return text }
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "\\": escaped += "\\\\"
      case "\"": escaped += "\\\""
      case "\n": escaped += "\\n"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}

extension MetricFamily {
  /// What a plain sample's name has behind the family's.
  package var suffix: String {
    switch kind {
    case .counter: "_total"
    case .info: "_info"
    case .gauge, .histogram, .state: ""
    }
  }
}
