import Logging
import ModemModel
import ModemPort
import Synchronization
import Testing

@Suite("A bearer that is kept", .timeLimit(.minutes(1)))
struct KeptBearerTests {
  static let request = BearerRequest(apn: "internet", isKept: true)

  @Test("It comes up again after the network dropped it, with a wait that is told")
  func dropped() async throws {
    let fixture = KeptFixture()
    try await fixture.run { port in
      _ = try await port.connect(Self.request)
      fixture.time.advance(100)
      fixture.backend.say(.bearerDropped(.session(36)))
      await fixture.until { $0.bearer.nextAttempt != nil }
      let status = await port.state.bearer
      #expect(status.state == .down(.session(36)))
      #expect(status.nextAttempt == Timestamp(milliseconds: 101_000))
      var sleeps = fixture.time.sleeps.makeAsyncIterator()
      #expect(await sleeps.next() == .seconds(1))
      fixture.time.wakeAll()
      await fixture.until { $0.bearer.state.installed != nil }
      #expect(await port.state.bearer.nextAttempt == nil)
      #expect(await fixture.backend.calls.filter { $0 == "connect internet ipv4v6" }.count == 2)
    }
  }

  @Test("A bearer that a check brought up, or that settings do not keep, stays down", arguments: [false, true])
  func notKept(isKept: Bool) async throws {
    let fixture = KeptFixture(reconnects: false)
    try await fixture.run { port in
      _ = try await port.connect(BearerRequest(apn: "internet", isKept: isKept))
      fixture.backend.say(.bearerDropped(.session(36)))
      await fixture.until { $0.bearer.state == .down(.session(36)) }
      #expect(await port.state.bearer.nextAttempt == nil)
    }
  }

  @Test("After Disconnect it stays down")
  func disconnected() async throws {
    let fixture = KeptFixture()
    try await fixture.run { port in
      _ = try await port.connect(Self.request)
      fixture.backend.say(.bearerDropped(.session(36)))
      await fixture.until { $0.bearer.nextAttempt != nil }
      #expect(await port.disconnect().nextAttempt == nil)
      #expect(await port.state.bearer.nextAttempt == nil)
    }
  }

  @Test(
    "Attempts that fail come ever more seldom, and much more so for a cause that stays",
    arguments: [(26, [1, 2, 5, 15, 30, 60, 120, 300, 300]), (29, [1, 600, 1800, 3600, 3600])])
  func patience(cause: Int, seconds: [Int]) async throws {
    let fixture = KeptFixture()
    try await fixture.run { port in
      _ = try await port.connect(Self.request)
      await fixture.backend.change {
        $0.connectAnswer = .failure(ModemError(.refused, "refused", networkCause: .session(cause)))
      }
      fixture.backend.say(.bearerDropped(.session(36)))
      var sleeps = fixture.time.sleeps.makeAsyncIterator()
      for (number, expected) in seconds.enumerated() {
        #expect(await sleeps.next() == .seconds(expected))
        if number > 0 { #expect(await port.state.bearer.state == .failed(.session(cause))) }
        fixture.time.wakeAll()
      }
    }
  }

  @Test("A network that accepts and drops at once is not asked in a tight loop")
  func flapping() async throws {
    let fixture = KeptFixture()
    try await fixture.run { port in
      _ = try await port.connect(Self.request)
      var sleeps = fixture.time.sleeps.makeAsyncIterator()
      for expected in [1, 2, 5, 15, 30] {
        fixture.backend.say(.bearerDropped(.session(38)))
        #expect(await sleeps.next() == .seconds(expected))
        fixture.time.wakeAll()
        await fixture.until { $0.bearer.state.installed != nil }
      }
    }
  }

  @Test("After a modem's reset it comes up on the port that was opened anew")
  func reset() async throws {
    let fixture = KeptFixture()
    try await fixture.run { port in
      _ = try await port.connect(Self.request)
      fixture.time.advance(100)
      fixture.backend.say(.reset)
      await fixture.until { $0.bearer.state == .down(NetworkCause(code: nil, text: "the modem was reset")) }
      // The port waits before it is opened again, and so does the bearer.
      while fixture.backends.value.count == 1 {
        fixture.time.wakeAll()
        await Task.yield()
      }
      while await port.state.bearer.state.installed == nil {
        fixture.time.wakeAll()
        await Task.yield()
      }
      #expect(await fixture.backend.calls.contains("connect internet ipv4v6"))
    }
  }

  @Test("A SIM that becomes ready brings the next attempt forward")
  func goodNews() async throws {
    let fixture = KeptFixture()
    try await fixture.run { port in
      _ = try await port.connect(Self.request)
      await fixture.backend.change { $0.sim = SIMStatus(state: .absent) }
      fixture.backend.say(.simChanged)
      var sleeps = fixture.time.sleeps.makeAsyncIterator()
      #expect(await sleeps.next() == .seconds(1))
      fixture.time.wakeAll()
      // No SIM is a cause that stays.
      #expect(await sleeps.next() == .seconds(600))
      await fixture.backend.change { $0.sim = SIMStatus(state: .ready) }
      fixture.time.advance(30)
      fixture.backend.say(.simChanged)
      #expect(await sleeps.next() == .zero)
      fixture.time.wakeAll()
      await fixture.until { $0.bearer.state.installed != nil }
    }
  }

  @Test("A bearer that the modem lost without notice is detected, and comes up again")
  func silentlyLost() async throws {
    let fixture = KeptFixture(patrol: .seconds(30))
    try await fixture.run { port in
      _ = try await port.connect(Self.request)
      var sleeps = fixture.time.sleeps.makeAsyncIterator()
      #expect(await sleeps.next() == .seconds(30))
      fixture.time.wakeAll()
      // It was there: looked at again.
      #expect(await sleeps.next() == .seconds(30))
      await fixture.backend.change { $0.settingsError = ModemError(.notConnected, "the session is not active") }
      fixture.time.wakeAll()
      await fixture.until { $0.bearer.nextAttempt != nil }
      #expect(
        await port.state.bearer.state
          == .down(NetworkCause(code: nil, text: "the modem lost the bearer without notice")))
      await fixture.backend.change { $0.settingsError = nil }
      while await port.state.bearer.state.installed == nil {
        fixture.time.wakeAll()
        await Task.yield()
      }
    }
  }

  @Test("What the kernel lost of it is made anew without anybody's asking")
  func damaged() async throws {
    let fixture = KeptFixture()
    try await fixture.run { port in
      _ = try await port.connect(Self.request)
      fixture.installer.lose("the interface wwan0 is down")
      await fixture.until { $0.bearer.nextAttempt != nil }
      var sleeps = fixture.time.sleeps.makeAsyncIterator()
      #expect(await sleeps.next() == .seconds(1))
      fixture.time.wakeAll()
      await fixture.until { $0.bearer.state.installed != nil && $0.fault == nil }
    }
  }

  @Test("One that did not outlive a suspension comes up at once; one that did is left as it is")
  func suspended() async throws {
    let fixture = KeptFixture()
    try await fixture.run { port in
      _ = try await port.connect(Self.request)
      fixture.time.advance(100)
      fixture.resume.yield(.seconds(3600))
      // Nothing changes: the modem gives the same settings as before.
      var settings = ScriptedBackend.settings
      settings.mtu = 1400
      await fixture.backend.change { [settings] in $0.connectAnswer = .success(settings) }
      fixture.resume.yield(.seconds(3600))
      await fixture.until { $0.bearer.state.installed?.settings.mtu == 1400 }
      #expect(await fixture.backend.calls.contains("disconnect") == false)
      await fixture.backend.change { $0.settingsError = ModemError(.notConnected, "the session is not active") }
      fixture.resume.yield(.seconds(3600))
      await fixture.until { if case .down(.some) = $0.bearer.state { $0.bearer.nextAttempt != nil } else { false } }
      await fixture.backend.change { $0.settingsError = nil }
      while await port.state.bearer.state.installed == nil {
        fixture.time.wakeAll()
        await Task.yield()
      }
    }
  }
}

@Suite("The access point of a bearer", .timeLimit(.minutes(1)))
struct AccessPointTests {
  @Test("What the modem knows is used, and told")
  func provisioned() async throws {
    let fixture = KeptFixture(prepare: { $0.provisioned = [AccessPoint(name: "modem.example", source: .modem)] })
    try await fixture.run { port in
      let status = try await port.connect(BearerRequest())
      #expect(status.apn == "modem.example")
      #expect(status.apnSource == .modem)
      #expect(await fixture.backend.calls.contains("connect modem.example ipv4v6"))
    }
  }

  @Test("When the network wants a name and has given none, the list of providers is tried")
  func listed() async throws {
    let fixture = KeptFixture(accessPoints: { network in
      network.plmn.description == "23415"
        ? ["one.example", "two.example"].map { AccessPoint(name: $0, source: .database) } : []
    }) { $0.acceptsOnly = "two.example" }
    try await fixture.run { port in
      let status = try await port.connect(BearerRequest(ipType: .ipv4))
      #expect(status.apn == "two.example")
      #expect(status.apnSource == .database)
      #expect(
        await fixture.backend.calls.filter { $0.hasPrefix("connect") }
          == ["connect - ipv4", "connect one.example ipv4", "connect two.example ipv4"])
    }
  }

  @Test("A name that was asked for is not replaced")
  func asked() async throws {
    let fixture = KeptFixture(accessPoints: { _ in [AccessPoint(name: "two.example", source: .database)] }) {
      $0.acceptsOnly = "two.example"
    }
    try await fixture.run { port in
      let error = await #expect(throws: ModemError.self) {
        try await port.connect(BearerRequest(apn: "mine.example", ipType: .ipv4))
      }
      #expect(error?.networkCause == .session(27))
      #expect(await port.state.bearer.apnSource == .asked)
    }
  }
}

@Suite("Traffic of a bearer", .timeLimit(.minutes(1)))
struct TrafficTests {
  @Test("It is untested until the network side has probed it; silence has a reason")
  func silent() async throws {
    let fixture = KeptFixture()
    try await fixture.run { port in
      let status = try await port.connect(BearerRequest())
      #expect(status.traffic == .untested)
      // Of another interface: not this bearer's.
      #expect(await port.noteTraffic(isAnswered: false, interfaceIndex: 99).traffic == .untested)
      #expect(await port.noteTraffic(isAnswered: true, interfaceIndex: 7).traffic == .answered)
      await fixture.installer.setDiagnosis("the modem speaks Ethernet frames")
      let silent = await port.noteTraffic(isAnswered: false, interfaceIndex: 7)
      #expect(silent.traffic == .silent("the modem speaks Ethernet frames"))
      #expect(await port.disconnect().traffic == nil)
    }
  }
}
