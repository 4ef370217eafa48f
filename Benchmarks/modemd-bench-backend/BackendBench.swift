import ArgumentParser
import Glibc
import MBIMBackend
import ModemModel
import ModemSimulator

/// Measures a backend against the library below it, on the same simulated modem behind a
/// pseudo-terminal.
@main
struct BackendBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modemd-bench-backend", abstract: "Times of queries to a simulated modem.",
    subcommands: [Queries.self, WithModem.self])
}

/// Times of a query, in microseconds, a line for each.
struct Queries: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times of a query in microseconds, for `modemd-bench times`.",
    discussion: """
      Each round asks for the subscriber's state and the home network (MBIM_CID_SUBSCRIBER_READY_STATUS, \
      MBIM_CID_HOME_PROVIDER), one after the other, and reads both answers; its line is half of its time.
      """)

  enum Way: String, ExpressibleByArgument, CaseIterable {
    /// The bare library.
    case library
    /// This project's backend.
    case backend
  }

  @Argument(help: "Who asks: library or backend.") var way: Way
  @Option(help: "Rounds, after a tenth of that for warming up.") var rounds = 2000

  func run() async throws {
    let modem = SimulatedModem()
    let path = try modem.plugIn()
    defer { modem.unplug() }
    let times =
      switch way {
      case .library: try libraryTimes(path)
      case .backend: try await backendTimes(path)
      }
    for time in times.dropFirst(rounds / 10) { print(time / 2) }
  }

  private func libraryTimes(_ path: String) throws -> [Double] {
    let device = try BareDevice(path: path)
    defer { device.close() }
    var times: [Double] = []
    for _ in 0..<(rounds + rounds / 10) {
      let start = microseconds()
      guard try device.numberCount() > 0, try device.homeNetwork() != nil else { throw BareError("an empty answer") }
      times.append(microseconds() - start)
    }
    return times
  }

  private func backendTimes(_ path: String) async throws -> [Double] {
    let backend = MBIMBackend(MBIMConfiguration(path: path))
    try await backend.open()
    var times: [Double] = []
    for _ in 0..<(rounds + rounds / 10) {
      let start = microseconds()
      let status = try await backend.simStatus()
      times.append(microseconds() - start)
      guard !status.numbers.isEmpty, status.home != nil else { throw BareError("an empty answer") }
    }
    await backend.close()
    return times
  }
}

/// Runs a command beside a simulated modem.
struct WithModem: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs a command; MODEM_DEVICE is the control port of a simulated modem.")

  @Argument(parsing: .postTerminator, help: "The command and its arguments.") var command: [String]

  func run() throws {
    let modem = SimulatedModem()
    setenv("MODEM_DEVICE", try modem.plugIn(), 1)
    defer { modem.unplug() }
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var process: pid_t = 0
    let status = posix_spawnp(&process, command[0], nil, nil, &arguments, environ)
    guard status == 0 else { throw BareError("cannot start \(command[0]): \(String(cString: strerror(status)))") }
    var end: Int32 = 0
    while waitpid(process, &end, 0) < 0, errno == EINTR {}
    guard end == 0 else { throw BareError("\(command[0]) ended with wait status \(end)") }
  }
}

/// Microseconds of a clock that only goes forward.
private func microseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}
