import ArgumentParser
import BenchmarkFigures
import Glibc

/// Many chains at once, over one bearer or over several.
struct Chains: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times of many chains at once, and what they cost the service, beside one alone.",
    discussion: """
      Each chain is a call on a connection of its own; all are sent before the first reply is read. Before they are \
      measured, one chain has gone over each bearer, so that names and origins are known, as in daily use. Memory is the \
      most that was resident. Processor time is the service's alone; that of the world is of everything else that \
      the service's own parent started: the simulated operator, which makes the other half of each TLS handshake, the \
      tunnels, and this program. If both together fill the machine's processors, nothing waits for modemd any more: \
      the bound is their sum for all chains, divided by the processors.
      """)

  @Option(help: "Path of the service's socket.") var socket: String
  @Option(help: "The check URL.") var url: String
  @Option(help: "How many at once, rising; the first is what the others are compared with.", transform: Self.counts)
  var counts = [1, 16, 256]
  @Option(help: "Over how many bearers.") var bearers = 1
  @Option(help: "Rounds of each; the median of all chains counts.") var rounds = 3
  @Option(help: "For the largest number: most of one chain's median.") var growth: Double?
  @Option(help: "For the largest number: most milliseconds of processor time for a chain.") var processor: Double?
  @Option(help: "File to append JSON to.") var json: String?

  /// What one number of chains took.
  private struct Result {
    /// Milliseconds of each chain, in rising order.
    var times: [Double] = []
    /// Milliseconds of the service's processor time, for one chain.
    var processor = 0.0
    /// The same of the rest of the world.
    var world = 0.0
    var megabytes = 0.0

    var median: Double { percentile(0.5, of: times) }

    /// Milliseconds that the machine's processors need at least for so many chains.
    func bound(of count: Int) -> Double {
      (processor + world) * Double(count) / Double(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
  }

  private static func counts(_ text: String) throws -> [Int] {
    try text.split(separator: ",").map { word in
      guard let count = Int(word), (1...1000).contains(count) else {
        throw ValidationError("--counts are numbers from 1 to 1000 with commas between them")
      }
      return count
    }
  }

  func run() throws {
    let modems = Array(try CheckCall.modems(of: socket).prefix(bearers))
    guard modems.count == bearers else { throw BenchmarkError("there are \(modems.count) modems, not \(bearers)") }
    let cost = ProcessCost(process: try VarlinkConnection(path: socket).peer())
    _ = try load(modems.count, over: modems)
    var one: Result?
    for count in counts {
      let result = try measure(count, over: modems, cost)
      let name = "chains-\(count)-over-\(bearers)"
      let isLargest = count == counts.max()
      let growth = isLargest ? self.growth.flatMap { most in one.map { Figure.Limit.atMost(most * $0.median) } } : nil
      let processor = isLargest ? self.processor.map { Figure.Limit.atMost($0) } : nil
      try FigureOutput(jsonPath: json).write([
        Figure("\(name)-median", result.median, "ms", growth, one: one?.median),
        Figure(
          "\(name)-p99", percentile(0.99, of: result.times), "ms", one: one.map { percentile(0.99, of: $0.times) }),
        Figure("\(name)-processor", result.processor, "ms/chain", processor, one: one?.processor),
        Figure("\(name)-world", result.world, "ms/chain", one: one?.world),
        Figure("\(name)-bound", result.bound(of: count), "ms"),
        Figure("\(name)-memory", result.megabytes, "MB", one: one?.megabytes),
      ])
      one = one ?? result
    }
  }

  private func measure(_ count: Int, over modems: [String], _ cost: ProcessCost) throws -> Result {
    var result = Result()
    // One alone is measured as often as there are samples of the next number.
    let rounds = count == 1 ? max(rounds, 20) : rounds
    try cost.resetPeak()
    let world = try cost.family()
    let before = try (cost.processorTime(), Self.processorTime(of: world))
    for _ in 0..<rounds { result.times += try load(count, over: modems) }
    result.times.sort()
    result.processor = (try cost.processorTime() - before.0) / Double(rounds * count)
    result.world = (try Self.processorTime(of: world) - before.1) / Double(rounds * count)
    result.megabytes = try residentMegabytes(of: cost.process, field: "VmHWM")
    return result
  }

  private static func processorTime(of processes: [ProcessCost]) throws -> Double {
    try processes.reduce(0) { try $0 + $1.processorTime() }
  }

  /// Sends so many calls, by turns over the modems, and waits for all.
  private func load(_ count: Int, over modems: [String]) throws -> [Double] {
    var connections: [VarlinkConnection] = []
    for _ in 0..<count { connections.append(try VarlinkConnection(path: socket)) }
    let frames = try modems.map { modem in
      try CheckCall.frame("org.modemd.Check.Open", CheckCall.Open(url: url, modem: modem), more: false)
    }
    var polled = connections.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    var began: [Double] = []
    for (index, connection) in connections.enumerated() {
      began.append(now())
      try connection.send(frames[index % frames.count])
    }
    var times: [Double] = []
    while times.count < count {
      let ready = poll(&polled, nfds_t(polled.count), 60_000)
      if ready < 0 && errno == EINTR { continue }
      guard ready > 0 else { throw BenchmarkError("no chain ended within 60 s") }
      for index in polled.indices where polled[index].revents != 0 {
        _ = try CheckCall.reply(on: connections[index])
        times.append(now() - began[index])
        polled[index].fd = -1
        polled[index].revents = 0
      }
    }
    return times
  }
}
