import ArgumentParser
import Glibc
import NIOPosix
import OperatorSimulator
import ScenarioRunner

extension ServerRole: ExpressibleByArgument {}

/// The servers of one side of a world, in its namespace, until a signal ends it.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serves one side of a world.", shouldDisplay: false)

  @Argument var role: ServerRole
  @Argument var folder: String

  func run() async throws {
    let scenario = try Scenario(folder: folder)
    let group = MultiThreadedEventLoopGroup.singleton
    let servers = try await Operator.start(
      scenario.servers(role, WorldFolder(path: folder), on: group), on: group)
    close(open("\(folder)/\(role.rawValue).ready", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
    // Only a signal ends this wait.
    try await Task.sleep(for: .seconds(1 << 30))
    await servers.stop()
  }
}
