import FleetAPI
import FleetAgent
import FleetSettings
import Glibc
import Logging
import MQTTClient

/// The agent, with a connection of its own: both are made anew when the settings change.
actor FleetService {
  /// What an agent needs, and keeps over a change of the settings.
  struct Means: Sendable {
    let socket: String
    let metricsSocket: String
    let diagnosis: DiagnosisProgram
    let memory: FleetFolder
    let loop: MQTTLoop
    let logger: Logger
  }

  private let means: Means
  private var settings: FleetSettings
  /// The present one; after a change, the former one until the next is made.
  private var agent: FleetAgent
  private var running: Task<Void, any Error>?
  private var isEnding = false

  /// - Throws: if the agent cannot be made.
  init(_ settings: FleetSettings, _ means: Means) async throws {
    self.settings = settings
    self.means = means
    agent = try await Self.agent(settings, means)
  }

  /// How the agent is doing.
  func status() async -> FleetInterface.Status.Reply { await agent.status() }

  /// Speaks for the machine until the task is cancelled.
  ///
  /// - Throws: if an agent cannot be made, or what it remembers cannot be read.
  func run() async throws {
    try await withTaskCancellationHandler {
      var present = settings
      while !isEnding {
        let task = Task { [agent] in try await agent.run() }
        running = task
        try await task.value
        // Else it ended although nobody had told it to.
        guard !isEnding, settings != present else { return }
        repeat {
          present = settings
          agent = try await Self.agent(present, means)
          // Others may have come meanwhile.
        } while settings != present
      }
    } onCancel: {
      Task { await end() }
    }
  }

  private func end() {
    isEnding = true
    running?.cancel()
  }

  /// Goes on with other settings. Commands under way are ended by a change, as by the end of the
  /// service.
  ///
  /// - Returns: what is configured now, in one line.
  /// - Throws: if the fleet's key cannot be read; then nothing has changed.
  func change(to settings: FleetSettings) throws -> String {
    _ = try Self.key(settings)
    let commands = settings.commands.requesters
    let summary =
      "\(settings.machine) at \(settings.place), \(commands.count) requester\(commands.count == 1 ? "" : "s") may command"
    guard settings != self.settings else { return summary }
    self.settings = settings
    running?.cancel()
    return summary
  }

  private static func agent(_ settings: FleetSettings, _ means: Means) async throws -> FleetAgent {
    let key = try key(settings)
    let broker = try await FleetAgent.broker(settings, memory: means.memory)
    return FleetAgent(
      settings: settings, connection: MosquittoConnection(broker, on: means.loop),
      machine: ModemdMachine(
        socket: means.socket, metricsSocket: means.metricsSocket, program: means.diagnosis),
      memory: means.memory, fleetKey: key, logger: means.logger)
  }

  private static func key(_ settings: FleetSettings) throws -> FleetKey? {
    try settings.fleetKey.map { try FleetKey.read($0) }
  }
}

extension DiagnosisProgram {
  /// modemctl, which is beside this program as it is built, or in `bin` as it is installed.
  static func modemctl(socket: String) -> DiagnosisProgram {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/exe", &bytes, bytes.count)
    let own = String(decoding: bytes.prefix(max(length, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "."
    let places = ["\(folder)/../../bin/modemctl", "\(folder)/modemctl"]
    let path = places.first { access($0, X_OK) == 0 } ?? DiagnosisProgram.modemctl.path
    return DiagnosisProgram(path, ["diagnose", "--socket", socket, "--output", "-"])
  }
}
