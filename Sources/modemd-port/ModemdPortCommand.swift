import ArgumentParser
import BearerNetworking
import DaemonRuntime
import Glibc
import Logging
import MBIMBackend
import ModemModel
import ModemPort
import PortServer
import QMIBackend
import ServiceLifecycle
import SystemdSupport
import Varlink

@main
struct ModemdPortCommand: AsyncParsableCommand {
  static let version = "0.1.0"
  static let configuration = CommandConfiguration(
    commandName: "modemd-port", abstract: "Serves one WWAN modem to modemd.",
    discussion: "Talks MBIM or QMI on a control port, and brings the modem's bearer up beside the host's own network.",
    version: version)

  enum ControlProtocol: String, ExpressibleByArgument, CaseIterable {
    case auto, mbim, qmi
  }

  @Option(help: "The control port, as in /dev/cdc-wdm0.")
  var device: String

  @Option(name: .customLong("protocol"), help: "The control port's protocol; auto asks sysfs.")
  var controlProtocol = ControlProtocol.auto

  @Option(help: "The bearer's network interface; without it sysfs is asked.")
  var interface: String?

  @Option(help: "Where to listen, as in /run/modemd/ports/cdc-wdm0.")
  var socket: String

  @Option(help: "A folder for what must outlive a crash of this process.")
  var stateDirectory: String?

  @Flag(help: "Share the control port through mbim-proxy or qmi-proxy.")
  var proxy = false

  @Option(help: "The user that modemd runs as; it, root and this process's own user may ask.")
  var user = "modemd"

  @Option(help: "trace, debug, info, notice, warning or error.")
  var logLevel = Logger.Level.info

  func run() async throws {
    let environment = ServiceEnvironment.take()
    let logger = DaemonLog.start("modemd-port", level: logLevel)
    do {
      try await serve(environment, logger)
    } catch {
      logger.error("\(error)")
      throw ExitCode.failure
    }
  }

  private func serve(_ environment: ServiceEnvironment, _ logger: Logger) async throws {
    let facts = ControlPortFacts(of: device)
    let kind = try self.kind(facts)
    let interface = interface ?? facts.interface
    if interface == nil { logger.warning("no network interface belongs to \(device); give one with --interface") }
    let surroundings = ModemPort.Surroundings(
      makeBackend: { makeBackend(kind, interface) }, network: BearerNetwork(),
      sleep: { try await Task.sleep(for: $0) }, now: Timestamp.now, logger: logger)
    let port = ModemPort(.init(device: device, kind: kind, interface: interface), surroundings)
    let router = PortRouter.make(for: port, version: Self.version, isAllowed: Self.authorization(user))
    let server = SocketService(
      router: router, endpoint: .path(socket, mode: 0o660), notifier: try ServiceNotifier(environment), logger: logger)
    let services = ServiceGroup(
      services: [UntilShutdown { await port.run() }, server], gracefulShutdownSignals: [.sigterm, .sigint],
      logger: logger)
    try await services.run()
  }

  private func kind(_ facts: ControlPortFacts) throws -> ModemProtocol {
    switch controlProtocol {
    case .mbim: return .mbim
    case .qmi: return .qmi
    case .auto:
      guard let kind = facts.kind else {
        throw ValidationError("sysfs does not say whether \(device) speaks MBIM or QMI; give it with --protocol")
      }
      return kind
    }
  }

  private func makeBackend(_ kind: ModemProtocol, _ interface: String?) -> any ModemBackend {
    switch kind {
    case .mbim: MBIMBackend(MBIMConfiguration(path: device, usesProxy: proxy))
    case .qmi:
      QMIBackend(
        QMIConfiguration(
          path: device, usesProxy: proxy, interface: interface, stateFile: stateDirectory.map { "\($0)/qmi-clients" }))
    }
  }

  /// Root, this process's own user and the user that modemd runs as. Programs ask modemd, not its ports.
  private static func authorization(_ user: String) -> VarlinkRouter.Authorization {
    var allowed: Set<UInt32> = [0, geteuid()]
    if let entry = getpwnam(user) { allowed.insert(entry.pointee.pw_uid) }
    return { [allowed] peer, _ in allowed.contains(peer.userID) }
  }
}
