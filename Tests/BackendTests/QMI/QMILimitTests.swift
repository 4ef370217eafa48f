import ModemModel
import QMIBackend
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A command to a QMI modem` {
  private typealias Request = ScriptedQMIModem.Request

  /// DMS Get Manufacturer: the first command of `identity()`.
  private static func isCommand(_ request: Request) -> Bool { request.service == 2 }

  @Test func `ends at its time limit, to the millisecond`() async throws {
    let script: @Sendable (Request) -> [ScriptedQMIModem.Act] = { request in
      switch request.message {
      case 0x2f: [.reply(QMIField.locked())]
      case 0x26: []
      default: [.usual]
      }
    }
    try await withQMI(limits: .init(query: .seconds(20), pin: .milliseconds(150)), script: script) { backend, _ in
      let start = ContinuousClock.now
      #expect(await modemError { try await backend.unlock(with: PIN("1234")!) }?.code == .timeout)
      #expect((.milliseconds(150)..<(.seconds(15))).contains(ContinuousClock.now - start))
    }
  }

  @Test func `ends when its task is cancelled, and the next one works`() async throws {
    try await withQMI { request in
      guard Self.isCommand(request) else { return [.usual] }
      return request.message == 0x21 && request.earlier == 0 ? [] : [.reply([1: Array("Maker".utf8)])]
    } _: { backend, modem in
      let asking = Task { await modemError { try await backend.identity() } }
      for await request in modem.requests where Self.isCommand(request) { break }
      asking.cancel()
      #expect(await asking.value?.code == .cancelled)
      let maker = try await backend.identity().manufacturer
      #expect(maker == "Maker")
    }
  }

  @Test func `ends at once when the modem is unplugged`() async throws {
    let start = ContinuousClock.now
    try await withQMI(limits: .init(query: .seconds(50)), script: { Self.isCommand($0) ? [.hangUp] : [.usual] }) {
      backend, _ in
      let error = await modemError { try await backend.identity() }
      #expect(error?.code == .removed)
    }
    #expect(ContinuousClock.now - start < .seconds(40))
  }

  @Test func `ends at once when the port is closed, and leaves no client id behind`() async throws {
    try await withQMI(limits: .init(query: .seconds(50)), script: { Self.isCommand($0) ? [] : [.usual] }) {
      backend, modem in
      async let error = modemError { try await backend.identity() }
      for await request in modem.requests where Self.isCommand(request) { break }
      await backend.close()
      #expect(await error?.code == .cancelled)
      #expect(await modem.clients.isEmpty)
    }
  }

  @Test func `waits for its turn among 200`() async throws {
    try await withQMI(waiting: 200, script: { Self.isCommand($0) ? [.reply([1: Array("Maker".utf8)])] : [.usual] }) {
      backend, _ in
      try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<200 { group.addTask { try await backend.identity().manufacturer } }
        for try await maker in group { #expect(maker == "Maker") }
      }
    }
  }

  @Test func `is refused when too many wait`() async throws {
    try await withQMI(limits: .init(query: .seconds(50)), waiting: 10, script: { Self.isCommand($0) ? [] : [.usual] }) {
      backend, modem in
      try await withThrowingTaskGroup(of: ModemError.Code?.self) { group in
        for _ in 0..<30 { group.addTask { await modemError { try await backend.identity() }?.code } }
        // 7 on their way and 10 waiting: one place is the control service's.
        for _ in 0..<13 { #expect(try await group.next() == .busy) }
        await modem.hangUp()
        for try await code in group { #expect(code == .removed) }
      }
    }
  }

  @Test(
    arguments: [
      (3, .failed), (7, .deviceUnavailable), (23, .busy), (37, .simNotReady), (53, .notRegistered), (71, .notSupported),
      (82, .failed), (93, .notRegistered), (94, .notSupported), (102, .simAbsent), (104, .simLocked), (4242, .failed),
    ] as [(UInt16, ModemError.Code)])
  func `that the modem refuses says why`(refusal: UInt16, code: ModemError.Code) async throws {
    try await withQMI(script: { $0.message == 0x2f ? [.refuse(refusal)] : [.usual] }) { backend, _ in
      let error = await modemError { try await backend.simStatus() }
      #expect(error?.code == code)
      #expect(error?.message.contains("\(refusal)") == true)
    }
  }

  @Test func `whose answer has no result cannot be read`() async throws {
    try await withQMI(script: { $0.message == 0x2f ? [.reply([2: [0, 0]])] : [.usual] }) { backend, _ in
      #expect(await modemError { try await backend.simStatus() }?.code == .badReply)
    }
  }
}
