import ArgumentParser
import BenchmarkFigures
import FoundationEssentials
import Glibc

/// The drawing of verifications' critical paths.
struct DrawPath: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draw-path",
    abstract: "Draws the steps of verifications as SVG, from the lines of `verify-path --parts`.",
    discussion: """
      Reads JSON lines from standard input, and writes the drawing to standard output: for each run a panel with a \
      bar for each step, over the milliseconds from the flow's start. Steps of the bearer show their hops.
      """)

  func run() throws {
    var parts: [FlowCall.Part] = []
    while let text = readLine() {
      parts.append(try JSONDecoder().decode(FlowCall.Part.self, from: Data(text.utf8)))
    }
    var runs: [String] = []
    for part in parts where !runs.contains(part.run) { runs.append(part.run) }
    guard !runs.isEmpty else { throw BenchmarkError("there are no steps on standard input") }
    let drawn = runs.map { name in (name, parts.filter { $0.run == name }) }
    print(draw(drawn), terminator: "")
  }

  private static let left = 170.0
  private static let right = 770.0
  private static let row = 22.0

  private func draw(_ runs: [(name: String, parts: [FlowCall.Part])]) -> String {
    let longest = runs.flatMap(\.parts).map { $0.start + $0.milliseconds }.max() ?? 1
    let step = [20.0, 50, 100, 200, 500, 1000, 2000].first { longest / $0 <= 10 } ?? longest / 5
    let scale = (Self.right - Self.left) / ((longest / step).rounded(.up) * step)
    let heights = runs.map { run in 60 + Self.row * Double(run.parts.count { $0.kind == .step }) }
    var document = SVGDocument(
      width: 800, height: Int(heights.reduce(40, +)), title: "The critical path of a verification",
      description: describe(runs))
    var top = 24.0
    legend(&document)
    top += 20
    for (run, height) in zip(runs, heights) {
      let end = run.parts.map { $0.start + $0.milliseconds }.max() ?? 0
      document.words("\(run.name), \(Int(end.rounded())) ms", (16, top + 4), .name)
      let steps = run.parts.filter { $0.kind == .step }
      let bottom = top + 14 + Self.row * Double(steps.count)
      for time in stride(from: 0, through: (longest / step).rounded(.up) * step, by: step) {
        let x = Self.left + time * scale
        document.line((x, top + 12), (x, bottom), time == 0 ? .axis : .grid)
        document.words("\(Int(time))", (x, bottom + 14), .small, .middle)
      }
      for (place, part) in steps.enumerated() {
        let y = top + 16 + Self.row * Double(place)
        document.words(part.name, (Self.left - 8, y + 12), .small, .end)
        let style: SVGDocument.Style = part.lane == "bearer" || part.lane == "modem" ? .figure : .peer
        bar(part, y, scale, style, &document)
        // The ends of the hops, which the next one waits for.
        for hop in run.parts where hop.kind == .hop && hop.index == part.index && hop.start > part.start {
          let x = Self.left + hop.start * scale
          document.line((x, y - 1), (x, y + 16), .axis)
        }
      }
      top += height
    }
    return document.text
  }

  private func bar(
    _ part: FlowCall.Part, _ y: Double, _ scale: Double, _ style: SVGDocument.Style, _ document: inout SVGDocument
  ) {
    let width = max(part.milliseconds * scale, 1.5)
    document.bar((Self.left + part.start * scale, y), width: width, height: 15, style)
  }

  private func legend(_ document: inout SVGDocument) {
    document.bar((Self.left, 8), width: 24, height: 12, .figure)
    document.words("over the SIM's bearer, lines between hops", (Self.left + 32, 18), .small)
    document.bar((Self.left + 300, 8), width: 24, height: 12, .peer)
    document.words("by the machine's own network; milliseconds", (Self.left + 332, 18), .small)
  }

  private func describe(_ runs: [(name: String, parts: [FlowCall.Part])]) -> String {
    runs.map { run in
      let steps = run.parts.filter { $0.kind == .step }.map { part in
        "\(part.name) from \(Int(part.start.rounded())) to \(Int((part.start + part.milliseconds).rounded())) ms"
      }
      return "\(run.name): \(steps.joined(separator: ", "))."
    }
    .joined(separator: " ")
  }
}
