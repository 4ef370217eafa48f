import ArgumentParser
import Glibc
import ModemModel
import ScenarioRunner
import UnixSignals

struct UpCommand: AsyncParsableCommand {
  enum ControlProtocol: String, ExpressibleByArgument, CaseIterable { case mbim, qmi }

  static let configuration = CommandConfiguration(
    commandName: "up", abstract: "Holds a world open until interrupted, or runs a command in it.",
    discussion: """
      With a command, it ends with the command's exit status. The command has MODEMD_SOCKET, MODEM_SIMULATOR_PTY, \
      MODEM_SIMULATOR_CA, MODEM_SIMULATOR_CONTROL and MODEM_SIMULATOR_FOLDER set, and modemctl in its PATH.
      """)

  @Argument(help: "The scenario's folder.")
  var scenario: String

  @Option(name: .customLong("protocol"), help: "The modem's control protocol, in place of the scenario's.")
  var controlProtocol: ControlProtocol?

  @Flag(help: "Start neither modemd-port nor modemd.")
  var withoutDaemons = false

  @Argument(parsing: .postTerminator, help: "A command to run in the host's network namespace.")
  var command: [String] = []

  func run() async throws {
    let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
    do {
      let options = World.Options(
        kind: controlProtocol.flatMap { ModemProtocol(rawValue: $0.rawValue) }, startsDaemons: !withoutDaemons)
      let world = try await start(options, unless: signals)
      let result: Result<Int32, any Error>
      do {
        result = .success(try await hold(world, until: signals))
      } catch {
        result = .failure(error)
      }
      await world.stop()
      let status = try result.get()
      if status != 0 { throw ExitCode(status) }
    } catch let error as WorldError {
      complain(error)
      throw ExitCode.failure
    }
  }

  /// Starts the world; an interrupt meanwhile ends what was started of it.
  private func start(_ options: World.Options, unless signals: UnixSignalsSequence) async throws -> World {
    let scenario = try Scenario(folder: scenario)
    let starting = Task { try await World.start(scenario, options) }
    let interruption = Task { for await _ in signals { starting.cancel() } }
    defer { interruption.cancel() }
    do {
      return try await starting.value
    } catch is CancellationError {
      throw ExitCode(130)
    }
  }

  /// Runs the command, or waits for an interrupt; returns the exit status.
  private func hold(_ world: World, until signals: UnixSignalsSequence) async throws -> Int32 {
    let control = try ControlServer.start(for: world)
    defer { control.stop() }
    if command.isEmpty {
      describe(world)
      for await _ in signals { break }
      print("packets that left by the other uplink: \(world.leaks)")
      return 0
    }
    let process = try await world.begin(command, isForeground: true).process
    let forwarding = Task {
      for await signal in signals {
        // The terminal has interrupted the command itself.
        if signal == .sigint, isatty(0) == 1 { continue }
        process.send(signal == .sigint ? SIGINT : SIGTERM)
      }
    }
    defer { forwarding.cancel() }
    return await process.waitForEnd().status
  }

  private func describe(_ world: World) {
    print(
      """
      socket     \(world.folder.socket)
      PTY        \(world.devicePath) -> \(world.modem.snapshot.path ?? "-")
      authority  \(world.folder.authority)
      control    \(world.folder.control)

      In another shell: MODEMD_SOCKET=\(world.folder.socket) modemctl status
      Interrupt to end this world.
      """)
    fflush(stdout)
  }
}
