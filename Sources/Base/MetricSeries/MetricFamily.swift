/// A figure that a service counts or measures, with all its labels' values.
package struct MetricFamily: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// Only grows while the process runs.
    case counter
    case gauge
    /// Cumulative buckets of durations or sizes.
    case histogram
    /// Words as labels of the value 1.
    case info
  }

  /// OpenMetrics' name without suffix, as in `modemd_bearer_downs`.
  package let name: String
  package let kind: Kind
  /// The unit at the name's end, as in `seconds`; nil for none.
  package let unit: String?
  /// One sentence for people.
  package let help: String

  package init(_ name: String, _ kind: Kind, unit: String? = nil, _ help: String) {
    self.name = name
    self.kind = kind
    self.unit = unit
    self.help = help
  }
}
