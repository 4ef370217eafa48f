import ArgumentParser
import DaemonRuntime
import FleetAgent
import FleetSettings
import Glibc
import JournalLog
import Logging
import MQTTClient
import ModemAPIClient
import ModemModel
import SystemdSupport

@main
struct ModemdFleetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "modemd-fleet", abstract: "Shows this machine's modems to a fleet's broker, and answers its commands.",
    discussion:
      "Connects to an MQTT 5 broker over TLS with a client certificate, asks modemd as an ordinary caller, and carries "
      + "out the commands that its configuration allows. `modemctl fleet join` sets it up.",
    version: Product.version)

  @Option(help: "The configuration file; it must be there.")
  var configuration = FleetSettings.Place.settings

  @Option(help: "modemd's socket.")
  var socket = ModemAPIClient.defaultPath

  @Option(help: "modemd's socket for figures.")
  var metrics = "/run/modemd/metrics"

  @Option(help: "Where root and the group modemd-fleet ask how this service is doing.")
  var control = "/run/modemd-fleet/org.modemd.Fleet"

  @Option(help: "The folder for data that outlives a restart (default: $STATE_DIRECTORY, else /var/lib/modemd-fleet).")
  var stateDirectory: String?

  @Flag(help: "Say what is wrong with the configuration, the certificate and the key, and end.")
  var check = false

  @Flag(help: "The same, then connect to the broker, say whether it takes this machine, and end.")
  var checkBroker = false

  @Option(help: "With --check-broker: ask the broker as this user, if root runs it.")
  var user: String?

  @Option(help: "trace, debug, info, notice, warning or error.")
  var logLevel = Logger.Level.info

  func validate() throws {
    if user != nil, !checkBroker { throw ValidationError("--user goes with --check-broker") }
  }

  func run() async throws {
    PrivateMemory.keep()
    let environment = ServiceEnvironment.take()
    if check || checkBroker { return try await examine(environment) }
    let logger = DaemonLog.start("modemd-fleet", level: logLevel)
    do {
      try await serve(environment, logger)
    } catch {
      logger.event(.startFailed, level: .critical, "\(error)")
      throw ExitCode.failure
    }
  }

  private func serve(_ environment: ServiceEnvironment, _ logger: Logger) async throws {
    let reloads = await ProcessSignals.take(SIGHUP)
    let credentials = CredentialsDirectory(environment)
    let settings = try FleetSettings.read(configuration, credentials: credentials)
    let folder = stateDirectory ?? environment.stateDirectory ?? "/var/lib/modemd-fleet"
    let service = try await FleetService(
      settings,
      .init(
        socket: socket, metricsSocket: metrics, diagnosis: .modemctl(socket: socket), memory: FleetFolder(folder),
        loop: try MQTTLoop(), logger: logger))
    let notifier = try ServiceNotifier(environment)
    let server = SocketService(
      router: FleetControlRouter.make(service), endpoint: .path(control, mode: 0o660),
      limits: FleetControlRouter.limits, notifier: notifier, logger: logger)
    let watchdog = try environment.watchdogInterval().map { interval in
      DaemonPart("watchdog") {
        await notifier.keepAlive(interval: interval) {
          await SocketService.answer()
          // The agent, and what it waits for.
          _ = await service.status()
        }
      }
    }
    let configuration = configuration
    let parts = [
      watchdog,
      DaemonPart("agent") { try await service.run() },
      DaemonPart("socket") { try await server.run() },
      .reload(at: reloads, of: server, notifier: notifier, logger: logger) {
        try await service.change(to: try FleetSettings.read(configuration, credentials: credentials))
      },
    ].compactMap(\.self)
    try await DaemonPart.run(parts, until: await ProcessSignals.take(SIGTERM, SIGINT), logger: logger)
  }

  /// Reads all files as the service would, and asks the broker where that is wanted.
  private func examine(_ environment: ServiceEnvironment) async throws {
    if let user { try say { try BrokerCheck.become(user) } }
    let files = FleetFileCheck(
      configuration,
      credentials: CredentialsDirectory(environment) ?? CredentialsDirectory(ofUnit: "modemd-fleet.service"))
    // The broker's check has its own lines behind a good one.
    if check || files.settings == nil { print(files.lines.joined(separator: "\n")) }
    guard let settings = files.settings else { throw ExitCode.failure }
    guard checkBroker else { return }
    let broker = BrokerCheck(settings: settings)
    print(try say { try broker.resolve() })
    do {
      // Nothing is kept for this machine after the check, and it leaves no will.
      let connection = MosquittoConnection(
        MQTTBroker(
          host: settings.host, port: settings.port, clientID: settings.machine, authorities: settings.authorities,
          certificate: settings.certificate, key: settings.key, sessionExpirySeconds: 0), on: try MQTTLoop())
      print(try await broker.connect(connection))
    } catch {
      print("\(error)")
      throw ExitCode.failure
    }
  }

  /// An error is a line on standard output, as the other findings are.
  private func say<Result>(_ step: () throws -> Result) throws -> Result {
    do {
      return try step()
    } catch {
      print("\(error)")
      throw ExitCode.failure
    }
  }
}
