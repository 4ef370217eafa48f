import ArgumentParser
import Glibc
import ModemSimulator

/// Measures a backend against the library below it, on the same simulated modem behind a
/// pseudo-terminal.
@main
struct BackendBench: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modemd-bench-backend", abstract: "Times of queries to a simulated modem.",
    subcommands: [Queries.self, Pairs.self, WithModem.self])
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
