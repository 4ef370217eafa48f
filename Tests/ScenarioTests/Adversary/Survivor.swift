import ModemAPI
import ModemAPIClient
import ScenarioRunner
import Testing

/// What an attack must leave as it was: the daemons' processes, and that they answer others.
enum Survivor {
  /// The id of a daemon's process; nil where it has ended.
  static func find(_ world: World, _ daemon: World.Daemon = .service) async -> Int32? {
    guard let process = await world.process(of: daemon), process.end == nil else { return nil }
    return process.id
  }

  /// Another caller gets an answer, on a connection of its own.
  static func expectAnswer(_ world: World) async throws {
    let reply = try await world.client().call(ModemInterface.List.self, .init())
    #expect(!reply.modems.isEmpty)
  }
}
