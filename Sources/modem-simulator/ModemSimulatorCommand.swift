import ArgumentParser
import Glibc
import ScenarioRunner

@main
struct ModemSimulatorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modem-simulator",
    abstract: "Runs simulated worlds: a modem that speaks real MBIM or QMI, and an operator behind it.",
    discussion: "As root, or as anyone where the kernel allows user namespaces. Nothing leaves the machine.",
    version: "0.1.0",
    subcommands: [UpCommand.self, DemoCommand.self, ControlCommand.self, EnterCommand.self, ServeCommand.self])

  /// A world without root needs a user namespace, which only a process without other threads can make: so before all else.
  static func main() async {
    if CommandLine.arguments.dropFirst().first.map(["up", "demo"].contains) ?? false {
      do {
        try UserNamespace.enterUnlessRoot()
      } catch {
        Console.complain(error)
        Glibc.exit(1)
      }
    }
    await main(nil)
  }
}
