import ArgumentParser
import AuthCore
import BoundHTTP
import DaemonRuntime
import Glibc
import HostHTTP
import HTTPExchange
import Logging
import FlowService
import ModemAPIServer
import ModemModel
import ModemService
import NIOPosix
import PortClient
import ProviderSettings
import RedirectChain
import SettingsFile
import SystemdSupport
import Varlink
import Web

@main
struct ModemdCommand: AsyncParsableCommand {
  static let version = Product.version
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

  @Option(help: "The folder of the providers' files, NAME.json; it may be missing.")
  var providers = "/etc/modemd/providers"

  @Option(help: "The folder for data that outlives a restart (default: $STATE_DIRECTORY, else /var/lib/modemd).")
  var stateDirectory: String?

  @Option(help: "A PEM file of certificates to trust besides the system's own.")
  var extraRoots: String?

  @Flag(help: "Say what is wrong with the configuration and the providers' files, one line for each file, and end.")
  var check = false

  @Option(help: "trace, debug, info, notice, warning or error.")
  var logLevel = Logger.Level.info

  func run() async throws {
    PrivateMemory.keep()
    let environment = ServiceEnvironment.take()
    if check { return try checkFiles(environment) }
    let logger = DaemonLog.start("modemd", level: logLevel)
    do {
      try await serve(environment, logger)
    } catch {
      logger.error("\(error)")
      throw ExitCode.failure
    }
  }

  private func serve(_ environment: ServiceEnvironment, _ logger: Logger) async throws {
    OpenFiles.raiseLimit()
    let credentials = CredentialsDirectory(environment)
    let settings = try Settings.read(configuration, credentials: credentials)
    let registry = ModemRegistry()
    let bearers = BearerService(
      registry: registry, defaults: .init(request: settings.request, flows: settings.flows))
    let group = MultiThreadedEventLoopGroup.singleton
    var options = ChainClient.Options()
    options.trust = TLSTrust(extraRootsFile: extraRoots ?? settings.extraRoots)
    options.trust.newestVersion = settings.newestTLS
    options.learnsOrigins = settings.learnsOrigins
    options.userAgent = "modemd/\(Self.version)"
    let chains = ChainClient(group: group, options: options, logger: logger)
    let checks = CheckService(
      registry: registry, bearers: bearers, history: CheckHistory(limit: settings.historyLimit), reach: settings.reach,
      now: Timestamp.now,
      prepareNames: { url, learns, owner, bearer in
        await chains.prepare(url, learns: learns, for: owner, over: bearer)
      }
    ) { request, bearer, onHop in
      await chains.run(request, over: bearer, onHop: onHop)
    }
    let messages = MessageService(registry: registry, now: Timestamp.now)
    let configured = try ProviderFolder.read(
      providers, kinds: KnownProviders.documents, credentials: credentials)
    for fault in configured.faults { logger.error("the provider \(fault.name) is disabled: \(fault)") }
    let configuredOrigins = configured.configuredOrigins
    let backends = HostClient(
      group: group, trust: options.trust, userAgent: options.userAgent,
      cleartextHosts: settings.cleartextBackends.union(configured.cleartextHosts),
      configured: { configuredOrigins.contains($0) }, logger: logger)
    let means = ProviderMeans(stateFolder: stateFolder(environment), credentials: credentials, logger: logger)
    var methods: [any FlowMethods] = []
    for provider in KnownProviders.all { methods.append(try await provider.methods(means)) }
    let authentication = AuthenticationService(
      providers: configured, registry: registry, checks: checks, messages: messages, now: Timestamp.now
    ) { call in try await backends.send(call.request).mapError { BackendFailure($0) } }
    let access = Self.access(settings, logger)
    let router = ModemAPIRouter.make(
      registry: registry, bearers: bearers, checks: checks, messages: messages, authentication: authentication,
      providers: methods,
      files: ProviderFiles(folder: providers, kinds: KnownProviders.documents, credentials: credentials),
      access: access, version: Self.version)
    try Self.check(access, router)
    let directory = PortDirectory(
      path: ports, registry: registry, messages: messages, now: Timestamp.now, logger: logger)
    let endpoint = try Self.endpoint(environment, path: socket)
    let notifier = try ServiceNotifier(environment)
    let watchdog = try environment.watchdogInterval().map { interval in
      DaemonPart("watchdog") {
        await notifier.keepAlive(interval: interval) {
          await SocketService.answer()
          for loop in group.makeIterator() { try? await loop.submit {}.get() }
        }
      }
    }
    let server = SocketService(
      router: router, endpoint: endpoint, limits: VarlinkServer.Limits(settings), notifier: notifier, logger: logger)
    let probe = chains.probe
    let traffic = TrafficProbe(registry: registry) { bearer in
      guard let interface = try? BoundInterface(bearer) else { return nil }
      return await probe.isAnswered(over: interface)
    }
    // Before the first port is found.
    let news = registry.bearerNews()
    // What is first ends last: the watchdog is told of life while the others end.
    let parts =
      [watchdog].compactMap(\.self) + [
        DaemonPart("chains") { await chains.follow(news) }, DaemonPart("traffic") { await traffic.run() },
        DaemonPart("guards") { await GuardWatch(registry: registry) { logger.warning("\($0)") }.run() },
        DaemonPart("ports") { try await directory.run() }, DaemonPart("socket") { try await server.run() },
      ]
    try await DaemonPart.run(parts, until: await ProcessSignals.take(SIGTERM, SIGINT), logger: logger)
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
    guard let passed = sockets.first(where: { $0.name == "varlink" }) ?? sockets.first else {
      return .path(path, mode: 0o660)
    }
    try passed.prepare()
    return .descriptor(passed.descriptor)
  }

  private static func access(_ settings: Settings, _ logger: Logger) -> AccessPolicy {
    AccessPolicy(
      groupIDs: identifiers(of: settings.groups) {
        logger.notice("there is no group \($0), so it gives nobody access")
      },
      table: settings.accessTable.mapValues { groups in
        identifiers(of: groups) {
          logger.notice("there is no group \($0), so it adds nobody to the access table")
        }
      },
      revealGroupIDs: identifiers(of: settings.revealGroups) {
        logger.notice("there is no group \($0), so nobody in it may reveal secrets")
      },
      messageGroupIDs: identifiers(of: settings.messageGroups) {
        logger.notice("there is no group \($0), so nobody in it may read messages")
      },
      ownUserID: geteuid())
  }

  /// A misspelt name in the table would leave its method to the general groups.
  private static func check(_ access: AccessPolicy, _ router: VarlinkRouter) throws {
    for name in access.table.keys.sorted() where !router.names.contains(name) {
      throw SettingsError(
        .wrongValue, "access.table: there is no interface or method \(name); `modemctl` and `varlinkctl` list them")
    }
  }

  private static func identifiers(of groups: [String], unknown: (String) -> Void) -> Set<UInt32> {
    var identifiers: Set<UInt32> = []
    for name in groups {
      if let entry = getgrnam(name) {
        identifiers.insert(entry.pointee.gr_gid)
      } else {
        unknown(name)
      }
    }
    return identifiers
  }
}

extension ChainClient {
  /// Follows the bearers. Chains on a lost bearer end, and no name or origin learned over it is
  /// used on the next.
  fileprivate func follow(_ bearers: AsyncStream<BearerNews>) async {
    var isRehearsed = false
    for await news in bearers {
      switch news {
      case .comingUp:
        guard !isRehearsed else { continue }
        isRehearsed = true
        // While the modem does its part. Nobody waits for it, and a service without chains uses no
        // memory for it.
        Task { await rehearse() }
      case .up: readTrustAhead()
      case .lost(let loss):
        if let index = Int32(exactly: loss.bearer.interfaceIndex) { bearerLost(interface: index, loss.reason) }
      }
    }
  }

  /// Follows a chain over an installed bearer.
  fileprivate func run(
    _ request: ChainRequest, over bearer: InstalledBearer, onHop: @escaping @Sendable (ChainHop) -> Void
  ) async -> ChainResult {
    do {
      return await run(request, over: try BoundInterface(bearer), onHop: onHop)
    } catch {
      return .failed(ChainFailure(.bearerLost, "\(error)"))
    }
  }

  /// Resolves the names that a chain from a URL will probably need, all at once.
  fileprivate func prepare(
    _ url: WebURL, learns: Bool?, for owner: ChainRequest.Owner, over bearer: InstalledBearer
  ) async -> [CheckService.PreparedName] {
    guard let interface = try? BoundInterface(bearer) else { return [] }
    let hosts = likelyHosts(from: url, learns: learns, for: owner, over: interface)
    return await withTaskGroup(of: (Int, Bool).self) { group in
      for (position, host) in hosts.enumerated() {
        group.addTask { (position, await self.prepare(host: host, for: owner, over: interface)) }
      }
      var found = hosts.map { CheckService.PreparedName(host: $0, isResolved: false) }
      for await (position, isResolved) in group {
        found[position] = .init(host: hosts[position], isResolved: isResolved)
      }
      return found
    }
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
