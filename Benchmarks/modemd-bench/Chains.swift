import ArgumentParser
import Glibc

/// Many chains at once, over one bearer or over several.
struct Chains: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times of many chains at once, and what they cost the service, beside one alone.",
    discussion: """
      Each chain is a call on a connection of its own; all are sent before the first reply is read. Before they are \
      measured, one chain has gone over each bearer, so that names and origins are known, as in daily use. Memory is the \
      most that was resident; processor time is the service's alone, not that of the simulated operator, which runs on \
      the same machine and makes the other half of each TLS handshake.
      """)

  @Option(help: "Path of the service's socket.") var socket: String
  @Option(help: "The check URL.") var url: String
  @Option(help: "How many at once, rising; the first is what the others are compared with.", transform: Self.counts)
  var counts = [1, 16, 256]
  @Option(help: "Over how many bearers.") var bearers = 1
  @Option(help: "Rounds of each; the median of all chains counts.") var rounds = 3
  @Option(help: "File to append JSON to.") var json: String?

  /// What one number of chains took.
  private struct Result {
    /// Milliseconds of each chain, in rising order.
    var times: [Double] = []
    /// Milliseconds of the service's processor time, for one chain.
    var processor = 0.0
    var megabytes = 0.0
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
      try FigureOutput(jsonPath: json).write([
        Figure(
          "\(name)-median", percentile(0.5, of: result.times), "ms", one: one.map { percentile(0.5, of: $0.times) }),
        Figure(
          "\(name)-p99", percentile(0.99, of: result.times), "ms", one: one.map { percentile(0.99, of: $0.times) }),
        Figure("\(name)-processor", result.processor, "ms/chain", one: one?.processor),
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
    let before = try cost.processorTime()
    for _ in 0..<rounds { result.times += try load(count, over: modems) }
    result.times.sort()
    result.processor = (try cost.processorTime() - before) / Double(rounds * count)
    result.megabytes = try residentMegabytes(of: cost.process, field: "VmHWM")
    return result
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
