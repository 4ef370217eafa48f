import ArgumentParser
import BoundHTTP
import DaemonRuntime
import Glibc
import JournalLog
import Logging
import ModemModel
import ModemService
import PortClient
import SystemdSupport
import Varlink

@main
struct ModemdCommand: AsyncParsableCommand {
  static let version = Product.version
  static let configuration = CommandConfiguration(
    commandName: "modemd", abstract: "Proves which phone number this machine's SIM has.",
    discussion:
      "Talks to the operator over the bearers that modemd-port brings up, and answers local programs over a Unix socket.",
    version: version)

  @Option(help: "Where to listen; with socket activation the socket that was passed is used.")
  var socket = Self.usual.socket

  @Option(help: "Where the proxy listens if its socket was not passed (default: there is no proxy).")
  var proxy: String?

  @Option(help: "A TCP port at 127.0.0.1 where the proxy also listens if no socket was passed.")
  var proxyPort: UInt16?

  @Option(help: "Where io.systemd.Metrics is served if its socket was not passed (default: nowhere).")
  var metrics: String?

  @Option(help: "Where GET /metrics is served, a Unix socket, if its socket was not passed (default: nowhere).")
  var metricsHttp: String?

  @Option(help: "The folder in which each modemd-port has its socket.")
  var ports = Self.usual.ports

  @Option(help: "The configuration file (default: \(Self.usualConfiguration), if it is there).")
  var configuration: String?

  static let usual = (
    socket: "/run/modemd/org.modemd", ports: "/run/modemd/ports", providers: "/etc/modemd/providers",
    logLevel: Logger.Level.info
  )
  private static let usualConfiguration = "/etc/modemd/modemd.json"

  @Option(help: "The folder of the providers' files, NAME.json; it may be missing.")
  var providers = Self.usual.providers

  @Option(help: "The folder for data that outlives a restart (default: $STATE_DIRECTORY, else /var/lib/modemd).")
  var stateDirectory: String?

  @Option(help: "A PEM file of certificates to trust besides the system's own.")
  var extraRoots: String?

  @Flag(help: "Say what is wrong with the configuration and the providers' files, one line for each file, and end.")
  var check = false

  @Option(help: "trace, debug, info, notice, warning or error.")
  var logLevel = Self.usual.logLevel

  func run() async throws {
    PrivateMemory.keep()
    let environment = ServiceEnvironment.take()
    if check { return try checkFiles(environment) }
    let logger = DaemonLog.start("modemd", level: logLevel)
    do {
      try await serve(environment, logger)
    } catch {
      logger.event(.startFailed, level: .critical, "\(error)")
      throw ExitCode.failure
    }
  }

  private func serve(_ environment: ServiceEnvironment, _ logger: Logger) async throws {
    OpenFiles.raiseLimit()
    let reloads = await ProcessSignals.take(SIGHUP)
    let places = Configuration.Places(
      settings: configuration.map { .named($0) } ?? .usual(Self.usualConfiguration), providers: providers,
      credentials: CredentialsDirectory(environment))
    let first = try Configuration(places)
    let means = ProviderMeans(
      stateFolder: stateFolder(environment), credentials: places.credentials, logger: logger)
    logger.tell(of: first.providers.faults)
    let base = try await ServiceBase(means, extraRoots: extraRoots)
    let service = try ConfiguredService(first, on: base)
    await base.apply(first.settings)
    base.metrics.note(providerFaults: first.providers.faults.count)
    let (registry, chains) = (base.registry, service.chains)
    let directory = PortDirectory(
      path: ports, registry: registry, messages: base.messages, now: base.now, observer: base.metrics,
      logger: logger)
    let endpoint = try Self.endpoint(environment, path: socket)
    let notifier = try ServiceNotifier(environment)
    let watchdog = try environment.watchdogInterval().map { interval in
      DaemonPart("watchdog") {
        await notifier.keepAlive(interval: interval) {
          await SocketService.answer()
          await ProxyService.answer()
          await MetricsService.answer()
          for loop in base.group.makeIterator() { try? await loop.submit {}.get() }
        }
      }
    }
    let server = SocketService(
      router: service.router, endpoint: endpoint, limits: service.limits, notifier: notifier, logger: logger)
    let proxy = try await proxyService(service, environment, logger)
    let metrics = try await metricsService(base, environment)
    let reloading = ServiceReload(places, base, service, first, server, proxy)
    base.reloads.answer { try await reloading.run(for: "a caller", logger) }
    let probe = chains.probe
    let traffic = TrafficProbe(registry: registry) { bearer in
      guard let interface = try? BoundInterface(bearer) else { return nil }
      return await probe.isAnswered(over: interface, onBytes: base.report(.probes, for: nil, over: bearer))
    }
    // Before the first port is found.
    let (news, changes) = (registry.bearerNews(), registry.watch())
    // What is first ends last: the watchdog is told of life while the others end.
    let parts =
      [watchdog].compactMap(\.self) + [
        DaemonPart("usage") { await base.ledger.run(registry) },
        DaemonPart("figures") { await base.metrics.follow(changes) },
        DaemonPart("chains") { await chains.follow(news) }, DaemonPart("traffic") { await traffic.run() },
        DaemonPart("guards") {
          await GuardWatch(registry: registry) { logger.event(.guardMissing, level: .warning, "\($0)") }.run()
        },
        DaemonPart("ports") { try await directory.run() },
      ] + [proxy].compactMap(\.self).map { proxy in DaemonPart("proxy") { await proxy.run() } }
      + [metrics].compactMap(\.self).map { metrics in DaemonPart("metrics") { await metrics.run() } } + [
        DaemonPart("socket") { try await server.run() },
        .reload(at: reloads, of: server, notifier: notifier, logger: logger) { try await reloading.run() },
      ]
    try await DaemonPart.run(parts, until: await ProcessSignals.take(SIGTERM, SIGINT), logger: logger)
  }

  /// Open before the service says that it is ready.
  private func proxyService(
    _ service: ConfiguredService, _ environment: ServiceEnvironment, _ logger: Logger
  ) async throws -> ProxyService? {
    guard let sockets = try ProxyService.sockets(environment, path: proxy, port: proxyPort) else { return nil }
    return try await ProxyService(service.proxy, at: sockets, logger: logger)
  }

  /// Open before the service says that it is ready.
  private func metricsService(_ base: ServiceBase, _ environment: ServiceEnvironment) async throws -> MetricsService? {
    guard let sockets = try MetricsService.sockets(environment, path: metrics, http: metricsHttp) else { return nil }
    return try await MetricsService(base, at: sockets)
  }

  /// Reads all files as the service would, without starting it.
  private func checkFiles(_ environment: ServiceEnvironment) throws {
    let report = FileCheck(
      configuration: configuration, folder: providers,
      credentials: CredentialsDirectory(environment) ?? CredentialsDirectory(ofUnit: "modemd.service"))
    print(report.lines.joined(separator: "\n"))
    if !report.isGood { throw ExitCode.failure }
  }

  /// Where what outlives a restart is kept.
  private func stateFolder(_ environment: ServiceEnvironment) -> String {
    stateDirectory ?? environment.stateDirectory ?? "/var/lib/modemd"
  }

  /// The socket that systemd passed, else the path.
  private static func endpoint(_ environment: ServiceEnvironment, path: String) throws -> VarlinkEndpoint {
    let sockets = try environment.inheritedSockets()
    let others = MetricsService.names.union(["proxy"])
    guard
      let passed = sockets.first(where: { $0.name == "varlink" }) ?? sockets.first(where: { !others.contains($0.name) })
    else {
      return .path(path, mode: 0o660)
    }
    try passed.prepare()
    return .descriptor(passed.descriptor)
  }
}
