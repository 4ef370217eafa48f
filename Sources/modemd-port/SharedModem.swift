import BearerNetworking
import MBIMBackend
import ModemManagerLink
import ModemModel
import ModemPort
import QMIBackend
import ReplyCheck

/// The parts that sharing a modem takes, put together: ModemManager on the bus, the proxies, the backends and the kernel's links.
struct SharedModem: Sendable {
  let device: String
  let kind: ModemProtocol
  let interface: String?
  /// The kernel's name of the control port, by which ModemManager knows it.
  let portName: String
  /// The file of QMI client ids; nil for none.
  let clientLedger: String?
  /// The file that says which MBIM session is this program's; nil for none.
  let sessionLedger: String?
  /// The highest version of Microsoft's extensions to agree on, over MBIM.
  let extensions: MBIMExtensions
  let limits: [TimeLimit]
  /// Whether the libraries may start a proxy. In a unit it would have that unit's rights, and end with it.
  let startsProxies: Bool
  let bus = ModemManagerBus()
  let network: PortNetwork

  init(
    device: String, kind: ModemProtocol, interface: String?, portName: String, clientLedger: String?,
    sessionLedger: String?, extensions: MBIMExtensions, limits: [TimeLimit], startsProxies: Bool,
    guarding: BearerGuarding
  ) {
    self.device = device
    self.kind = kind
    self.interface = interface
    self.portName = portName
    self.clientLedger = clientLedger
    self.sessionLedger = sessionLedger
    self.extensions = extensions
    self.limits = limits
    self.startsProxies = startsProxies
    network = PortNetwork(BearerNetwork(guarding: guarding), kinds: { SessionLink(kind, interface: $0) })
  }

  func chooser(_ policy: SharingPolicy) -> SharingChooser {
    SharingChooser(
      policy,
      SharingChooser.Surroundings(
        facts: { await facts() }, changes: { await changes() }, makeBackend: { try await backend(for: $0) }))
  }

  private var sessionLink: SessionLink? { interface.flatMap { SessionLink(kind, interface: $0) } }

  private func facts() async -> SharingFacts {
    let view = await bus.view()
    // One that has not opened this port does no harm, and a proxy that fails takes the modem from all who use it: alone, a port does without.
    let proxyRuns = ProxySocket(of: kind).mayHaveOpen(device)
    guard view.isRunning else { return SharingFacts(manager: .absent, proxyRuns: proxyRuns) }
    var modem: SharingFacts.ManagedModem?
    if let managed = view.modem(withPort: portName) {
      var hasRoom = managed.multiplexedBearers > 0
      if hasRoom { hasRoom = await carriesSessions() }
      modem = .init(isConnected: managed.connectedBearer != nil, canMultiplex: hasRoom)
    }
    return SharingFacts(manager: .running(version: view.version, modem: modem), proxyRuns: proxyRuns)
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

  /// Waits, but no longer than until something changes about ModemManager; a second at least.
  func sleep(_ duration: Duration) async throws {
    try await Task.sleep(for: min(duration, .seconds(1)))
    guard duration > .seconds(1) else { return }
    let before = await bus.view(within: .zero)
    let views = await bus.views()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await Task.sleep(for: duration - .seconds(1)) }
      group.addTask { for await view in views where view != before { return } }
      await group.next()
      group.cancelAll()
    }
    try Task.checkCancellation()
  }

  // MARK: Backends

  private func backend(for decision: SharingDecision) async throws -> any ModemBackend {
    if decision.inhibits { try await bus.keepAway(fromPort: portName) } else { await bus.leaveAlone() }
    if decision.sharing.way == .follow { return await follower() }
    // Whether a proxy serves us is known at once; the library would wait for half a minute.
    if decision.usesProxy { try await ProxySocket(of: kind).ready(mayStartOne: startsProxies) }
    let session = decision.sharing.session
    try await use(session)
    switch kind {
    case .mbim:
      let number = session ?? 0
      return MBIMBackend(
        MBIMConfiguration(
          path: device, usesProxy: decision.usesProxy, session: UInt32(clamping: number),
          ownsLeftSession: await network.leftSessions.contains(number), stateFile: sessionLedger,
          limits: .init(limits),
          extensions: extensions))
    case .qmi:
      return QMIBackend(
        QMIConfiguration(
          path: device, usesProxy: decision.usesProxy, interface: interface, muxID: session.map { UInt8(clamping: $0) },
          mayChangeFormat: await mayChangeFormat(), stateFile: clientLedger, limits: .init(limits)))
    }
  }

  private func follower() async -> FollowBackend {
    let follower = FollowBackend(kind, port: portName, on: bus) { [network] in try await network.addresses(of: $0) }
    await network.use(.adopted { try await follower.bearerInterface() })
    return follower
  }

  private func use(_ session: Int?) async throws {
    guard let session else { return await network.use(.interface) }
    guard let sessionLink else {
      throw ModemError(
        .notSupported,
        "the driver of this modem carries one session only; take `bearer.session` out of the configuration")
    }
    await network.use(.session(session, sessionLink))
  }

  /// A data port has one format: another one ends the traffic of ModemManager's bearer, unless that is multiplexed, too.
  private func mayChangeFormat() async -> Bool {
    await bus.view().modem(withPort: portName)?.connectedBearer == nil
  }
}
