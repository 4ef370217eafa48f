import BearerNetworking
import ControlChannel
import LimitClock
import MBIMBackend
import ModemManagerLink
import ModemModel
import ModemPort
import QMIBackend
import ReplyCheck
import Synchronization

/// The parts needed to share a modem: ModemManager on the bus, the proxies, the backends and the
/// kernel's links.
struct SharedModem: Sendable {
  let device: String
  let kind: ModemProtocol
  let dataPort: DataPort
  /// The control port's name in the kernel, by which ModemManager knows it.
  let portName: String
  /// The file of QMI client ids; nil for none.
  let clientLedger: String?
  /// The file that records which MBIM session is this program's; nil for none.
  let sessionLedger: String?
  /// The file that records that a channel to the SIM is open; nil for none.
  let channelFile: String?
  /// The highest version of Microsoft's extensions to agree on, over MBIM.
  let extensions: MBIMExtensions
  let limits: [TimeLimit]
  /// Whether the libraries may start a proxy. In a unit, it would have that unit's permissions, and
  /// end with it.
  let startsProxies: Bool
  /// Reports the messages of the control channel.
  let tap = ControlTap()
  /// How the modem passes challenges to its SIM.
  private let ways = AuthenticationWays()
  private let firstLook = Once()
  private let clock: LimitClock
  let bus: ModemManagerBus
  let network: PortNetwork

  init(
    device: String, kind: ModemProtocol, dataPort: DataPort, portName: String, clientLedger: String?,
    sessionLedger: String?, channelFile: String?, extensions: MBIMExtensions, limits: [TimeLimit], startsProxies: Bool,
    guarding: BearerGuarding, diagnosis: SocketDiagnosis, clock: LimitClock = .machine
  ) {
    self.device = device
    self.kind = kind
    self.dataPort = dataPort
    self.portName = portName
    self.clientLedger = clientLedger
    self.sessionLedger = sessionLedger
    self.channelFile = channelFile
    self.extensions = extensions
    self.limits = limits
    self.startsProxies = startsProxies
    self.clock = clock
    bus = ModemManagerBus(clock: clock)
    network = PortNetwork(
      BearerNetwork(guarding: guarding, diagnosis: diagnosis, clock: clock),
      kinds: { $0 == dataPort.interface ? dataPort.sessionLink : nil })
  }

  func chooser(_ policy: SharingPolicy) -> SharingChooser {
    var dependencies = SharingChooser.Dependencies(
      facts: { await facts(for: policy) }, changes: { await changes() }, makeBackend: { try await backend(for: $0) })
    dependencies.sessionLimit = { try await sessionLimit() }
    dependencies.inhibit = { try await inhibit($0) }
    return SharingChooser(policy, dependencies)
  }

  private var interface: String? { dataPort.interface }

  private func facts(for policy: SharingPolicy) async -> SharingFacts {
    let view = await bus.view()
    let proxy = ProxySocket(of: kind)
    // A proxy that has not opened this port does no harm, and a failing proxy takes the modem from
    // all its users. Without other users, a port therefore does without it.
    var facts = SharingFacts(manager: .absent, proxyRuns: proxy.mayHaveOpen(device))
    // A direct reader must close the modem when ModemManager starts. A proxy that starts together
    // with this process may be slightly late, so it is waited for once.
    if await bus.mayCome {
      if !view.isRunning, firstLook.isTaken() { await wait(for: proxy) }
      facts.managerMayCome = proxy.listener(patience: .zero) == .proxy
    }
    // The question may load a kernel module, so it is only asked when the answer matters.
    let isHeld = await bus.isKeptAway
    if policy.preference == .share || policy.session != nil || isHeld || view.modem(withPort: portName) != nil {
      facts.carriesSessions = await carriesSessions()
      facts.lastSession = dataPort.lastSession
    }
    guard view.isRunning else { return facts }
    // ModemManager's report about multiplexed bearers is the limit of its libraries, not of the
    // modem.
    let modem = view.modem(withPort: portName).map { managed in
      let connected = managed.bearers.filter(\.isConnected)
      return SharingFacts.ManagedModem(
        connectedBearers: connected.count,
        takesDataPort: kind == .qmi && connected.contains { !$0.isMultiplexed })
    }
    facts.manager = .running(version: view.version, modem: modem)
    facts.isHeld = isHeld
    return facts
  }

  private func wait(for proxy: ProxySocket) async {
    for _ in 0..<100 where proxy.listener(patience: .zero) == .nobody { try? await clock.pause(for: .milliseconds(20)) }
  }

  private func carriesSessions() async -> Bool {
    guard let interface else { return false }
    return await network.carriesSessions(interface)
  }

  private func changes() async -> AsyncStream<Void> {
    let views = await bus.views()
    return AsyncStream { continuation in
      let relay = Task {
        for await _ in views { continuation.yield() }
        continuation.finish()
      }
      continuation.onTermination = { _ in relay.cancel() }
    }
  }

  /// Waits, but no longer than until something changes about ModemManager, and at least a second.
  func waitForRetry(_ duration: Duration) async throws {
    try await clock.pause(for: min(duration, .seconds(1)))
    guard duration > .seconds(1) else { return }
    let before = await bus.view(within: .zero)
    let views = await bus.views()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await clock.pause(for: duration - .seconds(1)) }
      group.addTask { for await view in views where view != before { return } }
      await group.next()
      group.cancelAll()
    }
    try Task.checkCancellation()
  }

  private func inhibit(_ value: Bool) async throws {
    if value { try await bus.keepAway(fromPort: portName) } else { await bus.leaveAlone() }
  }

  /// Asks the modem through the proxy how many sessions it carries.
  private func sessionLimit() async throws -> Int? {
    try await ProxySocket(of: kind).ready(mayStartOne: startsProxies, clock: clock)
    let asked: any ModemBackend =
      switch kind {
      case .mbim:
        MBIMBackend(MBIMConfiguration(path: device, usesProxy: true, limits: .init(limits), extensions: extensions))
      case .qmi:
        QMIBackend(
          QMIConfiguration(
            path: device, usesProxy: true, interface: interface, endpoint: dataPort.endpoint, limits: .init(limits)))
      }
    let limit: Result<Int?, any Error>
    do {
      try await asked.open()
      limit = .success(try await asked.sessionLimit())
    } catch {
      limit = .failure(error)
    }
    await asked.close()
    return try limit.get()
  }

  // MARK: Backends

  private func backend(for decision: SharingDecision) async throws -> any ModemBackend {
    // ModemManager is asked to release the modem after it is open, and to use it again before.
    if !decision.inhibits { await bus.leaveAlone() }
    if decision.sharing.way == .follow { return await follower() }
    // Whether a proxy serves this process is known at once; the library would wait for half a
    // minute.
    if decision.usesProxy { try await ProxySocket(of: kind).ready(mayStartOne: startsProxies, clock: clock) }
    let session = decision.sharing.session
    try await use(session ?? dataPort.firstSession)
    switch kind {
    case .mbim:
      let number = session ?? 0
      var configuration = MBIMConfiguration(
        path: device, usesProxy: decision.usesProxy, session: UInt32(clamping: number),
        ownsLeftSession: await network.leftSessions.contains(number), stateFile: sessionLedger,
        limits: .init(limits),
        extensions: extensions)
      configuration.channelFile = channelFile
      configuration.ways = ways
      configuration.tap = tap
      return MBIMBackend(configuration)
    case .qmi:
      let (id, aggregation) = try await multiplexing(session)
      var configuration = QMIConfiguration(
        path: device, usesProxy: decision.usesProxy, interface: interface, muxID: id, aggregation: aggregation,
        endpoint: dataPort.endpoint, mayChangeFormat: await mayChangeFormat(), stateFile: clientLedger,
        limits: .init(limits))
      configuration.channelFile = channelFile
      configuration.ways = ways
      configuration.tap = tap
      // A data port that always multiplexes has no format to restore.
      let isPlainElsewhere = dataPort.aggregation != .always
      configuration.mayRestoreFormat = {
        guard isPlainElsewhere else { return false }
        return await !isMultiplexedByOthers()
      }
      return QMIBackend(configuration)
    }
  }

  private func follower() async -> FollowBackend {
    let follower = FollowBackend(kind, port: portName, on: bus, clock: clock) { [network] in
      try await network.addresses(of: $0)
    }
    await network.use(.adopted { try await follower.bearerInterface() })
    return follower
  }

  private func use(_ session: Int?) async throws {
    guard let session else { return await network.use(.interface) }
    guard let sessionLink = dataPort.sessionLink else {
      throw ModemError(
        .notSupported,
        "the driver of this modem (\(dataPort.words)) carries one session only; take `bearer.session` out of the configuration"
      )
    }
    guard session <= dataPort.lastSession else {
      throw ModemError(
        .notSupported,
        "the driver of this modem (\(dataPort.words)) has sessions 0 to \(dataPort.lastSession), and `bearer.session` is \(session); "
          + "choose another")
    }
    await network.use(.session(session, sessionLink))
  }

  /// The multiplexing id of a bearer, and when its packets carry it. A bearer that has the modem to
  /// itself takes the first free id.
  private func multiplexing(_ session: Int?) async throws -> (id: UInt8?, Aggregation) {
    if let session { return (UInt8(clamping: session), .always) }
    guard let interface, await carriesSessions() else {
      guard dataPort.aggregation != .always else {
        throw ModemError(
          .notSupported,
          "packets of \(dataPort.words) are always multiplexed, and the kernel has no links of kind rmnet; load its module "
            + "(`modprobe rmnet`)")
      }
      return (nil, .whereInsisted)
    }
    return (UInt8(clamping: try await network.freeID(over: interface)), dataPort.aggregation)
  }

  /// A data port has one format: changing it ends the traffic of ModemManager's bearer, unless that
  /// one is also multiplexed.
  private func mayChangeFormat() async -> Bool {
    await bus.view().modem(withPort: portName)?.connectedBearer == nil
  }

  private func isMultiplexedByOthers() async -> Bool {
    let bearers = await bus.view().modem(withPort: portName)?.bearers ?? []
    return bearers.contains { $0.isConnected && $0.isMultiplexed }
  }
}

/// True for the first caller only.
private final class Once: Sendable {
  private let isOver = Atomic(false)

  func isTaken() -> Bool { !isOver.exchange(true, ordering: .relaxed) }
}
