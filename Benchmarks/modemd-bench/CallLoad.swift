import ArgumentParser
import BenchmarkFigures
import Glibc

/// A closed loop: each client sends its next call when it has the reply to the last one.
struct Calls: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Calls per second and their times, for a number of clients.")

  @Option(help: "Path of the service's socket.") var socket: String
  @Option(help: "Connections at once.") var clients = 16
  @Option(help: "Seconds to measure, after a tenth of that for warming up.") var seconds = 3.0
  @Option(help: "Method to call.") var method = "org.modemd.Modem.List"
  @Option(help: "Its parameters, as JSON.") var parameters = "{}"
  @Option(help: "Least calls per second.") var least: Double?
  @Option(help: "Most milliseconds of the 99th percentile.") var most: Double?
  @Option(help: "What a peer takes for the same, in milliseconds.") var peer: Double?
  @Option(help: "File to append JSON to.") var json: String?

  func validate() throws {
    guard (1...4096).contains(clients), seconds > 0 else {
      throw ValidationError("--clients is from 1 to 4096, --seconds above 0")
    }
  }

  func run() throws {
    // A reply that is an error would make a fast and worthless figure.
    _ = try VarlinkConnection(path: socket).call(method, parameters: parameters)
    var load = try CallLoad(
      path: socket, clients: clients, frame: VarlinkConnection.frame(method, parameters: parameters))
    _ = try load.run(milliseconds: seconds * 100)
    let (times, elapsed) = try load.run(milliseconds: seconds * 1000)
    let sorted = times.sorted()
    guard !sorted.isEmpty else { throw BenchmarkError("no call was answered in \(seconds) s") }
    let perSecond = Double(sorted.count) / elapsed * 1000
    try FigureOutput(jsonPath: json).write([
      Figure("varlink-calls-\(clients)", perSecond, "1/s", least.map { .atLeast($0) }),
      Figure("varlink-p50-\(clients)", percentile(0.50, of: sorted), "ms", peer: peer),
      Figure("varlink-p99-\(clients)", percentile(0.99, of: sorted), "ms", most.map { .atMost($0) }, peer: peer),
    ])
  }
}

/// Clients on one thread behind `poll`: the load generator leaves the other processor to the
/// service.
struct CallLoad {
  private let connections: [VarlinkConnection]
  private let frame: [UInt8]
  private var polled: [pollfd]

  init(path: String, clients: Int, frame: [UInt8]) throws(BenchmarkError) {
    self.frame = frame
    var made: [VarlinkConnection] = []
    for _ in 0..<clients { made.append(try VarlinkConnection(path: path)) }
    connections = made
    polled = made.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
  }

  /// Keeps all clients busy for a time, then lets the last calls end.
  /// - Returns: milliseconds of each call, and of the whole.
  mutating func run(milliseconds: Double) throws(BenchmarkError) -> (times: [Double], elapsed: Double) {
    var times: [Double] = []
    times.reserveCapacity(1 << 18)
    var began = [Double](repeating: 0, count: connections.count)
    let start = now()
    for index in connections.indices {
      began[index] = now()
      try connections[index].send(frame)
    }
    var outstanding = connections.count
    while outstanding > 0 {
      let count = poll(&polled, nfds_t(polled.count), 5000)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw BenchmarkError("no reply within 5 s") }
      for index in polled.indices where polled[index].revents != 0 {
        _ = try connections[index].receive()
        let end = now()
        times.append(end - began[index])
        if end - start < milliseconds {
          began[index] = now()
          try connections[index].send(frame)
        } else {
          outstanding -= 1
        }
      }
    }
    return (times, now() - start)
  }
}
