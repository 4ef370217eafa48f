import ArgumentParser
import Glibc
import NIOPosix
import OperatorSimulator
import ScenarioRunner

extension ServerRole: ExpressibleByArgument {}

/// The servers of one side of a world, in its namespace; until it is ended by a signal.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serves one side of a world.", shouldDisplay: false)

  @Argument var role: ServerRole
  @Argument var folder: String

  func run() async throws {
    let scenario = try Scenario(folder: folder)
    let certificates = WorldCertificates(in: "\(folder)/certificates")
    var configuration = scenario.servers(role, certificates)
    if role == .network { configuration.mood = { [folder] in WorldFolder(path: folder).nameServerMood } }
    let servers = try await Operator.start(configuration, on: MultiThreadedEventLoopGroup.singleton)
    close(open("\(folder)/\(role.rawValue).ready", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    // Nothing ends this wait but a signal.
    try await Task.sleep(for: .seconds(1 << 30))
    await servers.stop()
  }
}
