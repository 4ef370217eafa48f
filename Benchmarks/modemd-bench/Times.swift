import ArgumentParser
import BenchmarkFigures
import Glibc

/// Turns times that others measured into figures.
struct Times: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "The median of the numbers on standard input, as a figure.",
    discussion: "For scripts that measure with other programs: a number on each line, milliseconds as a rule.")

  @Option(help: "Name of the figure.") var name: String
  @Option(help: "Its unit.") var unit = "ms"
  @Option(help: "Most.") var most: Double?
  @Option(help: "What the peer had, in the same unit.") var peer: Double?
  @Option(help: "File to append JSON to.") var json: String?
  @Flag(help: "Print the median alone, for use as another figure's peer.") var bare = false

  func run() throws {
    var numbers: [Double] = []
    while let line = readLine() {
      guard let number = Double(line) else { throw BenchmarkError("'\(line)' is not a number") }
      numbers.append(number)
    }
    guard !numbers.isEmpty else { throw BenchmarkError("there are no numbers for \(name)") }
    let figure = Figure(name, percentile(0.5, of: numbers.sorted()), unit, most.map { .atMost($0) }, peer: peer)
    if bare {
      print(figure.value)
    } else {
      try FigureOutput(jsonPath: json).write([figure])
    }
  }
}
