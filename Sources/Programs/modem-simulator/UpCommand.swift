import ArgumentParser
import Glibc
import ModemModel
import ScenarioRunner

struct UpCommand: AsyncParsableCommand {
  enum ControlProtocol: String, ExpressibleByArgument, CaseIterable { case mbim, qmi }

  static let configuration = CommandConfiguration(
    commandName: "up", abstract: "Holds a world open until interrupted, or runs a command in it.",
    discussion: """
      With a command, it ends with the command's exit status. The command has MODEMD_SOCKET, MODEM_SIMULATOR_PTY, \
      MODEM_SIMULATOR_CA, MODEM_SIMULATOR_CHECK_URL, MODEM_SIMULATOR_CONTROL and MODEM_SIMULATOR_FOLDER set, and \
      modemctl in its PATH.
      """)

  @Argument(help: "The scenario's folder.")
  var scenario: String

  @Option(name: .customLong("protocol"), help: "The modem's control protocol, in place of the scenario's.")
  var controlProtocol: ControlProtocol?

  @Flag(help: "Start neither modemd-port nor modemd.")
  var withoutDaemons = false

  @Flag(
    help: """
      Put the modem on the kernel's virtual USB bus (module vhci-hcd), for this machine's own drivers, udev and systemd. For \
      virtual machines: the machine itself is the host, and gets a default route to the world's other uplink.
      """)
  var usb = false

  @Argument(parsing: .postTerminator, help: "A command to run in the host's network namespace.")
  var command: [String] = []

  func run() async throws {
    let interrupts = await Interrupts.trap()
    do {
      let options = World.Options(
        kind: controlProtocol.flatMap { ModemProtocol(rawValue: $0.rawValue) }, startsDaemons: !withoutDaemons && !usb,
        usesUSB: usb)
      let scenario = try Scenario(folder: scenario)
      let world = try await interrupts.cancelling { try await World.start(scenario, options) }
      let status = await held(world, interrupts)
      await world.stop()
      if try status.get() != 0 { throw ExitCode(try status.get()) }
    } catch is CancellationError {
      throw ExitCode(130)
    } catch let error as WorldError {
      Console.complain(error)
      throw ExitCode.failure
    }
  }

  /// The result of holding the world open: the exit status.
  private func held(_ world: World, _ interrupts: Interrupts) async -> Result<Int32, any Error> {
    do {
      return .success(try await hold(world, interrupts))
    } catch {
      return .failure(error)
    }
  }

  /// Runs the command, or waits for an interrupt; returns the exit status.
  private func hold(_ world: World, _ interrupts: Interrupts) async throws -> Int32 {
    if command.isEmpty {
      describe(world)
      await interrupts.wait()
      Console.say("packets that left by the other uplink: \(world.leaks)")
      return 0
    }
    let process = try await world.begin(command, isForeground: true).process
    interrupts.handle { signal in
      // The terminal has interrupted the command itself.
      if signal != SIGINT || isatty(0) == 0 { process.send(signal) }
    }
    return await process.waitForEnd().status
  }

  private func describe(_ world: World) {
    Console.say(
      """
      socket     \(world.folder.socket)
      PTY        \(world.devicePath) -> \(world.modem.snapshot.path ?? "-")
      authority  \(world.folder.authority)
      control    \(world.folder.control)

      In another shell: MODEMD_SOCKET=\(world.folder.socket) modemctl status
      Interrupt to end this world.
      """)
  }
}
