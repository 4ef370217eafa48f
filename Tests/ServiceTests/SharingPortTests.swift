import ClockTestSupport
import LimitClock
import Logging
import ModemModel
import ModemPort
import Synchronization
import Testing

/// A port whose modem has to be shared in another way while it runs.
@Suite(.timeLimit(.minutes(1))) struct SharingPortTests {
  /// What runs beside the port, as the test says.
  private final class Machine: Sendable {
    private let state = Mutex((facts: SharingFacts(manager: .absent), watchers: [AsyncStream<Void>.Continuation]()))
    let decisions = Mutex([SharingDecision]())

    var facts: SharingFacts { state.withLock(\.facts) }

    func become(_ facts: SharingFacts) {
      let watchers = state.withLock { state in
        state.facts = facts
        return state.watchers
      }
      for watcher in watchers { watcher.yield() }
    }

    /// ModemManager lets go of the modem, or has it back.
    func isTold(toLetGo: Bool) {
      guard case .running(let version, let modem) = facts.manager, facts.isHeld != toLetGo else { return }
      var facts = facts
      facts.isHeld = toLetGo
      facts.manager = .running(version: version, modem: toLetGo ? nil : modem ?? .init())
      become(facts)
    }

    func changes() -> AsyncStream<Void> {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      continuation.yield()
      state.withLock { $0.watchers.append(continuation) }
      return stream
    }
  }

  /// - Parameter connecting: what `connect` answers in a way that was decided; nil for a bearer.
  private func withPort(
    _ preference: ModemSettings.Sharing = .auto, sessionLimit: Int? = nil, beside facts: SharingFacts? = nil,
    connecting: @escaping @Sendable (SharingDecision, SharingFacts) -> ModemError? = { _, _ in nil },
    _ body: (ModemPort, Machine) async throws -> Void
  ) async throws {
    let machine = Machine()
    if let facts { machine.become(facts) }
    var dependencies = SharingChooser.Dependencies(
      facts: { machine.facts }, changes: { machine.changes() },
      makeBackend: { decision in
        machine.decisions.withLock { $0.append(decision) }
        if !decision.inhibits { machine.isTold(toLetGo: false) }
        let backend = ScriptedBackend()
        if let error = connecting(decision, machine.facts) {
          await backend.change { $0.connectAnswer = .failure(error) }
        }
        return backend
      })
    dependencies.sessionLimit = { sessionLimit }
    dependencies.inhibit = { machine.isTold(toLetGo: $0) }
    let chooser = SharingChooser(SharingPolicy(preference), dependencies)
    let clock = CountingClock()
    let port = ModemPort(
      .init(device: "/dev/scripted", kind: .mbim, interface: "wwan0", software: "modemd-port test"),
      .init(
        makeBackend: { try await chooser.makeBackend() }, network: ScriptedInstaller(), clock: .hurried,
        now: { clock.next() }, naming: .forTests, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        chooser: chooser))
    let life = Task { await port.run() }
    do {
      try await body(port, machine)
    } catch {
      Issue.record(error)
    }
    life.cancel()
    await life.value
  }

  private func wait(for port: ModemPort, _ isSo: (ModemState) -> Bool) async {
    for await state in await port.changes() where isSo(state) { return }
  }

  /// ModemManager has the modem, and so many connected bearers on it.
  private static func manager(_ bearers: Int, links: Bool = true) -> SharingFacts {
    SharingFacts(
      manager: .running(version: "1.20.4", modem: .init(connectedBearers: bearers)), proxyRuns: true,
      carriesSessions: links)
  }

  /// A modem that has no session beside the usual one.
  private static let refusingSessions: @Sendable (SharingDecision, SharingFacts) -> ModemError? = { decision, facts in
    if decision.sharing.session != nil { return .noSession(77, during: "connect", "MBIM status 13") }
    guard decision.sharing.way == .follow, facts.managerHasNoBearer else { return nil }
    return ModemError(.notConnected, "ModemManager has no connected bearer")
  }

  @Test func `the state says the way, why, and with what software`() async throws {
    try await withPort { port, _ in
      await wait(for: port) { $0.fault == nil }
      let state = await port.state
      #expect(state.sharing == Sharing(way: .own, reason: "ModemManager does not run"))
      #expect(state.software == "modemd-port test")
    }
  }

  @Test func `a direct reader makes way for ModemManager at once, its bearer with it`() async throws {
    try await withPort { port, machine in
      await wait(for: port) { $0.registration.state == .home }
      _ = try await port.connect(BearerRequest())
      machine.become(SharingFacts(manager: .running(version: "1.20.4", modem: nil)))
      await wait(for: port) { $0.sharing?.manager == "1.20.4" && $0.fault == nil }
      #expect(await port.state.bearer.state.installed == nil)
      #expect(machine.decisions.withLock { $0.map(\.usesProxy) } == [false, true])
    }
  }

  @Test func `a bearer that works through the proxy is kept when another way would be chosen today`() async throws {
    try await withPort { port, machine in
      machine.become(SharingFacts(manager: .running(version: "1.20.4", modem: nil)))
      await wait(for: port) { $0.sharing?.manager == "1.20.4" && $0.registration.state == .home && $0.fault == nil }
      let bearer = try await port.connect(BearerRequest())
      let made = machine.decisions.withLock(\.count)
      machine.become(Self.manager(1, links: false))
      let verified = try await port.verifyBearer()
      #expect(verified == bearer && machine.decisions.withLock(\.count) == made)
      // Nobody needs it any longer: the next change is followed.
      _ = await port.disconnect()
      machine.become(Self.manager(1, links: false))
      await wait(for: port) { $0.sharing?.way == .follow && $0.fault == nil }
    }
  }

  @Test func `a session that the modem refuses is given up for a bearer of ModemManager's for good`() async throws {
    try await withPort(beside: Self.manager(1), connecting: Self.refusingSessions) { port, machine in
      await wait(for: port) { $0.sharing?.way == .share && $0.fault == nil }
      #expect(await port.state.sharing?.session == 77)
      let bearer = try await port.connect(BearerRequest())
      #expect(bearer.state.installed != nil)
      let sharing = try #require(await port.state.sharing)
      #expect(sharing.way == .follow && sharing.managerState == .connected)
      #expect(sharing.passedOver?.contains("MBIM status 13") == true, "\(sharing)")
      // Down and up again: the way stays.
      _ = await port.disconnect()
      _ = try await port.connect(BearerRequest())
      #expect(machine.decisions.withLock { $0.map(\.sharing.way) } == [.share, .follow])
    }
  }

  @Test func `where ModemManager has no bearer, it is told to let go as long as one is wanted`()
    async throws
  {
    try await withPort(sessionLimit: 1, beside: Self.manager(0), connecting: Self.refusingSessions) { port, machine in
      await wait(for: port) { $0.sharing?.way == .follow && $0.fault == nil }
      #expect(machine.facts.isHeld == false)
      // Two callers at once share what comes of it.
      async let other = port.connect(BearerRequest())
      let bearer = try await port.connect(BearerRequest())
      #expect(try await other == bearer && bearer.state.installed != nil)
      #expect(machine.facts.isHeld)
      let sharing = try #require(await port.state.sharing)
      #expect(sharing.way == .own && sharing.session == nil && sharing.managerState == .inhibited)
      #expect(
        sharing.passedOver?.hasPrefix("share: the modem carries one session; follow: ModemManager had no bearer")
          == true)
      _ = await port.disconnect()
      await wait(for: port) { $0.sharing?.way == .follow && $0.fault == nil }
      #expect(!machine.facts.isHeld)
      #expect(machine.decisions.withLock { $0.map(\.sharing.way) } == [.follow, .own, .follow])
    }
  }

  @Test func `a bearer that is up when ModemManager finds a modem of one session stays up`()
    async throws
  {
    let before = SharingFacts(manager: .absent, proxyRuns: true, carriesSessions: true)
    try await withPort(sessionLimit: 1, beside: before) { port, machine in
      await wait(for: port) { $0.registration.state == .home && $0.fault == nil }
      let bearer = try await port.connect(BearerRequest())
      machine.become(Self.manager(0))
      await wait(for: port) { $0.sharing?.managerState == .inhibited }
      #expect(await port.state.bearer == bearer)
      #expect(machine.decisions.withLock(\.count) == 1)
      // Also when ModemManager is started anew; and when it ends, that is said.
      machine.become(before)
      await wait(for: port) { $0.sharing?.manager == nil }
      #expect(await port.state.sharing?.reason == "ModemManager does not run")
      machine.become(Self.manager(0))
      await wait(for: port) { $0.sharing?.managerState == .inhibited }
      #expect(await port.state.bearer == bearer)
    }
  }

  @Test(arguments: [true, false])
  func `both orders of start end in the same way`(managerIsFirst: Bool) async throws {
    let alone = SharingFacts(manager: .absent, carriesSessions: true)
    for (limit, way) in [(8, SharingWay.share), (1, .follow)] {
      try await withPort(sessionLimit: limit, beside: managerIsFirst ? Self.manager(0) : alone) { port, machine in
        if !managerIsFirst {
          await wait(for: port) { $0.sharing?.way == .own && $0.fault == nil }
          machine.become(SharingFacts(manager: .running(version: "1.20.4", modem: nil), carriesSessions: true))
          machine.become(Self.manager(0))
        }
        await wait(for: port) { $0.sharing?.way == way && $0.fault == nil }
        #expect(await port.state.sharing?.session == (limit == 8 ? 7 : nil))
      }
    }
  }

  @Test func `a way that was configured is not replaced, and its error says what can be done`() async throws {
    try await withPort(.share, beside: Self.manager(1), connecting: Self.refusingSessions) { port, machine in
      await wait(for: port) { $0.sharing?.way == .share && $0.fault == nil }
      await #expect {
        try await port.connect(BearerRequest())
      } throws: { error in
        "\(error)".contains("set `sharing` to auto, follow or own") && !"\(error)".contains("session` to 0")
      }
      #expect(machine.decisions.withLock { $0.map(\.sharing.way) } == [.share])
    }
  }
}

extension SharingFacts {
  fileprivate var managerHasNoBearer: Bool {
    if case .running(_, let modem?) = manager { !modem.isConnected } else { true }
  }
}
