import ArgumentParser
import DaemonRuntime
import FleetAgent
import FleetSettings
import MQTTClient
import ModemModel

@main
struct ModemdFleetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modemd-fleet", abstract: "Shows this machine's modems to a fleet's broker, and answers its commands.",
    version: Product.version)

  func run() async throws {}
}
