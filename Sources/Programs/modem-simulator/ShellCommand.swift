import ArgumentParser
import Glibc
import ModemModel
import ScenarioRunner

struct ShellCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shell", abstract: "Opens a shell in a world, which ends with the shell.",
    discussion: """
      The shell has the variables that `up` sets, and modemctl in its PATH. It is the one of SHELL, in the current folder. \
      If standard input is no terminal, /bin/sh reads commands from it. The exit status is the shell's.
      """)

  @Argument(help: "The scenario's folder.")
  var scenario: String

  @Option(name: .customLong("protocol"), help: "The modem's control protocol, instead of the scenario's.")
  var controlProtocol: UpCommand.ControlProtocol?

  func run() async throws {
    let kind = controlProtocol.flatMap { ModemProtocol(rawValue: $0.rawValue) }
    try await HeldWorld.hold(scenario, World.Options(kind: kind)) { world, interrupts in
      let isInteractive = isatty(0) != 0
      if isInteractive { Console.say(Self.greeting(scenario)) }
      return try await HeldWorld.run(try world.shell(isInteractive: isInteractive), in: world, interrupts)
    }
  }

  private static func greeting(_ scenario: String) -> String {
    """
    This shell is in the world of \(scenario). `modemctl status` shows its modem,
    `modem-simulator control --help` what you can make happen. `exit` ends the shell and the world.
    """
  }
}
