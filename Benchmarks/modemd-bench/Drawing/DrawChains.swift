import ArgumentParser
import BenchmarkFigures
import FoundationEssentials
import Glibc

/// The drawing of chain time against the number of chains at once.
struct DrawChains: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw-chains",
    abstract: "Draws the times of many chains at once as SVG, from the figures of `chains`.",
    discussion: """
      Reads the JSON lines that `chains --json` writes, from standard input, and writes the drawing to standard output: \
      for each number of bearers the medians and 99th percentiles, over the number of chains in powers of two.
      """)

  @Option(help: "The most of the largest number's median, in medians of one chain: drawn as a line.")
  var most = 1.5

  private struct Line: Decodable {
    let name: String
    let value: Double?
  }

  /// One number of chains over one number of bearers, as in `chains-256-over-16-p99`.
  private struct Point {
    let chains: Int
    let bearers: Int
    let kind: Substring
    let milliseconds: Double

    init?(_ line: Line) {
      let words = line.name.split(separator: "-")
      guard words.count == 5, words[0] == "chains", words[2] == "over", let value = line.value,
        let chains = Int(words[1]), let bearers = Int(words[3])
      else { return nil }
      (self.chains, self.bearers, kind, milliseconds) = (chains, bearers, words[4], value)
    }
  }

  func run() throws {
    var points: [Point] = []
    while let text = readLine() {
      let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
      if let point = Point(line), point.kind == "median" || point.kind == "p99" { points.append(point) }
    }
    guard points.count > 1 else { throw BenchmarkError("there are no figures of chains on standard input") }
    print(draw(points), terminator: "")
  }

  private func draw(_ points: [Point]) -> String {
    let bearers = Set(points.map(\.bearers)).sorted()
    var document = SVGDocument(
      width: 800, height: 20 + 300 * bearers.count, title: "Chain time against the number of chains at once",
      description: describe(points, bearers))
    for (index, count) in bearers.enumerated() {
      let own = points.filter { $0.bearers == count }
      let panel = ChainPanel(top: 20 + 300 * Double(index), points: points.map { ($0.chains, $0.milliseconds) })
      panel.frame(&document, title: "over \(count) bearer\(count == 1 ? "" : "s")")
      for (kind, style) in [("p99", SVGDocument.Style.peer), ("median", .figure)] {
        let series = own.filter { $0.kind == kind }.sorted { $0.chains < $1.chains }
        panel.draw(
          series.map { ($0.chains, $0.milliseconds) }, kind == "p99" ? "99th percentile" : "median", style, &document)
      }
      if let one = own.first(where: { $0.kind == "median" && $0.chains == 1 }) {
        panel.limit(one.milliseconds * most, "\(Figure("", most, "").valueText) of one", &document)
      }
    }
    document.words("chains at once", (430, Double(8 + 300 * bearers.count)), .small, .middle)
    return document.text
  }

  private func describe(_ points: [Point], _ bearers: [Int]) -> String {
    bearers.map { count in
      let medians = points.filter { $0.bearers == count && $0.kind == "median" }.sorted { $0.chains < $1.chains }
      let words = medians.map { "\($0.chains): \(Int($0.milliseconds.rounded())) ms" }.joined(separator: ", ")
      return "Medians over \(count) bearer\(count == 1 ? "" : "s"): \(words)."
    }
    .joined(separator: " ")
  }
}

/// One diagram: chains on a scale of powers of two, milliseconds from zero.
private struct ChainPanel {
  private static let left = 70.0
  private static let right = 690.0
  private static let height = 230.0

  let top: Double
  private let mostChains: Double
  private let mostTime: Double
  private let step: Double

  init(top: Double, points: [(chains: Int, time: Double)]) {
    self.top = top
    mostChains = Double(points.map(\.chains).max() ?? 1)
    let highest = points.map(\.time).max() ?? 1
    step = [50, 100, 200, 500, 1000, 2000, 5000].first { highest / $0 <= 8 } ?? highest / 4
    mostTime = (highest / step).rounded(.up) * step
  }

  func frame(_ document: inout SVGDocument, title: String) {
    document.words(title, (Self.left, top + 4), .name)
    for time in stride(from: 0, through: mostTime, by: step) {
      document.line((Self.left, y(time)), (Self.right, y(time)), time == 0 ? .axis : .grid)
      document.words("\(Int(time)) ms", (Self.left - 8, y(time) + 4), .small, .end)
    }
    for power in 0...Int(log2(max(mostChains, 1))) where power % 2 == 0 {
      document.words("\(1 << power)", (x(1 << power), y(0) + 18), .small, .middle)
    }
  }

  func draw(
    _ series: [(chains: Int, time: Double)], _ name: String, _ style: SVGDocument.Style, _ document: inout SVGDocument
  ) {
    document.path(series.map { (x($0.chains), y($0.time)) }, style)
    for point in series { document.dot((x(point.chains), y(point.time)), style) }
    if let last = series.last { document.words(name, (x(last.chains) + 10, y(last.time) + 4), .small) }
  }

  func limit(_ time: Double, _ name: String, _ document: inout SVGDocument) {
    guard time <= mostTime else { return }
    document.line((Self.left, y(time)), (Self.right, y(time)), .limit)
    document.words(name, (Self.left + 6, y(time) - 5), .small)
  }

  private func x(_ chains: Int) -> Double {
    Self.left + (Self.right - 20 - Self.left) * log2(Double(max(chains, 1))) / max(log2(mostChains), 1)
  }

  private func y(_ time: Double) -> Double { top + 20 + Self.height * (1 - time / mostTime) }
}
