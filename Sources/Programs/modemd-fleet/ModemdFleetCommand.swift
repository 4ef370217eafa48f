import ArgumentParser
import DaemonRuntime
import FleetAgent
import FleetSettings
import Glibc
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
      logger.error("\(error)")
      throw ExitCode.failure
    }
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
    let logger = DaemonLog.start("modemd-fleet", level: .critical)
    do {
      print(try await broker.connect(try FleetConnection.forCheck(settings, logger: logger)))
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
