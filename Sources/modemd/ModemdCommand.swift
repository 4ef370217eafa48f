import ArgumentParser
import BoundHTTP
import DaemonRuntime
import Glibc
import Logging
import ModemAPIServer
import ModemModel
import ModemService
import NIOPosix
import PortClient
import RedirectChain
import ServiceLifecycle
import SystemdSupport
import Varlink

@main
struct ModemdCommand: AsyncParsableCommand {
  static let version = "0.1.0"
  static let configuration = CommandConfiguration(
    commandName: "modemd", abstract: "Proves which phone number this machine's SIM has.",
    discussion:
      "Talks to the operator over the bearers that modemd-port brings up, and answers local programs over a Unix socket.",
    version: version)

  @Option(help: "Where to listen; with socket activation the socket that was passed is used.")
  var socket = "/run/modemd/org.modemd"

  @Option(help: "The folder in which each modemd-port has its socket.")
  var ports = "/run/modemd/ports"

  @Option(help: "The configuration file.")
  var configuration: String?

  @Option(help: "A PEM file of certificates to trust beside the system's own.")
  var extraRoots: String?

  @Option(help: "trace, debug, info, notice, warning or error.")
  var logLevel = Logger.Level.info

  func run() async throws {
    let environment = ServiceEnvironment.take()
    let logger = DaemonLog.start("modemd", level: logLevel)
    do {
      try await serve(environment, logger)
    } catch {
      logger.error("\(error)")
      throw ExitCode.failure
    }
  }

  private func serve(_ environment: ServiceEnvironment, _ logger: Logger) async throws {
    let settings = try Settings.read(configuration, credentials: CredentialsDirectory(environment))
    let registry = ModemRegistry()
    let bearers = BearerService(
      registry: registry, defaults: .init(request: settings.request, flowLimit: settings.flowLimit))
    let group = MultiThreadedEventLoopGroup.singleton
    var options = ChainClient.Options()
    options.trust = TLSTrust(extraRootsFile: extraRoots ?? settings.extraRoots)
    options.userAgent = "modemd/\(Self.version)"
    let chains = ChainClient(group: group, options: options, logger: logger)
    let checks = CheckService(registry: registry, bearers: bearers) { request, bearer, onHop in
      var request = request
      request.policy.allowedAddresses = settings.allowedAddresses
      do {
        return await chains.run(request, over: try BoundInterface(bearer), onHop: onHop)
      } catch {
        return .failed(ChainFailure(.bearerLost, "\(error)"))
      }
    }
    let router = ModemAPIRouter.make(
      registry: registry, bearers: bearers, checks: checks, access: Self.access(settings.groups, logger),
      version: Self.version)
    let directory = PortDirectory(path: ports, registry: registry, now: Timestamp.now, logger: logger)
    let endpoint = try Self.endpoint(environment, path: socket)
    let server = SocketService(
      router: router, endpoint: endpoint, notifier: try ServiceNotifier(environment), logger: logger)
    let relay = BearerRelay(registry: registry, chains: chains)
    let services = ServiceGroup(
      services: [UntilShutdown { await relay.run() }, UntilShutdown { try await directory.run() }, server],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    try await services.run()
  }

  /// The socket that systemd passed, else the path.
  private static func endpoint(_ environment: ServiceEnvironment, path: String) throws -> VarlinkEndpoint {
    let sockets = try environment.inheritedSockets()
    guard let passed = sockets.first(where: { $0.name == "varlink" }) ?? sockets.first else {
      return .path(path, mode: 0o660)
    }
    try passed.prepare()
    return .descriptor(passed.descriptor)
  }

  private static func access(_ groups: [String], _ logger: Logger) -> AccessPolicy {
    var identifiers: Set<UInt32> = []
    for name in groups {
      if let entry = getgrnam(name) {
        identifiers.insert(entry.pointee.gr_gid)
      } else {
        logger.notice("there is no group \(name): only root and modemd's own user may ask")
      }
    }
    return AccessPolicy(groupIDs: identifiers, ownUserID: geteuid())
  }
}

extension BoundInterface {
  /// The interface of an installed bearer, with its DNS servers and addresses.
  init(_ bearer: InstalledBearer) throws {
    try self.init(
      name: bearer.interface, index: bearer.interfaceIndex, dnsServers: bearer.settings.dns,
      sources: [bearer.settings.ipv4, bearer.settings.ipv6].compactMap { $0?.prefix.address })
  }
}
