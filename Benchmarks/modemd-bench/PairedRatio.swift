import ArgumentParser
import BenchmarkFigures
import Glibc

/// The ratio of two things that were measured by turns, pair by pair: the median of the pairs'
/// ratios, and an interval that holds it.
///
/// The interval is the one of the sign test: from one of the sorted ratios to another, so chosen
/// that the median of all possible pairs lies between them with a probability of at least 95 %. It
/// assumes nothing of how the times are distributed. A pair that another program disturbed is one
/// ratio among the others, however large.
struct PairedRatio {
  let median: Double
  /// The interval's ends. With less than six pairs it has none.
  let low: Double
  let high: Double

  /// - Parameter pairs: not empty, both times above 0.
  init(_ pairs: [(value: Double, peer: Double)]) {
    let ratios = pairs.map { $0.value / $0.peer }.sorted()
    median = percentile(0.5, of: ratios)
    if let outside = Self.outside(of: ratios.count) {
      (low, high) = (ratios[outside], ratios[ratios.count - 1 - outside])
    } else {
      (low, high) = (0, .infinity)
    }
  }

  /// How many ratios may lie outside on either side: the most for which a fair coin shows so few
  /// heads in at most 2.5 % of all rows of `count` throws. Nil if not even none may.
  private static func outside(of count: Int) -> Int? {
    var (row, sum) = (pow(0.5, Double(count)), 0.0)
    var outside: Int?
    for heads in 0..<count {
      sum += row
      guard sum <= 0.025 else { return outside }
      outside = heads
      row *= Double(count - heads) / Double(heads + 1)
    }
    return outside
  }

  /// Its three figures.
  ///
  /// - Parameter most: what the ratio may be.
  func figures(_ name: String, most: Double?) -> [Figure] {
    [
      Figure(name, median, "times", most.map { .atMost($0) }), Figure("\(name)-low", low, "times"),
      Figure("\(name)-high", high, "times"),
    ]
  }
}

/// Turns pairs that others measured into a ratio.
struct Pairs: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "The ratio of pairs of numbers on standard input, with its interval of 95 %.",
    discussion: """
      Each line is a pair: what was measured, a blank, and what the peer had in the same turn. Three figures come of \
      it: the median of the pairs' ratios, and the ends of the interval that holds it with a probability of at least \
      95 % (sign test). The interval needs six pairs.
      """)

  @Option(help: "Name of the ratio.") var name: String
  @Option(help: "The most that it may be.") var most: Double?
  @Option(help: "File to append JSON to.") var json: String?

  func run() throws {
    var pairs: [(value: Double, peer: Double)] = []
    while let line = readLine() {
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      guard numbers.count == 2, numbers[0] > 0, numbers[1] > 0 else {
        throw BenchmarkError("'\(line)' is not a pair of numbers above 0")
      }
      pairs.append((numbers[0], numbers[1]))
    }
    guard !pairs.isEmpty else { throw BenchmarkError("there are no pairs for \(name)") }
    try FigureOutput(jsonPath: json).write(PairedRatio(pairs).figures(name, most: most))
  }
}
