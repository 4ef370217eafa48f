import ArgumentParser
import BenchmarkFigures
import Glibc

/// The same question about a modem with its name and without, by turns.
struct NamedCalls: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "named-calls",
    abstract: "org.modemd.Modem.Get with a modem's name, relative to the same without one.",
    discussion: """
      The two take turns, each on its own connections. Figures are for one call: the time between replies, and the \
      service's processor time, in microseconds. Each is the median of all turns, and the ratio to the peer is that \
      to calls without a name.
      """)

  @Option(help: "Path of the service's socket.") var socket: String
  @Option(help: "Connections at once.") var clients = 16
  @Option(help: "Turns of each of the two, after one for warming up.") var turns = 15
  @Option(help: "Milliseconds of a turn.") var milliseconds = 200.0
  @Option(help: "The modem's name; by default the id in the service's answer.") var modem: String?
  @Option(help: "File to append JSON to.") var json: String?

  private static let method = "org.modemd.Modem.Get"

  func validate() throws {
    guard (1...4096).contains(clients), (3...10_000).contains(turns), milliseconds > 0 else {
      throw ValidationError("--clients is from 1 to 4096, --turns from 3 to 10000, --milliseconds above 0")
    }
  }

  func run() throws {
    let probe = try VarlinkConnection(path: socket)
    let process = try probe.peer()
    let name = try modem ?? Self.id(in: try probe.call(Self.method))
    let parameters = ["{}", #"{"modem":"\#(name)"}"#]
    // A reply that is an error would make a fast and worthless figure.
    for parameters in parameters { _ = try probe.call(Self.method, parameters: parameters) }
    var loads: [CallLoad] = []
    for parameters in parameters {
      let frame = VarlinkConnection.frame(Self.method, parameters: parameters)
      loads.append(try CallLoad(path: socket, clients: clients, frame: frame))
    }
    var elapsed: [[Double]] = [[], []]
    var processor: [[Double]] = [[], []]
    for turn in 0...turns {
      for way in loads.indices {
        let before = try Self.processorTime(of: process)
        let (times, whole) = try loads[way].run(milliseconds: milliseconds)
        let after = try Self.processorTime(of: process)
        guard turn > 0, !times.isEmpty else { continue }
        elapsed[way].append(whole * 1000 / Double(times.count))
        processor[way].append((after - before) / Double(times.count))
      }
    }
    let (time, work) = (elapsed.map(Self.median), processor.map(Self.median))
    try FigureOutput(jsonPath: json).write([
      Figure("varlink-unnamed-\(clients)", time[0], "us"),
      Figure("varlink-named-\(clients)", time[1], "us", .atMost(1.1 * time[0]), peer: time[0]),
      Figure("varlink-unnamed-\(clients)-processor", work[0], "us"),
      Figure("varlink-named-\(clients)-processor", work[1], "us", .atMost(1.1 * work[0]), peer: work[0]),
    ])
  }

  /// Microseconds of processor time of a process, to the scheduler's resolution: a turn is short.
  private static func processorTime(of process: pid_t) throws(BenchmarkError) -> Double {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      throw BenchmarkError("process \(process) has no clock of its processor time")
    }
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  /// The modem's id, which is plain text, in a reply.
  private static func id(in reply: String) throws(BenchmarkError) -> String {
    guard let id = reply.quoted(after: #""id":""#), !id.isEmpty else {
      throw BenchmarkError("the reply has no id: \(reply)")
    }
    return id
  }

  private static func median(_ values: [Double]) -> Double { percentile(0.5, of: values.sorted()) }
}

extension String {
  /// The text between the first `mark` and the next quotation mark; nil without a mark.
  fileprivate func quoted(after mark: String) -> String? {
    guard let range = firstRange(of: mark) else { return nil }
    return String(self[range.upperBound...].prefix { $0 != "\"" })
  }
}
