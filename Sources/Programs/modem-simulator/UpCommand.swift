import ArgumentParser
import Glibc
import ModemModel
import ScenarioRunner

struct UpCommand: AsyncParsableCommand {
  enum ControlProtocol: String, ExpressibleByArgument, CaseIterable { case mbim, qmi }

  static let configuration = CommandConfiguration(
    commandName: "up", abstract: "Holds a world open until interrupted, or runs a command in it.",
    discussion: """
      With a command, it ends with the command's exit status. The command has MODEMD_SOCKET, MODEMD_PROXY, MODEM_SIMULATOR_PTY, \
      MODEM_SIMULATOR_CA, MODEM_SIMULATOR_CHECK_URL, MODEM_SIMULATOR_CONTROL, MODEM_SIMULATOR_FOLDER, \
      MODEM_SIMULATOR_PROVIDERS and MODEM_SIMULATOR_CREDENTIALS set, in a checkout MODEM_SIMULATOR_CLIENTS too, and \
      modemctl in its PATH.
      """)

  @Argument(help: "The scenario's folder.")
  var scenario: String

  @Option(name: .customLong("protocol"), help: "The modem's control protocol, instead of the scenario's.")
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
    let options = World.Options(
      kind: controlProtocol.flatMap { ModemProtocol(rawValue: $0.rawValue) }, startsDaemons: !withoutDaemons && !usb,
      usesUSB: usb)
    try await HeldWorld.hold(scenario, options) { world, interrupts in
      guard command.isEmpty else { return try await HeldWorld.run(command, in: world, interrupts) }
      describe(world)
      await interrupts.wait()
      Console.say("packets that left by the other uplink: \(world.leaks)")
      return 0
    }
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
