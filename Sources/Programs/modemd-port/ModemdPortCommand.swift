import ArgumentParser
import BearerNetworking
import DaemonRuntime
import GLibBridge
import Glibc
import JournalLog
import Logging
import ModemModel
import ModemPort
import PortServer
import PortSettings
import ReplyCheck
import SettingsFile
import SystemdSupport
import Varlink

@main
struct ModemdPortCommand: AsyncParsableCommand {
  static let version = Product.version
  static let configuration = CommandConfiguration(
    commandName: "modemd-port", abstract: "Serves one WWAN modem to modemd.",
    discussion: "Talks MBIM or QMI on a control port, and brings the modem's bearer up beside the host's own network.",
    version: version)

  enum ControlProtocol: String, ExpressibleByArgument, CaseIterable {
    case auto, mbim, qmi
  }

  @Option(help: "The control port, as in /dev/cdc-wdm0.")
  var device: String

  @Flag(
    help: """
      Ends at once, with success, if modemd serves the modem through another of its control ports: MBIM goes before QMI, then \
      the lower number.
      """)
  var elect = false

  @Option(name: .customLong("protocol"), help: "The control port's protocol; auto asks sysfs.")
  var controlProtocol = Self.usual.controlProtocol

  @Option(
    help:
      "The modem's network interface, or its WWAN class device if links must be made; without it, sysfs is asked.")
  var interface: String?

  @Option(help: "Where to listen, as in /run/modemd/ports/cdc-wdm0.")
  var socket: String

  @Option(
    help:
      "A JSON file with settings for modems (default: \(Self.usualConfiguration), if it is there); without it, each modem is used as the other programs on the machine allow."
  )
  var configuration: String?

  private static let usualConfiguration = "/etc/modemd/modemd-port.json"

  @Option(help: "A folder for files that must outlive a crash of this process.")
  var stateDirectory: String?

  @Option(
    help: """
      The file of this machine's key, with which modems' ids are made; it is made where there is none. Without it: id-key in \
      $STATE_DIRECTORY, else in the state directory.
      """)
  var idKey: String?

  @Option(
    help: "The highest version of Microsoft's MBIM extensions to agree on with the modem: 1 for none, 2 or 3.",
    transform: { text in
      guard let extensions = UInt8(text).flatMap(MBIMExtensions.init(rawValue:)) else {
        throw ValidationError("'\(text)' is not a version of the extensions; expected 1, 2 or 3")
      }
      return extensions
    })
  var mbimExtensions = Self.usual.mbimExtensions

  @Option(
    help: """
      After how many ends of this process within 10 minutes, none of them asked for, the modem is left alone; 0 for never. \
      Counted in the state directory.
      """)
  var giveUpAfter = Self.usual.giveUpAfter

  @Option(help: "How the modem is shared with ModemManager, instead of the configured way: \(Self.ways).")
  var sharing: ModemSettings.Sharing?

  @Flag(help: "The older name of --sharing share.")
  var proxy = false

  @Option(name: .customLong("limit"), help: TimeLimit.help)
  var limits: [TimeLimit] = []

  @Option(
    help: """
      The user that modemd runs as: it, root and this process's own user may ask, and its sockets alone leave by the bearer. Without it \
      `modemd` under a service manager, and else, by hand, this process's own.
      """)
  var user: String?

  @Option(help: "trace, debug, info, notice, warning or error.")
  var logLevel = Self.usual.logLevel

  /// What is used where nothing is given.
  static let usual = (
    controlProtocol: ControlProtocol.auto, mbimExtensions: MBIMExtensions.v3, giveUpAfter: 5,
    logLevel: Logger.Level.info
  )

  private static let ways = ModemSettings.Sharing.allCases.map(\.rawValue).joined(separator: ", ")

  func run() async throws {
    PrivateMemory.keep()
    let environment = ServiceEnvironment.take()
    let logger = DaemonLog.start("modemd-port", level: logLevel)
    if elect, let reason = await ControlPortFacts(of: device).reasonToLeave() {
      return leave(because: reason, environment, logger)
    }
    MemoryLimit.apply(logger)
    let witness = stateDirectory.flatMap { EndWitness(path: "\($0)/ends-witness") }
    // Killed while nothing was read, as when memory or a person's patience is short: the modem was
    // not the cause.
    let mayBeModems = witness?.last != GLibWork.resting
    if let byte = witness?.byte {
      GLibWork.note(in: byte)
      FatalSignals.note(in: byte)
    }
    let guardian = Self.endWhereStuck(logger)
    defer { guardian.cancel() }
    let ends = stateDirectory.map { EndRecordFile(path: "\($0)/ends", limit: endLimit) }
    do {
      try await serve(environment, logger, ends?.begin(mayBeModems: mayBeModems) ?? .serve)
      ends?.finish()
    } catch {
      ends?.giveUp()
      logger.event(.startFailed, level: .critical, "\(error)")
      throw ExitCode.failure
    }
  }

  /// Ends a port that is not the one of its modem. To the service manager it has started and
  /// stopped, which is neither a failure nor a reason to start it again.
  private func leave(because reason: String, _ environment: ServiceEnvironment, _ logger: Logger) {
    logger.notice("\(reason)")
    do {
      try ServiceNotifier(environment).send(.ready, .stopping, .status(reason))
    } catch {
      logger.warning("\(error)")
    }
  }

  /// Ends this process if a message from the modem keeps its library busy for ever; the service
  /// manager restarts it. Like any end while a message is read, it counts as the modem's.
  private static func endWhereStuck(_ logger: Logger) -> Task<Void, Never> {
    Task.detached {
      guard await GLibWork.isStuck() else { return }
      logger.event(
        .modemFault, level: .critical, "the modem's library is stuck in what it reads; ending, to be restarted")
      // Without cleanup, which would wait for the thread that does not return.
      _exit(EXIT_FAILURE)
    }
  }

  private var endLimit: EndRecord.Limit { EndRecord.Limit(ends: giveUpAfter > 0 ? giveUpAfter : nil) }

  private func serve(
    _ environment: ServiceEnvironment, _ logger: Logger, _ verdict: EndRecord.Verdict
  ) async throws {
    let reloads = await ProcessSignals.take(SIGHUP)
    if case .leaveAlone(let ends) = verdict {
      let error = ModemError.leftAlone(after: ends, within: endLimit, device: device)
      logger.event(.modemLeftAlone, level: .error, "\(error)")
    }
    let facts = ControlPortFacts(of: device)
    let modem = try readSettings()
    let kind = try self.kind(facts)
    let dataPort = DataPort(kind, of: facts.name, interface: interface)
    let interface = dataPort.interface
    if let interface {
      logger.info("packets of \(device) go through \(interface) (\(dataPort.words))")
    } else {
      logger.warning("no network interface belongs to \(device); name one with --interface")
    }
    let shared = SharedModem(
      device: device, kind: kind, dataPort: dataPort, portName: facts.name,
      clientLedger: stateDirectory.map { "\($0)/qmi-clients" },
      sessionLedger: stateDirectory.map { "\($0)/mbim-session" },
      channelFile: stateDirectory.map { "\($0)/sim-channel" }, extensions: mbimExtensions, limits: limits,
      startsProxies: !environment.isUnderServiceManager,
      guarding: BearerGuarding(modem.guardian, user: try serviceUser(environment)),
      diagnosis: SocketDiagnosis(tell: { logger.warning("\($0)") }))
    let chooser = shared.chooser(SharingPolicy(modem.sharing, session: modem.session))
    let key = namingKey(environment, logger)
    var dependencies = ModemPort.Dependencies(
      makeBackend: {
        if case .leaveAlone(let ends) = verdict {
          throw ModemError.leftAlone(after: ends, within: endLimit, device: device)
        }
        return try await chooser.makeBackend()
      }, network: shared.network,
      now: Timestamp.now, naming: Self.naming(key),
      logger: logger, chooser: chooser)
    dependencies.sockets = shared.network
    dependencies.take(pinsOf: environment, rememberingIn: stateDirectory)
    // Records made with a key of this process alone could never be read.
    if key != nil { dependencies.keptBearers = keptBearers(environment) }
    // Without a key that stays, all SIMs share one record: a restart must give none a new one.
    if let folder = environment.stateDirectory ?? stateDirectory {
      dependencies.cardCalls = CardCallFolder(path: folder, isMarked: key != nil)
    }
    dependencies.accessPoints = { ProviderList().accessPoints(of: $0) }
    dependencies.waitForRetry = { try await shared.waitForRetry($0) }
    dependencies.resumptions = SuspendWatch.resumptions()
    var portConfiguration = ModemPort.Configuration(
      device: device, kind: kind, interface: interface, settings: modem, software: Software.line(Self.version, kind),
      simDoubts: SIMMachine.usualDelays)
    portConfiguration.patrolInterval = .seconds(30)
    let port = ModemPort(portConfiguration, dependencies)
    let router = PortRouter.make(
      for: port, version: Self.version, tap: shared.tap, isAllowed: Self.authorization(user ?? Self.usualUser))
    let notifier = try ServiceNotifier(environment)
    let watchdog = try environment.watchdogInterval().map { interval in
      DaemonPart("watchdog") {
        await notifier.keepAlive(interval: interval) {
          await SocketService.answer()
          await GLibExecutor.answer()
          _ = await port.state
        }
      }
    }
    let server = SocketService(
      router: router, endpoint: .path(socket, mode: 0o660), limits: Self.limits,
      notifier: notifier, logger: logger)
    // What is first ends last: the watchdog is told of life while the others end.
    let parts =
      [watchdog].compactMap(\.self) + [
        DaemonPart("bus") { await shared.bus.run() }, DaemonPart("modem") { await port.run() },
        DaemonPart("socket") { try await server.run() },
        .reload(at: reloads, of: server, notifier: notifier, logger: logger) {
          let later = await port.change(to: try readSettings())
          guard !later.isEmpty else { return "the settings apply" }
          return "\(later.joined(separator: ", ")) will apply when the port is restarted; all other settings apply"
        },
      ]
    try await DaemonPart.run(parts, until: await ProcessSignals.take(SIGTERM, SIGINT), logger: logger)
  }

  /// What the configuration file and the command line say about this modem.
  private func readSettings() throws -> ModemSettings {
    let place = configuration.map { SettingsFile.Place.named($0) } ?? .usual(Self.usualConfiguration)
    let settings = try place.path.map { path in try PortSettings(path: path) } ?? PortSettings()
    var modem = settings.settings(for: [device, String(device.split(separator: "/").last ?? "")])
    modem.sharing = sharing ?? (proxy ? .share : modem.sharing)
    return modem
  }

  /// modemd holds two connections and makes a few calls at a time; the rest is for a person who
  /// examines the port.
  private static let limits: VarlinkServer.Limits = {
    var limits = VarlinkServer.Limits()
    limits.connections = 64
    limits.userConnections = 48
    limits.frameBytes = PortRouter.mostCallBytes
    limits.bytes = 4 << 20
    limits.userBytes = 2 << 20
    limits.unreadReplyBytes = 1 << 20
    return limits
  }()

  /// This machine's key for modem names; nil if there is no permanent one. The modem is served
  /// anyway.
  private func namingKey(_ environment: ServiceEnvironment, _ logger: Logger) -> NamingKey? {
    do {
      guard let path = idKey ?? (environment.stateDirectory ?? stateDirectory).map({ "\($0)/id-key" }) else {
        throw ModemError(.failed, "there is no folder for the key of the modems' ids; name a key with --id-key")
      }
      return try NamingKey(path: path)
    } catch {
      logger.warning("the modem's id changes with each start: \(error)")
      return nil
    }
  }

  private static func naming(_ key: NamingKey?) -> ModemNaming {
    let key = key ?? .forThisProcess()
    return ModemNaming { bytes in Checksum.hmacSHA256(bytes, key: key.bytes) }
  }

  /// The folder that all ports of the machine share, so that a modem also finds its record at
  /// another control port.
  private func keptBearers(_ environment: ServiceEnvironment) -> KeptBearerFolder? {
    (environment.stateDirectory ?? stateDirectory).map { KeptBearerFolder(path: $0) }
  }

  private func kind(_ facts: ControlPortFacts) throws -> ModemProtocol {
    switch controlProtocol {
    case .mbim: return .mbim
    case .qmi: return .qmi
    case .auto:
      guard let kind = facts.kind else {
        throw ValidationError("sysfs does not show whether \(device) speaks MBIM or QMI; name it with --protocol")
      }
      return kind
    }
  }

  private static let usualUser = "modemd"

  /// The user whose sockets may leave by the bearer.
  private func serviceUser(_ environment: ServiceEnvironment) throws -> UInt32 {
    guard let name = user ?? (environment.isUnderServiceManager ? Self.usualUser : nil) else { return geteuid() }
    if let entry = getpwnam(name) { return entry.pointee.pw_uid }
    guard user == nil else { throw ValidationError("there is no user '\(name)'; name the user that modemd runs as") }
    return geteuid()
  }

  /// Root, this process's own user and the user that modemd runs as. Programs call modemd, not its
  /// ports.
  private static func authorization(_ user: String) -> VarlinkRouter.Authorization {
    var allowed: Set<UInt32> = [0, geteuid()]
    if let entry = getpwnam(user) { allowed.insert(entry.pointee.pw_uid) }
    return { [allowed] peer, method in
      // The control channel's messages are for the administrator, and not for the service.
      if method == PortRouter.captureName { return peer.userID == 0 || peer.userID == geteuid() }
      return allowed.contains(peer.userID)
    }
  }
}

extension ModemSettings.Sharing: ExpressibleByArgument {}
