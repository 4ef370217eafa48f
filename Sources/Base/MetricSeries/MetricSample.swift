/// One value of a figure at one time.
package struct MetricSample: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    case number(Double)
    case histogram(MetricHistogram)
    /// The present word of a state.
    case word(String)
  }

  /// A longer label's value is cut.
  package static let labelBytes = 128

  package let family: MetricFamily
  /// The labels' values, in the family's order.
  package let labels: [String]
  package let value: Value

  /// - Parameter labels: in the family's order. Control characters become blanks, and what is too
  ///   long is cut.
  package init(_ family: MetricFamily, _ labels: [String] = [], _ value: Value) {
    self.family = family
    self.labels = labels.map(Self.bounded)
    self.value = value
  }

  package init(_ family: MetricFamily, _ labels: [String] = [], _ number: Double) {
    self.init(family, labels, .number(number))
  }

  package init(_ family: MetricFamily, _ labels: [String] = [], _ isTrue: Bool) {
    self.init(family, labels, .number(isTrue ? 1 : 0))
  }

  static func bounded(_ label: String) -> String {
    let isPlain = label.utf8.count <= labelBytes && label.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
    if isPlain { return label }
    var bounded = ""
    for scalar in label.unicodeScalars {
      guard bounded.utf8.count + UTF8.width(scalar) <= labelBytes else { break }
      bounded.unicodeScalars.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return bounded
  }
}

/// How many values were up to each bound.
package struct MetricHistogram: Hashable, Sendable {
  /// As the family's bounds.
  package let bounds: [Double]
  /// Values up to each bound, and in the end all of them.
  package private(set) var counts: [UInt64]
  package private(set) var sum = 0.0

  package init(bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  package var count: UInt64 { counts.last ?? 0 }

  package mutating func add(_ value: Double) {
    guard value.isFinite else { return }
    sum += value
    for index in counts.indices where index == bounds.count || value <= bounds[index] { counts[index] &+= 1 }
  }
}
