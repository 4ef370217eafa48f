import ModemModel
import ModemPort
import Testing

@Suite("A modem's port", .timeLimit(.minutes(1)))
struct ModemPortTests {
  @Test("It cleans up first, learns the modem, and names it by its IMEI")
  func learns() async throws {
    let fixture = PortFixture()
    try await fixture.run { port in
      let state = await port.state
      #expect(state.id == ModemNaming.forTests.name(imei: "490154203237518", device: ""))
      #expect(state.sim.numbers.map(\.revealed) == ["+447700900123"])
      #expect(state.registration.state == .home)
      #expect(state.fault == nil)
      #expect(await fixture.installer.cleanedUp == ["wwan0"])
    }
    #expect(await fixture.backend.calls.last == "close")
  }

  @Test("A cell's signal that hardly moves is no change; asked for, it is told as it is")
  func steadySignal() async throws {
    let fixture = PortFixture()
    let measured: @Sendable (Double) async -> Void = { rsrp in
      await fixture.backend.change {
        $0.registrationAnswer.referenceSignal = ReferenceSignal(rsrp: rsrp, rsrq: -11, sinr: 13)
      }
      fixture.backend.say(.signalChanged)
    }
    try await fixture.run { port in
      await measured(-99)
      await fixture.until { $0.registration.referenceSignal.rsrp == -99 }
      var changes = await port.changes().makeAsyncIterator()
      _ = await changes.next()
      for rsrp in [-98.0, -100, -101, -97] { await measured(rsrp) }
      await measured(-103)
      // The next that anybody hears of is the one that moved.
      #expect(await changes.next()?.registration.referenceSignal.rsrp == -103)
      await fixture.backend.change {
        $0.registrationAnswer.referenceSignal = ReferenceSignal(rsrp: -102, rsrq: -11, sinr: 13)
      }
      let refreshed = try await port.refresh()
      #expect(refreshed.registration.referenceSignal.rsrp == -102)
    }
  }

  @Test("Connecting goes through its states to up, and once more changes nothing")
  func connects() async throws {
    let fixture = PortFixture()
    try await fixture.run { port in
      let status = try await port.connect(BearerRequest(apn: "internet"))
      #expect(status.state.installed?.interface == "wwan0")
      #expect(status.apn == "internet")
      #expect(try await port.connect(BearerRequest(apn: "other")) == status)
      #expect(await fixture.backend.calls == ["open", "attach", "connect internet ipv4v6"])
      #expect(await fixture.installer.installed.count == 1)
    }
    #expect(await fixture.installer.installed.isEmpty)
    #expect(await fixture.backend.calls.suffix(2) == ["disconnect", "close"])
  }

  @Test("Callers at the same time share one attempt")
  func shares() async throws {
    let fixture = PortFixture()
    try await fixture.run { port in
      async let first = port.connect(BearerRequest())
      async let second = port.connect(BearerRequest())
      let statuses = try await [first, second]
      #expect(statuses[0] == statuses[1])
      #expect(await fixture.backend.calls.filter { $0.hasPrefix("connect") }.count == 1)
    }
  }

  @Test("A refusal keeps the network's cause, and nothing is left behind")
  func refused() async throws {
    let fixture = PortFixture()
    await fixture.backend.change {
      $0.connectAnswer = .failure(ModemError(.refused, "refused", networkCause: .session(33)))
    }
    try await fixture.run { port in
      await #expect(throws: ModemError(.refused, "refused", networkCause: .session(33))) {
        try await port.connect(BearerRequest())
      }
      #expect(await port.state.bearer.state == .failed(.session(33)))
      #expect(await fixture.installer.installed.isEmpty)
    }
  }

  @Test(
    "A SIM or network that is not ready is told before anything is asked",
    arguments: [
      (SIMStatus.State.absent, Registration.State.home, ModemError.Code.simAbsent), (.pinRequired, .home, .simLocked),
      (.pukRequired, .home, .simLocked), (.initialising, .home, .simNotReady), (.ready, .searching, .notRegistered),
      (.ready, .denied, .notRegistered),
    ])
  func notReady(sim: SIMStatus.State, registration: Registration.State, code: ModemError.Code) async throws {
    let fixture = PortFixture()
    await fixture.backend.change {
      $0.sim.state = sim
      $0.registrationAnswer.state = registration
    }
    try await fixture.run { port in
      let error = await #expect(throws: ModemError.self) { try await port.connect(BearerRequest()) }
      #expect(error?.code == code)
      #expect(await fixture.backend.calls == ["open"])
    }
  }

  @Test("An accepted bearer without an address is given back")
  func noAddress() async throws {
    let fixture = PortFixture()
    await fixture.backend.change { $0.connectAnswer = .success(BearerSettings()) }
    try await fixture.run { port in
      let error = await #expect(throws: ModemError.self) { try await port.connect(BearerRequest()) }
      #expect(error?.code == .noAddress)
      #expect(await fixture.backend.calls.last == "disconnect")
    }
  }

  @Test("Disconnecting in the middle of connecting ends it and leaves nothing")
  func disconnectsWhileConnecting() async throws {
    let fixture = PortFixture()
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    await fixture.backend.change { $0.connectGate = gate }
    try await fixture.run { port in
      let attempt = Task { try await port.connect(BearerRequest()) }
      await fixture.until { $0.bearer.state == .connecting }
      #expect(await port.disconnect().state == .down(nil))
      opening.finish()
      await #expect(throws: (any Error).self) { try await attempt.value }
      #expect(await fixture.installer.installed.isEmpty)
      #expect(await fixture.backend.calls.last == "disconnect")
    }
  }

  @Test("A bearer that the network, the SIM or the kernel takes away goes down with the cause")
  func drops() async throws {
    let fixture = PortFixture()
    try await fixture.run { port in
      _ = try await port.connect(BearerRequest())
      fixture.backend.say(.bearerDropped(.session(36)))
      await fixture.until { $0.bearer.state == .down(.session(36)) }
      _ = try await port.connect(BearerRequest())
      fixture.installer.lose("the interface wwan0 is gone")
      await fixture.until { $0.fault?.cause == "the interface wwan0 is gone" }
      _ = try await port.connect(BearerRequest())
      #expect(await port.state.fault == nil)
      await fixture.backend.change { $0.sim = SIMStatus(state: .absent) }
      fixture.backend.say(.simChanged)
      await fixture.until { if case .down(.some) = $0.bearer.state { $0.sim.state == .absent } else { false } }
      try await fixture.untilNothingIsInstalled()
    }
  }

  @Test("A damaged bearer fails once when it is verified, and is then gone")
  func damaged() async throws {
    let fixture = PortFixture()
    try await fixture.run { port in
      _ = try await port.connect(BearerRequest())
      await fixture.installer.setDamage("table 7307 has no default route")
      let error = await #expect(throws: ModemError.self) { try await port.verifyBearer() }
      #expect(error?.message == "table 7307 has no default route")
      #expect(await port.state.bearer.state == .down(NetworkCause(code: nil, text: "table 7307 has no default route")))
      #expect(await fixture.installer.installed.isEmpty)
    }
  }

  @Test("New settings replace the old ones without an end in between")
  func newSettings() async throws {
    let fixture = PortFixture()
    try await fixture.run { port in
      _ = try await port.connect(BearerRequest())
      await fixture.backend.change { backend in
        var settings = ScriptedBackend.settings
        settings.mtu = 1280
        backend.connectAnswer = .success(settings)
      }
      fixture.backend.say(.settingsChanged)
      await fixture.until { $0.bearer.state.installed?.settings.mtu == 1280 }
      #expect(await fixture.backend.calls.contains("disconnect") == false)
    }
  }

  @Test("A control port that goes away takes the bearer with it and says so")
  func removed() async throws {
    let fixture = PortFixture()
    try await fixture.run { port in
      _ = try await port.connect(BearerRequest())
      fixture.backend.say(.removed)
      await fixture.until { $0.fault != nil }
      try await fixture.untilNothingIsInstalled()
      let error = await #expect(throws: ModemError.self) { try await port.connect(BearerRequest()) }
      #expect(error?.code == .deviceUnavailable)
    }
  }

  @Test("A PIN is entered once, and a refused one shows what is left")
  func pin() async throws {
    let fixture = PortFixture()
    await fixture.backend.change { ($0.sim.state, $0.sim.retriesLeft) = (.pinRequired, 3) }
    try await fixture.run { port in
      let error = await #expect(throws: ModemError.self) { try await port.unlock(with: PIN("0000")!) }
      #expect(error?.retriesLeft == 2)
      #expect(await port.state.sim.retriesLeft == 2)
      let state = try await port.unlock(with: PIN("1234")!)
      #expect(state.sim.state == .ready)
      #expect(await fixture.backend.calls == ["open", "unlock", "unlock"])
    }
  }

  @Test("A PIN is not entered where the modem does not count the attempts, or does not say yet what the SIM asks for")
  func uncountedPIN() async throws {
    for (state, code) in [(SIMStatus.State.pinRequired, ModemError.Code.lastAttempt), (.unknown, .simNotReady)] {
      let fixture = PortFixture()
      await fixture.backend.change { ($0.sim.state, $0.sim.retriesLeft) = (state, nil) }
      try await fixture.run { port in
        let error = await #expect(throws: ModemError.self) { try await port.unlock(with: PIN("1234")!) }
        #expect(error?.code == code && error?.retriesLeft == nil)
        #expect(await fixture.backend.calls == ["open"])
        guard state == .pinRequired else { return }
        let opened = try await port.unlock(with: PIN("1234")!, mayBeLast: true)
        #expect(opened.sim.state == .ready)
      }
    }
  }
}
