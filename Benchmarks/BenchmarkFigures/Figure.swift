import Glibc

/// One measured figure, with what it must hold and what it is compared with in the same run.
package struct Figure: Sendable {
  package enum Limit: Sendable {
    case atMost(Double)
    case atLeast(Double)
  }

  package let name: String
  package let value: Double
  package let unit: String
  package let limit: Limit?
  /// The peer's figure, in the same unit, smaller being better.
  package let peer: Double?
  /// The same figure for one alone, in the same unit: what it grows from.
  package let one: Double?

  package init(
    _ name: String, _ value: Double, _ unit: String, _ limit: Limit? = nil, peer: Double? = nil, one: Double? = nil
  ) {
    self.name = name
    self.value = value
    self.unit = unit
    self.limit = limit
    self.peer = peer
    self.one = one
  }

  /// At most 1 when the limit is held, whichever way the figure counts.
  package var ratioToLimit: Double? {
    switch limit {
    case .atMost(let most): value / most
    case .atLeast(let least): value > 0 ? least / value : .infinity
    case nil: nil
    }
  }

  /// Below 1 when better than the peer.
  package var ratioToPeer: Double? { peer.map { $0 > 0 ? value / $0 : .infinity } }

  /// How much more than for one alone.
  package var ratioToOne: Double? { one.map { $0 > 0 ? value / $0 : .infinity } }

  /// `name value unit ratio-to-limit ratio-to-peer ratio-to-one`.
  package var line: String {
    let ratio = { (value: Double?) in value.map { text($0) } ?? "-" }
    return "\(name) \(text(value)) \(unit) \(ratio(ratioToLimit)) \(ratio(ratioToPeer)) \(ratio(ratioToOne))"
  }

  /// The value alone, as it is printed.
  package var valueText: String { text(value) }

  /// The same as a JSON object on one line.
  package var json: String {
    let number = { (value: Double?) in value.flatMap { $0.isFinite ? text($0) : nil } ?? "null" }
    return #"{"name":"\#(name)","value":\#(number(value)),"unit":"\#(unit)","#
      + #""ratioToLimit":\#(number(ratioToLimit)),"ratioToPeer":\#(number(ratioToPeer)),"#
      + #""ratioToOne":\#(number(ratioToOne))}"#
  }

  /// Three decimals, without trailing zeros.
  private func text(_ value: Double) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "inf" }
    let thousandths = Int64((abs(value) * 1000).rounded())
    let fraction = String(thousandths % 1000 + 1000).dropFirst()
    let digits = String(fraction.reversed().drop { $0 == "0" }.reversed())
    return (value < 0 ? "-" : "") + "\(thousandths / 1000)" + (digits.isEmpty ? "" : "." + digits)
  }
}

/// Where figures go: a line each to standard output, and a JSON object a line to a file where one
/// is given.
package struct FigureOutput: Sendable {
  private let jsonPath: String?

  /// - Parameter jsonPath: the file to append to; nil for none.
  package init(jsonPath: String?) { self.jsonPath = jsonPath }

  /// - Throws: `BenchmarkError` if the file cannot be written.
  package func write(_ figures: [Figure]) throws(BenchmarkError) {
    for figure in figures { print(figure.line) }
    fflush(nil)
    guard let jsonPath else { return }
    guard let file = fopen(jsonPath, "ae") else {
      throw BenchmarkError("cannot append to \(jsonPath): \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    for figure in figures { fputs(figure.json + "\n", file) }
  }

  /// - Parameter most: the limit, where there is one.
  package func write(
    _ name: String, _ value: Double, _ unit: String, most: Double? = nil
  ) throws(BenchmarkError) {
    try write([Figure(name, value, unit, most.map { .atMost($0) })])
  }
}

/// What kept a figure from being measured.
package struct BenchmarkError: Error, CustomStringConvertible {
  package let description: String
  package init(_ description: String) { self.description = description }

  package static func system(_ what: String, _ number: Int32 = errno) -> BenchmarkError {
    BenchmarkError("\(what): \(String(cString: strerror(number)))")
  }
}

/// Milliseconds of a clock that only goes forward.
package func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
}

/// The value that a share of all values does not exceed (nearest rank).
/// - Parameter sorted: not empty, in rising order.
package func percentile(_ share: Double, of sorted: [Double]) -> Double {
  sorted[min(sorted.count - 1, max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1))]
}
