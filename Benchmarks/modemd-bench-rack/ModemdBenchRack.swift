import ArgumentParser
import BenchmarkFigures
import Glibc
import RackSupport

@main
struct ModemdBenchRack: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modemd-bench-rack", abstract: "One modemd with many modems: memory, calls and changes.",
    discussion: """
      Serves the ports of a rack of modems on sockets of its own, and starts a modemd on them: one for each number of \
      modems. What is counted of time is modemd's own processor time, so that the simulated ports do not count. Needs a \
      limit of open files (ulimit -n) of eight for each modem.
      """)

  @Option(help: "The program modemd.") var modemd: String
  @Option(help: "Numbers of modems, rising; what grows is compared with the first.", transform: Self.counts)
  var modems = [1, 250, 500, 1000]
  @Option(help: "Connections that watch.") var watchers = 16
  @Option(help: "Most kilobytes of memory for each modem beyond the first.") var most: Double = 64
  @Option(help: "File to append JSON to.") var json: String?

  private static func counts(_ text: String) throws -> [Int] {
    let counts = text.split(separator: ",").compactMap { Int($0) }.filter { (1...10_000).contains($0) }
    guard counts.count == text.split(separator: ",").count, !counts.isEmpty, counts == counts.sorted() else {
      throw ValidationError("--modems are rising numbers from 1 to 10000 with commas between them")
    }
    return counts
  }

  func validate() throws {
    guard (1...256).contains(watchers) else { throw ValidationError("--watchers: 1 to 256") }
  }

  func run() async throws {
    try OpenFiles.raise(for: (modems.last ?? 1) * 8 + 256)
    let scratch = try Scratch()
    defer { scratch.remove() }
    var rack = SimulatedRack(in: scratch.ports)
    let sink = FigureOutput(jsonPath: json)
    var first: RackFigures?
    for count in modems {
      try await rack.resize(to: count)
      let service = try RackService(program: modemd, in: scratch)
      defer { service.stop() }
      let measured = try await RackRun(service: service, rack: rack, watchers: watchers).measure()
      try write(measured, of: count, beside: first, to: sink)
      first = first ?? measured
    }
    try await plug(&rack, scratch, sink)
  }

  private func write(_ figures: RackFigures, of count: Int, beside first: RackFigures?, to sink: FigureOutput) throws {
    let name = "rack-\(count)"
    try sink.write("\(name)-memory", figures.kilobytes / 1024, "MB")
    if let first, count > (modems.first ?? 1) {
      let more = Double(count - (modems.first ?? 1))
      try sink.write("\(name)-memory-each", (figures.kilobytes - first.kilobytes) / more, "kB", most: most)
      try sink.write("\(name)-memory-each-up", (figures.kilobytesUp - first.kilobytesUp) / more, "kB", most: most)
    }
    try sink.write("\(name)-files", Double(figures.files), "files")
    try sink.write("\(name)-threads", Double(figures.threads), "threads")
    try sink.write("\(name)-known", figures.known, "ms")
    try sink.write("\(name)-known-processor", figures.knownProcessor * 1000 / Double(count), "us/modem")
    try sink.write("\(name)-list-bytes", Double(figures.listBytes) / Double(count), "B/modem")
    try sink.write("\(name)-list", figures.list, "us")
    try sink.write("\(name)-list-after-change", figures.listAfterChange, "us")
    try sink.write("\(name)-get", figures.get, "us")
    try sink.write("\(name)-change-bytes", figures.changeBytes, "B/watcher")
    try sink.write("\(name)-change", figures.change, "us")
    try sink.write("\(name)-all-change", figures.allChange * 1000 / Double(count), "us/modem")
    try sink.write("\(name)-up", figures.up * 1000 / Double(count), "us/modem")
  }

  /// All modems but the first go and come back, under one modemd.
  private func plug(_ rack: inout SimulatedRack, _ scratch: Scratch, _ sink: FigureOutput) async throws {
    guard let count = modems.last, count > 1 else { return }
    let service = try RackService(program: modemd, in: scratch)
    defer { service.stop() }
    let watch = try RackWatch(service.socket)
    try watch.waitForAll(count)
    let before = try service.figures()
    try await rack.resize(to: 1)
    try watch.wait(for: count - 1, "removed")
    let gone = try service.figures()
    try sink.write("rack-\(count)-unplug", (gone.processor - before.processor) * 1000 / Double(count), "us/modem")
    try await rack.resize(to: count)
    try watch.wait(for: count - 1, "added")
    let back = try service.figures()
    try sink.write("rack-\(count)-plug", (back.processor - gone.processor) * 1000 / Double(count), "us/modem")
    try sink.write("rack-\(count)-plug-growth", Double(back.anonymous - before.anonymous), "kB")
    try sink.write("rack-\(count)-plug-files", Double(back.files - before.files), "files")
  }
}
