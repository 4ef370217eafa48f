import ModemModel
import ModemSimulator
import Testing

@Suite(.timeLimit(.minutes(2))) struct `The state of a modem's SIM` {
  private typealias Change = @Sendable (inout SimulatedModemConfiguration) -> Void

  private func status(_ kind: ModemProtocol, _ change: Change, doubts: [Duration] = []) async throws -> SIMStatus {
    let modem = SimulatedModem.with(kind, change)
    defer { modem.unplug() }
    return try await SimulatedPort(modem, kind, doubts: doubts).run { await $0.state.sim }
  }

  @Test(arguments: ModemProtocol.allCases) func `is told for each of them`(kind: ModemProtocol) async throws {
    let iccid = ICCID("8944100000000000015")
    let absent = try await status(kind) { $0.sim = nil }
    #expect(absent.state == .absent)
    let locked = try await status(kind) { $0.sim?.pin = "1234" }
    #expect(locked.state == .pinRequired && locked.retriesLeft == 3 && locked.iccid == iccid)
    let blocked = try await status(kind) {
      $0.sim?.pin = "1234"
      $0.sim?.wrongPINs = 3
    }
    #expect(blocked.state == .pukRequired && blocked.retriesLeft == 10 && blocked.iccid == iccid)
    let broken = try await status(kind) { $0.sim?.condition = .broken }
    #expect(broken.state == .failed)
    let inactive = try await status(kind) { $0.sim?.condition = .notActivated }
    // QMI knows only that the network refuses the card.
    #expect(inactive.state == (kind == .mbim ? .notActivated : .failed))
    let ready = try await status(kind) { _ in }
    #expect(ready.state == .ready && ready.iccid == iccid && ready.imsi == IMSI("234150000000001"))
  }

  @Test(arguments: ModemProtocol.allCases)
  func `is asked again when a starting modem denies it`(kind: ModemProtocol) async throws {
    let modem = SimulatedModem.with(kind) { $0.falseAbsences = 3 }
    let simulated = try SimulatedPort(modem, kind, doubts: Array(repeating: .milliseconds(1), count: 4))
    try await simulated.run { port in
      let state = await simulated.until { $0.sim.state == .ready && $0.registration.state == .home }
      #expect(state.sim.iccid != nil)
      #expect(modem.snapshot.commands[.subscriber, default: 0] >= 4)
      // Whoever connects meanwhile waits for the modem's last word.
      _ = try await port.connect(BearerRequest())
    }
    modem.unplug()
  }

  @Test(arguments: ModemProtocol.allCases)
  func `is absent when the modem keeps to it, and a connection waits for that`(kind: ModemProtocol) async throws {
    let modem = SimulatedModem.with(kind) { $0.sim = nil }
    let simulated = try SimulatedPort(modem, kind, doubts: [.milliseconds(1), .milliseconds(1)])
    try await simulated.run { port in
      #expect(await modemError { try await port.connect(BearerRequest()) }?.code == .simAbsent)
      await simulated.until { $0.sim.state == .absent }
      modem.insertSIM(SimulatedSIM())
      await simulated.until { $0.sim.state == .ready }
      modem.removeSIM()
      await simulated.until { $0.sim.state == .absent }
    }
    modem.unplug()
  }

  @Test(arguments: ModemProtocol.allCases)
  func `follows a SIM that is being read`(kind: ModemProtocol) async throws {
    let modem = SimulatedModem.with(kind) { $0.sim = nil }
    modem.insertSIM(SimulatedSIM(), isInitialising: true)
    let simulated = try SimulatedPort(modem, kind)
    try await simulated.run { port in
      #expect(await port.state.sim.state == .initialising)
      modem.finishInitialising()
      let state = await simulated.until { $0.sim.state == .ready }
      #expect(state.sim.numbers.map(\.revealed) == ["+447700900123"])
    }
    modem.unplug()
  }

  @Test func `is told by DMS where QMI firmware is too old for UIM`() async throws {
    let modem = SimulatedModem.with(.qmi) {
      $0.hasOldSIMCommands = true
      $0.sim?.pin = "1234"
    }
    let simulated = try SimulatedPort(modem, .qmi)
    try await simulated.run { port in
      let locked = await port.state.sim
      #expect(locked.state == .pinRequired && locked.retriesLeft == 3 && locked.iccid == ICCID("8944100000000000015"))
      let error = await modemError { try await port.unlock(with: PIN("9999")!) }
      #expect(error?.code == .wrongPIN && error?.retriesLeft == 2)
      #expect(modem.snapshot.pinAttempts == 2)
      let sim = try await port.unlock(with: PIN("1234")!).sim
      #expect(sim.state == .ready && sim.imsi == IMSI("234150000000001"))
      #expect(sim.numbers.map(\.revealed) == ["+447700900123"] && sim.home?.plmn == PLMN("23415"))
      #expect(await modemError { try await port.unlock(with: PIN("1234")!) }?.code == .pinNotRequired)
      #expect(await modemError { try await port.slots() }?.code == .notSupported)
    }
    modem.unplug()
  }
}
