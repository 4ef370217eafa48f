import EAPAKA
import Glibc
import ModemModel
import Testing

@testable import ModemPort

/// How often a port asks its SIM, whatever happens to the port, its files and its clocks.
@Suite(.timeLimit(.minutes(1))) struct `The limits of logins in a port` {
  private static let noon: Int64 = 1_700_000_000_000

  private static func moment(_ seconds: Int64, boot: String = "a", time: Int64? = nil) -> CardCalls.Moment {
    CardCalls.Moment(
      boot: boot, sinceBoot: seconds * 1000, time: Timestamp(milliseconds: noon + (time ?? seconds) * 1000))
  }

  /// How often a port's SIM may be asked until it is refused, and the refusal.
  private func spend(
    _ login: RecordedLogin, in path: String, at moment: CardCalls.Moment, perDay: Int = 100, most: Int = 10
  ) async throws -> (count: Int, refusal: EAPFault?) {
    let fixture = await LoginFixture(perDay: perDay, calls: CardCallFolder(path: path), at: moment)
    let end = Mutexed<(count: Int, refusal: EAPFault?)>((0, nil))
    try await fixture.run { port in
      await fixture.backend.change { $0.card = login.card }
      var count = 0
      do {
        while count < most {
          _ = try await port.answer(login)
          count += 1
        }
        let result = count
        end.change { $0 = (result, nil) }
      } catch let fault as EAPFault {
        let result = count
        end.change { $0 = (result, fault) }
      }
      #expect(await fixture.backend.challenges == count)
    }
    return end.value
  }

  @Test func `six in a minute, over restarts`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    try await withCallFolder { path in
      let first = try await spend(login, in: path, at: Self.moment(0), most: 4)
      #expect(first.count == 4 && first.refusal == nil)
      let second = try await spend(login, in: path, at: Self.moment(10))
      #expect(second.count == 2 && second.refusal == .tooMany(limit: 6, retryAfter: .seconds(50)))
      let third = try await spend(login, in: path, at: Self.moment(59))
      #expect(third.count == 0 && third.refusal == .tooMany(limit: 6, retryAfter: .seconds(1)))
      let fourth = try await spend(login, in: path, at: Self.moment(60))
      #expect(fourth.count == 4)
    }
  }

  @Test func `a configured number within a day, over restarts and reboots`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    try await withCallFolder { path in
      #expect(try await spend(login, in: path, at: Self.moment(0), perDay: 3, most: 2).count == 2)
      let reboot = try await spend(login, in: path, at: Self.moment(5, boot: "b", time: 3600), perDay: 3)
      #expect(reboot.count == 1 && reboot.refusal == .tooMany(limit: 3, retryAfter: .seconds(86_400 - 3600)))
      // The clock was set back by a year, then forward by two: neither gives a call.
      let back = try await spend(login, in: path, at: Self.moment(5, boot: "c", time: -31_536_000), perDay: 3)
      #expect(back.count == 0)
      let forward = try await spend(login, in: path, at: Self.moment(15, boot: "c", time: 31_536_000), perDay: 3)
      #expect(forward.count == 0 && forward.refusal == .tooMany(limit: 3, retryAfter: .seconds(86_400 - 3610)))
    }
  }

  @Test func `a damaged record lets nothing through for a day, and says what to do`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    try await withCallFolder { path in
      _ = try await spend(login, in: path, at: Self.moment(0), most: 1)
      let file = "\(path)/\(try #require(callFiles(in: path).first))"
      #expect(truncate(file, 20) == 0)
      let damaged = try await spend(login, in: path, at: Self.moment(100))
      #expect(damaged.count == 0 && damaged.refusal == .tooMany(limit: 100, retryAfter: .seconds(86_400)))
      #expect(try await spend(login, in: path, at: Self.moment(86_499)).count == 0)
      #expect(try await spend(login, in: path, at: Self.moment(86_500), most: 1).count == 1)
    }
  }

  @Test func `the call is on disk before the SIM is asked`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    try await withCallFolder { path in
      let fixture = await LoginFixture(calls: CardCallFolder(path: path))
      let seen = Mutexed<[UInt8]>([])
      try await fixture.run { port in
        await fixture.backend.change { backend in
          backend.card = { challenge in
            // What a kill at this moment would leave.
            let file = "\(path)/\(callFiles(in: path).first ?? "")"
            guard let opened = fopen(file, "re") else { return .refused }
            var bytes = [UInt8](repeating: 0, count: 4096)
            let content = Array(bytes[..<fread(&bytes, 1, bytes.count, opened)])
            fclose(opened)
            seen.change { $0 = content }
            return try await login.card(challenge)
          }
        }
        _ = try await port.answer(login)
      }
      var calls = try CardCalls(text: seen.value)
      #expect(calls.refusal(.init(perDay: 1)) != nil)
      calls.advance(to: .init(boot: "a", sinceBoot: 86_400_000, time: Timestamp(milliseconds: 0)))
      #expect(calls.refusal(.init(perDay: 1)) == nil)
    }
  }

  @Test func `what cannot be recorded is not done`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture(calls: CardCallFolder(path: "/proc/modemd-no-such-folder"))
    try await fixture.run { port in
      let error = await #expect(throws: ModemError.self) { try await port.answer(login) }
      #expect(error?.message.contains("is not done without") == true)
      #expect(await fixture.backend.challenges == 0)
    }
  }

  @Test func `with 0 a day, the SIM is never asked, and the setting is named`() async throws {
    let fixture = await LoginFixture(perDay: 0)
    try await fixture.run { port in
      let fault = await #expect(throws: EAPFault.self) { try await port.beginEAP(EAPLoginRequest(.aka)) }
      #expect(fault?.description.contains("sim.authenticationsPerDay is 0") == true)
      var settings = ModemSettings()
      settings.authenticationsPerDay = 1
      #expect(await port.change(to: settings) == [])
      _ = try await port.beginEAP(EAPLoginRequest(.aka))
    }
  }

  @Test func `a second SIM has its own limit, and the first one's stays`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture()
    try await fixture.run { port in
      await fixture.backend.change { $0.card = login.card }
      for _ in 0..<6 { _ = try await port.answer(login) }
      await #expect(throws: EAPFault.self) { try await port.answer(login) }
      await fixture.backend.change { $0.sim.iccid = ICCID("8988211000000999999") }
      _ = try await port.refresh()
      #expect(try await port.answer(login).event == .response)
      await fixture.backend.change { $0.sim = RecordedLogin.sim }
      _ = try await port.refresh()
      await #expect(throws: EAPFault.self) { try await port.answer(login) }
      fixture.advance(by: 60)
      #expect(try await port.answer(login).event == .response)
    }
  }

  @Test func `one login asks the SIM twice at most`() throws {
    var logins = EAPLogins()
    let peer = EAPPeer(.init(.aka, permanent: EAPIdentity("0@a"))) { Array(repeating: 0, count: $0) }
    try logins.begin(peer, as: "a", keptName: nil, end: .init(.seconds(1)), timer: Task {})
    var counted = [logins.countChallenge(of: "a")]
    _ = try logins.take("a", at: .init(.zero))
    for _ in 0..<3 { counted.append(logins.countChallenge(of: "a")) }
    counted.append(logins.countChallenge(of: "b"))
    #expect(counted == [false, true, true, false, false])
  }

  @Test func `no line of the log has anything of the subscriber`() async throws {
    guard let login = try RecordedLogin.read(.aka) else { return }
    let fixture = await LoginFixture(perDay: 2)
    try await fixture.run { port in
      await fixture.backend.change { $0.card = login.card }
      let id = try await port.beginEAP(EAPLoginRequest(.aka)).id
      try await port.answer(login, as: id)
      await fixture.backend.change { $0.card = { _ in .refused } }
      _ = try await port.answer(login)
      await #expect(throws: EAPFault.self) { try await port.answer(login) }
      await fixture.backend.change { $0.sim = SIMStatus(state: .absent) }
      _ = try await port.refresh()
      let lines = fixture.log.lines.value
      #expect(lines.contains { $0.hasPrefix("info SIM authentication: begun (aka)") })
      for event in ["identity", "response", "rejected"] {
        #expect(lines.contains { $0.hasPrefix("info SIM authentication: \(event)") }, "\(event)")
      }
      #expect(lines.contains { $0.hasPrefix("warning SIM authentication") && $0.contains("2 times within a day") })
      let secrets =
        [
          "001010123456063", "8988211000000123456", id, Hexadecimal.text(of: login.response.res.revealed),
          Hexadecimal.text(of: login.response.ck.revealed), Hexadecimal.text(of: login.challenge.rand),
        ] + login.server.map { Hexadecimal.text(of: $0) }
      for line in lines {
        for secret in secrets { #expect(!line.lowercased().contains(secret.lowercased()), "\(line)") }
      }
    }
  }
}
