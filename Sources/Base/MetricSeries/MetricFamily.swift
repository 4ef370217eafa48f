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
    /// One of a few words. Text has a gauge for each, with the label `state`, which is 1 for the
    /// present one.
    case state
  }

  /// OpenMetrics' name without suffix, as in `modemd_bearer_downs`.
  package let name: String
  package let kind: Kind
  /// The unit at the name's end, as in `seconds`; nil for none.
  package let unit: String?
  /// The names of the labels, in the order in which samples have their values; `state` is not among
  /// those of a state.
  package let labels: [String]
  /// The upper bounds of a histogram's buckets, ascending, without infinity.
  package let bounds: [Double]
  /// What a state may be.
  package let words: [String]
  /// One sentence for people.
  package let help: String

  package init(
    _ name: String, _ kind: Kind, unit: String? = nil, labels: [String] = [], bounds: [Double] = [],
    words: [String] = [], _ help: String
  ) {
    self.name = name
    self.kind = kind
    self.unit = unit
    self.labels = labels
    self.bounds = bounds
    self.words = words
    self.help = help
  }

  /// The name as Varlink has it: without the service's prefix, as in `BearerDowns` or `ModemInfo`.
  ///
  /// - Parameter prefix: the first part of the service's names, as in `modemd`.
  package func camelCaseName(without prefix: String) -> String {
    let parts = (kind == .info ? name + suffix : name).split(separator: "_")
    return (parts.first == prefix[...] ? parts.dropFirst() : parts[...]).map {
      $0.prefix(1).uppercased() + $0.dropFirst()
    }
    .joined()
  }
}
