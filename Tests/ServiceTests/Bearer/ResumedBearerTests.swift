import Logging
import ModemModel
import Testing

@testable import ModemPort

/// Bearers that were kept by a port that has gone. Each fixture is a port's process; they share the
/// folder.
@Suite("A bearer that was kept before", .timeLimit(.minutes(1)))
struct ResumedBearerTests {
  private static let request = BearerRequest(apn: "internet", isKept: true)

  private static func connected(_ notes: NoteFolder, _ request: BearerRequest = request, boot: String = "b1")
    async throws
  {
    let fixture = KeptFixture(keptBearers: KeptBearerFolder(path: notes.path, boot: boot))
    try await fixture.run { port in
      let status = try await port.connect(request)
      #expect(status.resumption == nil)
    }
  }

  private static func later(
    _ notes: NoteFolder, boot: String = "b1", resumes: ModemSettings.Resume = .restart, reconnects: Bool = true,
    device: String = "/dev/scripted", prepare: @escaping @Sendable (isolated ScriptedBackend) -> Void = { _ in }
  ) -> KeptFixture {
    KeptFixture(
      reconnects: reconnects, resumes: resumes, keptBearers: KeptBearerFolder(path: notes.path, boot: boot),
      device: device, prepare: prepare)
  }

  @Test(
    "It comes up without a call, at another control port too, and says so", arguments: ["/dev/scripted", "/dev/moved"])
  func resumed(device: String) async throws {
    try await NoteFolder.with { notes in
      try await Self.connected(notes)
      let fixture = Self.later(notes, device: device)
      try await fixture.run { port in
        await fixture.wakeUntil { $0.bearer.state.installed != nil }
        #expect(await port.state.bearer.resumption == .resumed)
        #expect(await fixture.backend.calls.filter { $0.hasPrefix("connect") } == ["connect internet ipv4v6"])
        // The note is of this control port now.
        #expect(notes.text(of: notes.names[0]).contains(device))
        // It is kept as any other.
        fixture.backend.say(.bearerDropped(.session(36)))
        await fixture.until { $0.bearer.nextAttempt != nil }
        #expect(await port.state.bearer.resumption == nil)
        await fixture.wakeUntil { $0.bearer.state.installed != nil }
      }
    }
  }

  @Test("The note has nothing of the modem's or the SIM's numbers")
  func impersonal() async throws {
    try await NoteFolder.with { notes in
      try await Self.connected(notes)
      #expect(notes.names.count == 1)
      let text = notes.names[0] + notes.text(of: notes.names[0])
      for number in ["490154203237518", "8944110012345678901", "234150123456789", "447700900123"] {
        #expect(!text.contains(number) && !text.contains(number.suffix(6)))
      }
    }
  }

  @Test("One that a check brought up, and one that settings do not keep, is not written down")
  func notKept() async throws {
    try await NoteFolder.with { notes in
      try await Self.connected(notes, BearerRequest(apn: "internet"))
      for (resumes, reconnects) in [(ModemSettings.Resume.off, true), (.boot, false)] {
        let fixture = Self.later(notes, resumes: resumes, reconnects: reconnects)
        try await fixture.run { port in _ = try await port.connect(Self.request) }
      }
      #expect(notes.names == [])
    }
  }

  struct Start: Sendable, CustomTestStringConvertible {
    var resumes: ModemSettings.Resume
    var isSameBoot: Bool
    var reconnects = true
    /// What is told at first; nil for nothing.
    var refusal: String?
    var comesUp: Bool
    var testDescription: String { "\(resumes), \(isSameBoot ? "the same" : "another") boot, reconnects: \(reconnects)" }
  }

  static let starts = [
    Start(resumes: .restart, isSameBoot: true, comesUp: true),
    Start(resumes: .restart, isSameBoot: false, refusal: "rebooted since", comesUp: false),
    Start(resumes: .boot, isSameBoot: true, comesUp: true),
    Start(resumes: .boot, isSameBoot: false, comesUp: true),
    Start(resumes: .off, isSameBoot: true, comesUp: false),
    Start(resumes: .off, isSameBoot: false, comesUp: false),
    Start(resumes: .boot, isSameBoot: true, reconnects: false, comesUp: false),
  ]

  @Test("Whether it comes up follows from the settings and the machine's start", arguments: starts)
  func settings(start: Start) async throws {
    try await NoteFolder.with { notes in
      try await Self.connected(notes)
      let fixture = Self.later(
        notes, boot: start.isSameBoot ? "b1" : "b2", resumes: start.resumes, reconnects: start.reconnects)
      try await fixture.run { port in
        // Behind the first look at the note.
        await fixture.wakeUntil { $0.bearer.resumption != nil || notes.names.isEmpty }
        if start.comesUp {
          await fixture.wakeUntil { $0.bearer.state.installed != nil }
          #expect(notes.text(of: notes.names[0]).contains(start.isSameBoot ? "b1" : "b2"))
        } else {
          #expect(notes.names == [])
          #expect(await port.state.bearer.nextAttempt == nil)
          #expect(await !fixture.backend.calls.contains { $0.hasPrefix("connect") })
        }
        if let refusal = start.refusal {
          guard case .refused(let text) = await port.state.bearer.resumption else {
            Issue.record("\(String(describing: await port.state.bearer.resumption))")
            return
          }
          #expect(text.contains(refusal))
        }
      }
    }
  }

  @Test("With another SIM it stays down, until its own is back")
  func anotherSIM() async throws {
    try await NoteFolder.with { notes in
      try await Self.connected(notes)
      let fixture = Self.later(notes) { $0.sim.iccid = ICCID("8944110012345678999") }
      try await fixture.run { port in
        await fixture.until { $0.bearer.resumption == .refused("another SIM is in the modem") }
        #expect(await port.state.bearer.nextAttempt == nil)
        await fixture.backend.change { $0.sim.state = .absent }
        fixture.backend.say(.simChanged)
        await fixture.until { $0.bearer.resumption == .pending("the SIM is absent") }
        await fixture.backend.change {
          $0.sim.state = .ready
          $0.sim.iccid = ICCID("8944110012345678901")
        }
        fixture.backend.say(.simChanged)
        await fixture.wakeUntil { $0.bearer.state.installed != nil }
        #expect(await port.state.bearer.resumption == .resumed)
      }
    }
  }

  @Test("A SIM that was changed while the port runs does not pay for it either")
  func changedSIM() async throws {
    try await NoteFolder.with { notes in
      let fixture = Self.later(notes)
      try await fixture.run { port in
        _ = try await port.connect(Self.request)
        await fixture.backend.change { $0.sim = SIMStatus(state: .absent) }
        fixture.backend.say(.simChanged)
        await fixture.until { $0.bearer.nextAttempt != nil }
        await fixture.backend.change { $0.sim = SIMStatus(state: .ready, iccid: ICCID("8944110012345678999")) }
        fixture.backend.say(.simChanged)
        await fixture.wakeUntil { $0.bearer.resumption == .refused("another SIM is in the modem") }
        #expect(await fixture.backend.calls.filter { $0.hasPrefix("connect") }.count == 1)
        #expect(await port.state.bearer.nextAttempt == nil)
        // Whoever asks for it with this SIM gets it, and it is this one's from then on.
        let status = try await port.connect(BearerRequest(apn: "second", isKept: true))
        #expect(status.resumption == nil && notes.text(of: notes.names[0]).contains("second"))
      }
    }
  }

  /// The SIM is read anew on the way to a bearer: what it turns out to be counts.
  @Test("A SIM that shows itself as another one during the attempt does not pay for it")
  func lateSIM() async throws {
    try await NoteFolder.with { notes in
      let fixture = Self.later(notes)
      try await fixture.run { port in
        _ = try await port.connect(Self.request)
        await fixture.backend.change { $0.sim = SIMStatus(state: .initialising) }
        fixture.backend.say(.simChanged)
        await fixture.until { $0.sim.state == .initialising }
        fixture.backend.say(.bearerDropped(.session(36)))
        await fixture.until { $0.bearer.nextAttempt != nil }
        // Nobody is told of this one: the attempt itself asks.
        await fixture.backend.change { $0.sim = SIMStatus(state: .ready, iccid: ICCID("8944110012345678999")) }
        await fixture.wakeUntil { $0.bearer.resumption == .refused("another SIM is in the modem") }
        #expect(await fixture.backend.calls.filter { $0.hasPrefix("connect") }.count == 1)
        #expect(await port.state.bearer.nextAttempt == nil)
      }
    }
  }

  @Test("It waits for the SIM's PIN")
  func locked() async throws {
    try await NoteFolder.with { notes in
      try await Self.connected(notes)
      let fixture = Self.later(notes) {
        $0.sim.state = .pinRequired
        $0.sim.retriesLeft = 3
      }
      try await fixture.run { port in
        await fixture.until { $0.bearer.resumption == .pending("the SIM is pinRequired") }
        _ = try await port.unlock(with: #require(PIN("1234")))
        await fixture.wakeUntil { $0.bearer.state.installed != nil }
      }
    }
  }

  @Test("What was disconnected does not come back, nor what was written down of a modem that is away")
  func disconnected() async throws {
    try await NoteFolder.with { notes in
      let fixture = Self.later(notes)
      try await fixture.run { port in
        _ = try await port.connect(Self.request)
        #expect(notes.names.count == 1)
        _ = await port.disconnect()
        #expect(notes.names == [])
      }
      try await Self.connected(notes)
      // The control port cannot be opened: it is not known which modem it is.
      let away = Self.later(notes) { $0.openError = ModemError(.deviceUnavailable, "no answer") }
      let life = Task { await away.port.run() }
      await away.until { $0.fault?.cause.contains("no answer") == true }
      #expect(notes.names.count == 1)
      _ = await away.port.disconnect()
      #expect(notes.names == [])
      life.cancel()
      await life.value
    }
  }

  @Test("A modem that says who it is only after Disconnect is not brought up, and its note goes")
  func disconnectedBefore() async throws {
    try await NoteFolder.with { notes in
      try await Self.connected(notes)
      let isAway = Mutexed(true)
      let fixture = Self.later(notes, device: "/dev/moved") { backend in
        if isAway.value { backend.openError = ModemError(.deviceUnavailable, "no answer") }
      }
      let life = Task { await fixture.port.run() }
      await fixture.until { $0.fault?.cause.contains("no answer") == true }
      _ = await fixture.port.disconnect()
      #expect(notes.names.count == 1)
      isAway.change { $0 = false }
      await fixture.wakeUntil { $0.registration.state != .unknown && notes.names.isEmpty }
      #expect(await fixture.port.state.bearer.nextAttempt == nil)
      life.cancel()
      await life.value
    }
  }

  @Test("Without its user name and password it stays down, and says why")
  func credentials() async throws {
    try await NoteFolder.with { notes in
      try await Self.connected(
        notes, BearerRequest(apn: "internet", user: "me", password: APNPassword("swordfish"), isKept: true))
      let fixture = Self.later(notes)
      try await fixture.run { port in
        await fixture.until { $0.bearer.resumption != nil }
        guard case .refused(let text) = await port.state.bearer.resumption else {
          Issue.record("it is resumed")
          return
        }
        #expect(text.contains("user name or password"))
        #expect(await port.state.bearer.nextAttempt == nil)
      }
    }
  }

  @Test("A damaged note costs nothing but itself")
  func damaged() async throws {
    try await NoteFolder.with { notes in
      try await Self.connected(notes)
      let name = notes.names[0]
      notes.write(Array(#"{"version":1,"modem":7}"#.utf8), to: name)
      let fixture = Self.later(notes)
      try await fixture.run { port in
        await fixture.until { $0.bearer.resumption != nil }
        guard case .refused(let text) = await port.state.bearer.resumption else {
          Issue.record("it is resumed")
          return
        }
        #expect(text.contains(name))
        let status = try await port.connect(Self.request)
        #expect(status.resumption == nil)
        #expect(notes.text(of: name).contains("internet"))
      }
    }
  }

  @Test("A second Connect does not change what the bearer that is up was asked for")
  func secondRequest() async throws {
    try await NoteFolder.with { notes in
      let fixture = Self.later(notes)
      try await fixture.run { port in
        _ = try await port.connect(Self.request)
        _ = try await port.connect(BearerRequest(apn: "second", isKept: true))
        #expect(notes.text(of: notes.names[0]).contains(#""apn":"internet""#))
      }
    }
  }
}
