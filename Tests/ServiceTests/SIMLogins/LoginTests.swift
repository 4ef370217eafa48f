import ClockTestSupport
import Glibc
import ModemModel
import Testing

@testable import ModemPort

/// Logins of the SIM in a port, with a real peer and a SIM whose answers were recorded.
@Suite(.timeLimit(.minutes(1))) struct `Logins in a port` {
  @Test(arguments: EAPMethod.allCases) func `a whole exchange is answered byte by byte`(method: EAPMethod) async throws
  {
    guard let login = try RecordedLogin.read(method) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      await fixture.backend.change { backend in
        backend.card = login.card
        backend.group = .success([0x5A, 0x01])
      }
      let begun = try await port.beginEAP(EAPLoginRequest(method))
      #expect(begun.identity.revealed == login.identity && begun.groupIdentifier == [0x5A, 0x01])
      #expect(begun.id.utf8.count == 32 && Hexadecimal.bytes(of: begun.id) != nil)
      #expect(await fixture.backend.challenges == 0)
      let identity = try await port.answerEAP(login.server[0], of: begun.id)
      #expect(identity.event == .identity && identity.packet == login.peer[0])
      let response = try await port.answerEAP(login.server[1], of: begun.id)
      #expect(response.event == .response && response.packet == login.peer[1])
      #expect(await fixture.backend.challenges == 1)
    }
  }

  @Test func `a SIM that refuses, and one that is ahead, are told`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      await fixture.backend.change { $0.card = { _ in .refused } }
      let refused = try await port.answer(login)
      #expect(refused.event == .rejected)
      await fixture.backend.change { $0.card = { _ in .synchronise(AUTS(Array(repeating: 7, count: 14))!) } }
      #expect(try await port.answer(login).event == .synchronisation)
      #expect(await fixture.backend.challenges == 2)
    }
  }

  @Test func `RES stays here if the server has not the keys`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      await fixture.backend.change { $0.card = login.card }
      let id = try await port.beginEAP(EAPLoginRequest(.aka)).id
      _ = try await port.answerEAP(login.server[0], of: id)
      var forged = login.server[1]
      forged[forged.count - 1] ^= 1
      let reply = try await port.answerEAP(forged, of: id)
      #expect(reply.event == .refused)
      let res = login.response.res.revealed
      let packet = reply.packet ?? []
      #expect(!(0..<max(packet.count - res.count, 0)).contains { Array(packet[$0..<$0 + res.count]) == res })
    }
  }

  // MARK: Identity

  @Test(arguments: [
    ("26", "001", EAPMethod.aka, "0001260123456789@nai.epc.mnc026.mcc001.3gppnetwork.org"),
    ("260", "001", .aka, "0001260123456789@nai.epc.mnc260.mcc001.3gppnetwork.org"),
    ("26", "001", .akaPrime, "6001260123456789@nai.epc.mnc026.mcc001.3gppnetwork.org"),
  ]) func `the identity has the home network's realm`(
    mnc: String, mcc: String, method: EAPMethod, identity: String
  ) async throws {
    let sim = SIMStatus(
      state: .ready, iccid: ICCID("8988211000000123456"), imsi: IMSI("001260123456789"),
      home: Network(PLMN(mcc: mcc, mnc: mnc)!))
    try await LoginFixture(sim).run { port in
      #expect(try await port.beginEAP(EAPLoginRequest(method)).identity.revealed == identity)
      let given = try await port.beginEAP(EAPLoginRequest(method, realm: "aaa.example.org"))
      #expect(given.identity.revealed == identity.prefix(16) + "@aaa.example.org")
    }
  }

  @Test func `a home network that is not certain is not guessed`() async throws {
    var sim = RecordedLogin.sim
    sim.home = nil
    try await LoginFixture(sim).run { port in
      let fault = await #expect(throws: EAPFault.self) { try await port.beginEAP(EAPLoginRequest(.aka)) }
      guard case .notSupported(let text) = fault else { throw ModemError(.failed, "\(String(describing: fault))") }
      #expect(text.contains("home network is not certain") && text.contains("realm"))
      #expect(
        try await port.beginEAP(EAPLoginRequest(.aka, realm: "a.example")).identity.revealed
          == "0001010123456063@a.example")
    }
  }

  @Test(arguments: ["", "12345", "1234567890123456", "00101012345606x", "００１０１０１２３４５６０６３"])
  func `what is no IMSI goes to nobody`(imsi: String) async throws {
    var sim = RecordedLogin.sim
    sim.imsi = IMSI(imsi)
    try await LoginFixture(sim).run { port in
      await #expect(throws: ModemError.self) { try await port.beginEAP(EAPLoginRequest(.aka)) }
    }
  }

  @Test(arguments: [
    (SIMStatus.State.absent, ModemError.Code.simAbsent), (.pinRequired, .simLocked), (.pukRequired, .simLocked),
    (.initialising, .simNotReady), (.notActivated, .simNotReady), (.failed, .simNotReady), (.unknown, .simNotReady),
  ]) func `a SIM that is not ready begins no login`(state: SIMStatus.State, code: ModemError.Code) async throws {
    let fixture = await LoginFixture()
    try await fixture.run { port in
      await fixture.backend.change { $0.sim = SIMStatus(state: state) }
      _ = try await port.refresh()
      let error = await #expect(throws: ModemError.self) { try await port.beginEAP(EAPLoginRequest(.aka)) }
      #expect(error?.code == code)
      #expect(await fixture.backend.challenges == 0)
    }
  }

  @Test(arguments: [
    "", ".", "a.", ".a", "a..b", "-a.b", "a-.b", "a_b", "a b", "a@b", "a/b", "ä.org", "a\n", "a\0b",
    String(repeating: "a", count: 64), String(repeating: "a.", count: 127),
  ]) func `a realm that is no host's name is refused`(realm: String) {
    #expect(EAPLoginRequest(.aka, realm: realm).flaw == "realm")
  }

  @Test func `fields that can be used are used`() {
    let long = String(repeating: "abcdefg.", count: 31) + "org"
    for realm in ["a", "nai.epc.mnc001.mcc001.3gppnetwork.org", "A-1.b", long] {
      #expect(EAPLoginRequest(.aka, realm: realm).flaw == nil, "\(realm)")
    }
    for name in ["WLAN", "5G:mnc001.mcc001.3gppnetwork.org", " ", String(repeating: "n", count: 255)] {
      #expect(EAPLoginRequest(.akaPrime, networkName: name).flaw == nil, "\(name)")
    }
    for name in ["", "WLÄN", "a\u{7F}", "a\n", String(repeating: "n", count: 256)] {
      #expect(EAPLoginRequest(.akaPrime, networkName: name).flaw == "networkName", "\(name)")
    }
  }

  @Test func `GID1 is read once for a SIM, and its failure is not the login's`() async throws {
    let fixture = await LoginFixture()
    try await fixture.run { port in
      await fixture.backend.change { $0.group = .failure(ModemError(.timeout, "no answer")) }
      #expect(try await port.beginEAP(EAPLoginRequest(.aka)).groupIdentifier == nil)
      await fixture.backend.change { $0.group = .success([1]) }
      #expect(try await port.beginEAP(EAPLoginRequest(.aka)).groupIdentifier == [1])
      await fixture.backend.change { $0.group = .success([2]) }
      #expect(try await port.beginEAP(EAPLoginRequest(.aka)).groupIdentifier == [1])
      await fixture.backend.change { $0.sim.iccid = ICCID("8988211000000999999") }
      _ = try await port.refresh()
      #expect(try await port.beginEAP(EAPLoginRequest(.aka)).groupIdentifier == [2])
    }
  }

  // MARK: Lives

  @Test func `ids are not guessed, and an unknown one is told`() async throws {
    try await LoginFixture().run { port in
      var ids: Set<String> = []
      for _ in 0..<20 { ids.insert(try await port.beginEAP(EAPLoginRequest(.aka)).id) }
      #expect(ids.count == 20)
      for id in ["", "0", String(repeating: "0", count: 32)] {
        await #expect(throws: EAPFault.unknownLogin) { try await port.answerEAP([1], of: id) }
      }
    }
  }

  @Test func `a login ends after two minutes, and its keys with it`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      let id = try await port.beginEAP(EAPLoginRequest(.aka)).id
      await fixture.clock.asleep()
      fixture.clock.advance(by: .seconds(119))
      #expect(try await port.answerEAP(login.server[0], of: id).event == .identity)
      #expect(await port.authentication.logins.count == 1)
      fixture.clock.advance(by: .seconds(1))
      // By itself: nobody has to come for that.
      while await port.authentication.logins.count > 0 { await Task.yield() }
      await #expect(throws: EAPFault.unknownLogin) { try await port.answerEAP(login.server[1], of: id) }
      #expect(await fixture.backend.challenges == 0)
    }
  }

  @Test func `with a ninth login, the one goes that was idle for longest`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    try await LoginFixture().run { port in
      var ids: [String] = []
      for _ in 0..<8 { ids.append(try await port.beginEAP(EAPLoginRequest(.aka)).id) }
      // The first is used, so the second is the one.
      _ = try await port.answerEAP(login.server[0], of: ids[0])
      ids.append(try await port.beginEAP(EAPLoginRequest(.aka)).id)
      #expect(await port.authentication.logins.count == 8)
      await #expect(throws: EAPFault.unknownLogin) { try await port.answerEAP(login.server[0], of: ids[1]) }
      for id in [ids[0], ids[2], ids[8]] { #expect(try await port.answerEAP(login.server[0], of: id).packet != nil) }
    }
  }

  @Test func `the end of the exchange ends the login`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      await fixture.backend.change { $0.card = { _ in .refused } }
      let id = try await port.beginEAP(EAPLoginRequest(.aka)).id
      try await port.answer(login, as: id)
      let end = try await port.answerEAP([4, login.server[1][1], 0, 4], of: id)
      #expect(end.event == .failure && end.packet == nil)
      await #expect(throws: EAPFault.unknownLogin) { try await port.answerEAP([4, 2, 0, 4], of: id) }
    }
  }

  @Test(arguments: [
    SIMStatus(state: .absent), SIMStatus(state: .initialising), SIMStatus(state: .pinRequired),
    SIMStatus(
      state: .ready, iccid: ICCID("8988211000000999999"), imsi: RecordedLogin.sim.imsi, home: RecordedLogin.sim.home),
    SIMStatus(
      state: .ready, iccid: RecordedLogin.sim.iccid, imsi: IMSI("001010999999999"), home: RecordedLogin.sim.home),
  ]) func `another SIM, or none that is ready, ends all logins`(sim: SIMStatus) async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      let id = try await port.beginEAP(EAPLoginRequest(.aka)).id
      await fixture.backend.change { $0.sim = sim }
      fixture.backend.say(.simChanged)
      await fixture.until { $0.sim != RecordedLogin.sim }
      await #expect(throws: EAPFault.unknownLogin) { try await port.answerEAP(login.server[1], of: id) }
      #expect(await fixture.backend.challenges == 0)
    }
  }

  @Test func `a SIM that changes while it answers gives nothing away`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      let gate = Gate()
      await fixture.backend.change { backend in
        backend.card = { challenge in
          for await _ in gate.opening {}
          return try await login.card(challenge)
        }
      }
      let id = try await port.beginEAP(EAPLoginRequest(.aka)).id
      _ = try await port.answerEAP(login.server[0], of: id)
      let answer = Task { try await port.answerEAP(login.server[1], of: id) }
      try await fixture.untilAsked(1)
      await fixture.backend.change { $0.sim.imsi = IMSI("001010999999999") }
      _ = try await port.refresh()
      gate.open()
      await #expect(throws: EAPFault.unknownLogin) { try await answer.value }
    }
  }

  @Test func `a switch of the slot ends logins, and none begins meanwhile`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      let gate = Gate()
      await fixture.backend.change { $0.slotGate = gate.opening }
      let id = try await port.beginEAP(EAPLoginRequest(.aka)).id
      _ = try await port.answerEAP(login.server[0], of: id)
      let switching = Task { try await port.switchSlot(to: 2) }
      while await !fixture.backend.calls.contains("slot 2") { await Task.yield() }
      // The modem may have the other SIM already.
      let late = await #expect(throws: ModemError.self) { try await port.answerEAP(login.server[1], of: id) }
      #expect(late?.code == .simNotReady)
      let early = await #expect(throws: ModemError.self) { try await port.beginEAP(EAPLoginRequest(.aka)) }
      #expect(early?.code == .simNotReady)
      gate.open()
      _ = try await switching.value
      await #expect(throws: EAPFault.unknownLogin) { try await port.answerEAP(login.server[1], of: id) }
      #expect(await fixture.backend.challenges == 0)
    }
  }

  @Test func `a control port that closes ends logins`() async throws {
    let fixture = await LoginFixture()
    try await fixture.run { port in
      _ = try await port.beginEAP(EAPLoginRequest(.aka))
      #expect(await port.authentication.logins.count == 1)
      fixture.backend.say(.removed)
      await fixture.until { $0.fault != nil }
      #expect(await port.authentication.logins.isEmpty)
    }
  }

  // MARK: One at a time

  @Test func `the SIM is asked by one at a time, and each gets its answer`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    let (running, most) = (Mutexed(0), Mutexed(0))
    try await fixture.run { port in
      await fixture.backend.change { backend in
        backend.card = { challenge in
          running.change { $0 += 1 }
          let now = running.value
          most.change { $0 = max($0, now) }
          for _ in 0..<20 { await Task.yield() }
          running.change { $0 -= 1 }
          return try await login.card(challenge)
        }
      }
      try await withThrowingTaskGroup(of: EAPReply.self) { group in
        for _ in 0..<6 { group.addTask { try await port.answer(login) } }
        for try await reply in group { #expect(reply.event == .response) }
      }
      #expect(await fixture.backend.challenges == 6)
      #expect(most.value == 1)
    }
  }

  @Test func `a second packet while the first is answered is refused, and the first is answered`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      let gate = Gate()
      await fixture.backend.change { backend in
        backend.card = { challenge in
          for await _ in gate.opening {}
          return try await login.card(challenge)
        }
      }
      let id = try await port.beginEAP(EAPLoginRequest(.aka)).id
      _ = try await port.answerEAP(login.server[0], of: id)
      let first = Task { try await port.answerEAP(login.server[1], of: id) }
      try await fixture.untilAsked(1)
      let second = await #expect(throws: ModemError.self) { try await port.answerEAP(login.server[1], of: id) }
      #expect(second?.code == .busy)
      gate.open()
      #expect(try await first.value.packet == login.peer[1])
      #expect(await fixture.backend.challenges == 1)
    }
  }

  @Test func `eight that wait for the SIM leave no place for a ninth`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      let gate = Gate()
      await fixture.backend.change {
        $0.card = { _ in
          for await _ in gate.opening {}
          return .refused
        }
      }
      var answers: [Task<EAPReply, any Error>] = []
      for count in 1...8 {
        let id = try await port.beginEAP(EAPLoginRequest(.aka)).id
        _ = try await port.answerEAP(login.server[0], of: id)
        answers.append(Task { try await port.answerEAP(login.server[1], of: id) })
        while await !port.authentication.logins.isAnswering(id) { await Task.yield() }
        #expect(await port.authentication.logins.count == count)
      }
      let error = await #expect(throws: ModemError.self) { try await port.beginEAP(EAPLoginRequest(.aka)) }
      #expect(error?.code == .busy)
      gate.open()
      var (answered, refused) = (0, 0)
      for answer in answers {
        switch await answer.result {
        case .success: answered += 1
        case .failure(let error): if case .tooMany(6, _)? = error as? EAPFault { refused += 1 }
        }
      }
      #expect(answered == 6 && refused == 2)
      #expect(await fixture.backend.challenges == 6)
    }
  }

  @Test func `a caller who leaves ends the login; the call counts, and the next one waits for it`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let calls = CardCallsInProcess()
    let fixture = await LoginFixture(perDay: 2, calls: calls)
    try await fixture.run { port in
      let gate = Gate()
      await fixture.backend.change { backend in
        backend.card = { challenge in
          for await _ in gate.opening {}
          return try await login.card(challenge)
        }
      }
      let id = try await port.beginEAP(EAPLoginRequest(.aka)).id
      _ = try await port.answerEAP(login.server[0], of: id)
      let leaving = Task { try await port.answerEAP(login.server[1], of: id) }
      try await fixture.untilAsked(1)
      leaving.cancel()
      while await port.authentication.logins.count > 0 { await Task.yield() }
      let next = Task { try await port.answer(login) }
      while await port.authentication.logins.count == 0 { await Task.yield() }
      #expect(await fixture.backend.challenges == 1)
      gate.open()
      await #expect(throws: EAPFault.unknownLogin) { try await leaving.value }
      #expect(try await next.value.event == .response)
      #expect(await fixture.backend.challenges == 2)
      await #expect(throws: EAPFault.self) { try await port.answer(login) }
      #expect(await fixture.backend.challenges == 2)
    }
  }

  @Test func `a caller who leaves before its turn costs nothing`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      let gate = Gate()
      await fixture.backend.change { backend in
        backend.card = { challenge in
          for await _ in gate.opening {}
          return try await login.card(challenge)
        }
      }
      let first = Task { try await port.answer(login) }
      try await fixture.untilAsked(1)
      let id = try await port.beginEAP(EAPLoginRequest(.aka)).id
      _ = try await port.answerEAP(login.server[0], of: id)
      let leaving = Task { try await port.answerEAP(login.server[1], of: id) }
      while await !port.authentication.logins.isAnswering(id) { await Task.yield() }
      leaving.cancel()
      while await port.authentication.logins.isAnswering(id) { await Task.yield() }
      gate.open()
      #expect(try await first.value.event == .response)
      await #expect(throws: EAPFault.unknownLogin) { try await leaving.value }
      #expect(await fixture.backend.challenges == 1)
    }
  }

  @Test(arguments: [ModemError.Code.timeout, .simLocked, .notSupported, .removed])
  func `a SIM or a modem that cannot answer ends the login`(code: ModemError.Code) async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      await fixture.backend.change { $0.card = { _ in throw ModemError(code, "scripted") } }
      let id = try await port.beginEAP(EAPLoginRequest(.aka)).id
      let error = await #expect(throws: ModemError.self) { try await port.answer(login, as: id) }
      #expect(error?.code == code)
      await #expect(throws: EAPFault.unknownLogin) { try await port.answerEAP(login.server[1], of: id) }
    }
  }

  // MARK: What is kept

  @Test(arguments: EAPMethod.allCases)
  func `a login goes on where another ended, without the SIM, once`(method: EAPMethod) async throws {
    guard let login = try RecordedLogin.read(method) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      await fixture.backend.change { $0.card = login.card }
      let request = EAPLoginRequest(method, reauthenticates: true)
      let first = try await port.beginEAP(request)
      #expect(first.identity.revealed == login.identity)
      #expect(try await port.answer(login, as: first.id).event == .response)
      // Another realm's server must not learn the pseudonym.
      var elsewhere = request
      elsewhere.realm = "other.example"
      #expect(try await port.beginEAP(elsewhere).identity.revealed.hasSuffix("@other.example"))

      let second = try await port.beginEAP(request)
      #expect(second.identity.revealed == login.reauthenticationIdentity)
      #expect(try await port.answerEAP(login.reauthentication, of: second.id).event == .reauthentication)
      #expect(await fixture.backend.challenges == 1)
      // Without the wish for it, the SIM's own identity is used.
      #expect(try await port.beginEAP(EAPLoginRequest(method)).identity.revealed == login.identity)
    }
  }

  @Test func `what was kept for one attempt is given away once`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      await fixture.backend.change { $0.card = login.card }
      let request = EAPLoginRequest(.aka, reauthenticates: true)
      try await port.answer(login, as: try await port.beginEAP(request).id)
      #expect(try await port.beginEAP(request).identity.revealed == login.reauthenticationIdentity)
      // The pseudonym remains.
      let later = try await port.beginEAP(request).identity.revealed
      #expect(later != login.reauthenticationIdentity && later != login.identity)
    }
  }

  @Test func `what was kept goes with the SIM, even if the same one comes back`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      await fixture.backend.change { $0.card = login.card }
      let request = EAPLoginRequest(.aka, reauthenticates: true)
      try await port.answer(login, as: try await port.beginEAP(request).id)
      await fixture.backend.change { $0.sim = SIMStatus(state: .absent) }
      _ = try await port.refresh()
      await fixture.backend.change { $0.sim = RecordedLogin.sim }
      _ = try await port.refresh()
      #expect(try await port.beginEAP(request).identity.revealed == login.identity)
    }
  }
}
