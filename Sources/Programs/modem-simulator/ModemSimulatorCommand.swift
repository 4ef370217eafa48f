import ArgumentParser
import Glibc
import ModemModel
import ScenarioRunner

@main
struct ModemSimulatorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modem-simulator",
    abstract: "Runs simulated worlds: a modem that speaks real MBIM or QMI, and an operator behind it.",
    discussion: "As root, or as anyone where the kernel allows user namespaces. Nothing leaves the machine.",
    version: Product.version,
    subcommands: [
      UpCommand.self, ShellCommand.self, DemoCommand.self, ControlCommand.self, EnterCommand.self, ServeCommand.self,
      FaultsCommand.self,
    ])

  /// A world without root needs a user namespace, which only a single-threaded process can make, so
  /// this comes first.
  static func main() async {
    if CommandLine.arguments.dropFirst().first.map(["up", "shell", "demo", "faults"].contains) ?? false {
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
