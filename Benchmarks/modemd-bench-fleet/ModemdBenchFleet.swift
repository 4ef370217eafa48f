import ArgumentParser
import FleetAgent
import MQTTClient

@main
struct ModemdBenchFleet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modemd-bench-fleet", abstract: "Many agents of a fleet against one broker.")

  func run() async throws {}
}
