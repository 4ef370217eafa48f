import ModemModel
import ModemPort
import Testing

/// A modem that takes its time over the end of a bearer, or never answers.
@Suite("A modem that is mute at a bearer's end", .timeLimit(.minutes(1)))
struct ReleaseTests {
  /// A modem that keeps silent over `disconnect` until the gate opens, and a port whose callers
  /// have hardly any patience.
  private func withMuteModem(
    connectPatience: Duration = .seconds(600),
    _ body: @Sendable (PortFixture, ModemPort, AsyncStream<Void>.Continuation) async throws -> Void
  ) async throws {
    let fixture = PortFixture(releasing: ReleasePatience(end: .milliseconds(1), connect: connectPatience))
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    await fixture.backend.change { $0.disconnectGate = gate }
    try await fixture.run { port in
      try await body(fixture, port, opening)
      opening.finish()
    }
  }

  @Test("Whoever takes the bearer down is told at once; the machine's part is gone, and the modem's goes on behind")
  func toldAtOnce() async throws {
    try await withMuteModem { fixture, port, gate in
      _ = try await port.connect(BearerRequest())
      let status = await port.disconnect()
      #expect(status.state == .down(nil))
      #expect(status.isReleasing)
      #expect(await fixture.installer.installed.isEmpty)
      // Others are served: again a caller who wants it down, and whoever looks.
      #expect(await port.disconnect().isReleasing)
      #expect(try await port.verifyBearer().isReleasing)
      #expect(try await port.refresh().bearer.isReleasing)
      let error = await #expect(throws: ModemError.self) { try await port.switchSlot(to: 2) }
      #expect(error?.code == .inUse && error?.message.contains("yet to confirm") == true)
      gate.finish()
      await fixture.until { !$0.bearer.isReleasing }
      #expect(await port.state.bearer.state == .down(nil))
      #expect(await fixture.backend.calls.filter { $0 == "disconnect" }.count == 1)
    }
  }

  @Test("The next bearer waits for the end of the last one")
  func nextWaits() async throws {
    try await withMuteModem { fixture, port, gate in
      _ = try await port.connect(BearerRequest(apn: "first"))
      _ = await port.disconnect()
      let next = Task { try await port.connect(BearerRequest(apn: "second")) }
      // It would be asked for by now.
      _ = try await port.refresh()
      #expect(await fixture.backend.calls.contains("connect second ipv4v6") == false)
      gate.finish()
      let status = try await next.value
      #expect(status.state.installed != nil && !status.isReleasing)
      #expect(
        await fixture.backend.calls.suffix(3) == ["disconnect", "attach", "connect second ipv4v6"])
    }
  }

  @Test("The next bearer does not wait for ever")
  func nextGivesUp() async throws {
    try await withMuteModem(connectPatience: .milliseconds(1)) { fixture, port, _ in
      _ = try await port.connect(BearerRequest())
      _ = await port.disconnect()
      let error = await #expect(throws: ModemError.self) { try await port.connect(BearerRequest()) }
      #expect(error?.code == .busy && error?.message.contains("yet to confirm the end") == true)
    }
  }

  @Test("One that could not be put into the kernel is ended behind its caller's back, too")
  func notInstalled() async throws {
    try await withMuteModem { fixture, port, gate in
      await fixture.backend.change { $0.connectAnswer = .success(BearerSettings()) }
      let error = await #expect(throws: ModemError.self) { try await port.connect(BearerRequest()) }
      #expect(error?.code == .noAddress)
      #expect(await port.state.bearer.isReleasing)
      gate.finish()
      await fixture.until { !$0.bearer.isReleasing }
    }
  }

  @Test("A port is stopped though its modem is mute, and says that it was stopped")
  func stops() async throws {
    let fixture = PortFixture(releasing: ReleasePatience(end: .milliseconds(1)))
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    await fixture.backend.change { $0.disconnectGate = gate }
    try await fixture.run { port in _ = try await port.connect(BearerRequest()) }
    #expect(await fixture.backend.calls.suffix(2) == ["disconnect", "close"])
    #expect(await fixture.port.state.fault?.cause == "the port was stopped")
    opening.finish()
  }

  @Test("A modem that stopped answering is opened anew at once; one that went away is waited for")
  func reopens() async throws {
    for (event, count) in [(ModemEvent.unresponsive, 2), (.removed, 1)] {
      let fixture = KeptFixture()
      try await fixture.run { port in
        fixture.backend.say(event)
        if event == .unresponsive {
          await fixture.until { $0.fault == nil && fixture.backends.value.count == 2 }
        } else {
          await fixture.until { $0.fault != nil }
          // The wait of its own for the modem to come back.
          var sleeps = fixture.time.sleeps.makeAsyncIterator()
          #expect(await sleeps.next() == .seconds(1))
          #expect(await port.state.fault?.cause.contains("went away") == true)
        }
        #expect(fixture.backends.value.count == count)
      }
    }
  }
}
