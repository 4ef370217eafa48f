import MBIMBackend
import ModemModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A command to an MBIM modem` {
  private static let caps = Information.deviceCaps(id: "356938035643809")

  @Test func `ends at its time limit, to the millisecond`() async throws {
    try await withMBIM(limits: .init(query: .milliseconds(150)), script: { _ in [] }) { backend, _ in
      let start = ContinuousClock.now
      #expect(await modemError { try await backend.identity() }?.code == .timeout)
      #expect((.milliseconds(150)..<(.seconds(20))).contains(ContinuousClock.now - start))
    }
  }

  @Test func `ends when its task is cancelled, and the next one works`() async throws {
    try await withMBIM(script: { $0.earlier == 0 ? [] : [.reply(Self.caps)] }) { backend, modem in
      let asking = Task { await modemError { try await backend.identity() } }
      for await _ in modem.requests { break }
      asking.cancel()
      #expect(await asking.value?.code == .cancelled)
      let imei = try await backend.identity().imei
      #expect(imei == "356938035643809")
    }
  }

  @Test func `ends at once when the modem is unplugged`() async throws {
    let start = ContinuousClock.now
    try await withMBIM(limits: .init(query: .seconds(50)), script: { _ in [.hangUp] }) { backend, _ in
      let error = await modemError { try await backend.identity() }
      #expect(error?.code == .removed)
    }
    #expect(ContinuousClock.now - start < .seconds(40))
  }

  @Test func `ends at once when the port is closed`() async throws {
    try await withMBIM(limits: .init(query: .seconds(50)), script: { _ in [] }) { backend, modem in
      async let error = modemError { try await backend.identity() }
      for await _ in modem.requests { break }
      await backend.close()
      #expect(await error?.code == .cancelled)
    }
  }

  @Test func `waits for its turn among 200`() async throws {
    try await withMBIM(waiting: 200, script: { _ in [.reply(Self.caps)] }) { backend, _ in
      try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<200 { group.addTask { try await backend.identity().imei } }
        for try await imei in group { #expect(imei == "356938035643809") }
      }
    }
  }

  @Test func `is refused when too many wait, and none is on its way beyond the limit`() async throws {
    try await withMBIM(limits: .init(query: .seconds(50)), waiting: 10, script: { _ in [] }) { backend, modem in
      try await withThrowingTaskGroup(of: ModemError.Code?.self) { group in
        for _ in 0..<30 { group.addTask { await modemError { try await backend.identity() }?.code } }
        for _ in 0..<12 { #expect(try await group.next() == .busy) }
        var requests = modem.requests.makeAsyncIterator()
        for _ in 0..<8 { _ = await requests.next() }
        await modem.hangUp()
        for try await code in group { #expect(code == .removed) }
        await modem.stopListening()
        #expect(await requests.next() == nil)
      }
    }
  }

  @Test(
    arguments: [
      (1, .busy), (2, .failed), (3, .simAbsent), (5, .simLocked), (7, .notRegistered), (9, .notSupported),
      (12, .notConnected), (13, .refused), (14, .simNotReady), (16, .notConnected), (17, .refused),
      (20, .notRegistered),
      (28, .failed), (4242, .failed),
    ] as [(UInt32, ModemError.Code)])
  func `that the modem refuses says why`(status: UInt32, code: ModemError.Code) async throws {
    try await withMBIM(script: { _ in [.reply(status: status)] }) { backend, _ in
      let error = await modemError { try await backend.identity() }
      #expect(error?.code == code)
      #expect(error?.message.contains("\(status)") == true)
    }
  }

  @Test func `survives answers to nothing and answers cut in two`() async throws {
    try await withMBIM(script: { _ in [.reply(status: 0, []), .reply(status: 0, Self.caps), .reply(Self.caps)] }) {
      backend, _ in
      #expect(await modemError { try await backend.identity() }?.code == .badReply)
      #expect(await modemError { try await backend.identity() }?.code == .badReply)
    }
  }
}
