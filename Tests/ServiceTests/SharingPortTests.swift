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

    func changes() -> AsyncStream<Void> {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      continuation.yield()
      state.withLock { $0.watchers.append(continuation) }
      return stream
    }
  }

  private func withPort(
    _ preference: ModemSettings.Sharing = .auto, _ body: (ModemPort, Machine) async throws -> Void
  ) async throws {
    let machine = Machine()
    let chooser = SharingChooser(
      SharingPolicy(preference),
      .init(facts: { machine.facts }, changes: { machine.changes() }) { decision in
        machine.decisions.withLock { $0.append(decision) }
        return ScriptedBackend()
      })
    let clock = CountingClock()
    let port = ModemPort(
      .init(device: "/dev/scripted", kind: .mbim, interface: "wwan0", software: "modemd-port test"),
      .init(
        makeBackend: { try await chooser.makeBackend() }, network: ScriptedInstaller(), sleep: { _ in },
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

  private static func manager(_ connected: Bool) -> SharingFacts {
    SharingFacts(manager: .running(version: "1.20.4", modem: .init(isConnected: connected, canMultiplex: false)))
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
      machine.become(Self.manager(true))
      let verified = try await port.verifyBearer()
      #expect(verified == bearer && machine.decisions.withLock(\.count) == made)
      // Nobody needs it any longer: the next change is followed.
      _ = await port.disconnect()
      machine.become(Self.manager(true))
      await wait(for: port) { $0.sharing?.way == .follow && $0.fault == nil }
    }
  }
}
