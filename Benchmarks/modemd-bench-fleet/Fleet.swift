import BrokerTestSupport
import FleetAgent
import FleetSettings
import Glibc
import LimitClock
import Logging
import MQTTClient

/// Many agents of one process at one broker.
struct Fleet {
  let broker: Broker
  let names: [String]
  let machines: [SimulatedMachine]
  let connections: [MosquittoConnection]
  private let runs: [Task<Void, any Error>]

  /// Makes the agents, which begin to connect.
  static func start(_ count: Int, at broker: Broker, on loop: MQTTLoop) async throws -> Fleet {
    let names = (0..<count).map { "kiosk-\($0)" }
    let files = try credentials(names, at: broker)
    var machines: [SimulatedMachine] = []
    var connections: [MosquittoConnection] = []
    var runs: [Task<Void, any Error>] = []
    for (number, name) in names.enumerated() {
      let settings = settings(name, files[number], at: broker, fleetSize: count)
      let memory = VolatileMemory()
      let connection = MosquittoConnection(try await FleetAgent.broker(settings, memory: memory), on: loop)
      let machine = SimulatedMachine(number)
      let agent = FleetAgent(
        settings: settings, connection: connection, machine: machine, memory: memory, logger: quiet)
      machines.append(machine)
      connections.append(connection)
      runs.append(Task { try await agent.run() })
    }
    return Fleet(broker: broker, names: names, machines: machines, connections: connections, runs: runs)
  }

  func end() async {
    for run in runs { run.cancel() }
    for run in runs { _ = await run.result }
  }

  static func settings(
    _ name: String, _ files: Credentials, at broker: Broker, fleetSize: Int
  ) -> FleetSettings {
    var settings = FleetSettings(
      host: broker.host, machine: name, authorities: files.authorities, certificate: files.certificate, key: files.key)
    settings.port = Int(broker.machinesPort)
    settings.fleetSize = fleetSize
    settings.commands.requesters = ["desk": ["modem.list", "modem.get", "bearer.get", "metrics.get"]]
    settings.commands.aMinute = 600
    return settings
  }

  /// A certificate for each, over one key: making 2,000 keys is no part of what is measured.
  private static func credentials(_ names: [String], at broker: Broker) throws -> [Credentials] {
    let first = try broker.authority.issueClient(names[0])
    return try [first] + names.dropFirst().map { try broker.authority.issueClient($0, key: first.key) }
  }

  static let quiet: Logger = {
    var logger = Logger(label: "fleet") { _ in SwiftLogNoOpLogHandler() }
    logger.logLevel = .critical
    return logger
  }()
}
