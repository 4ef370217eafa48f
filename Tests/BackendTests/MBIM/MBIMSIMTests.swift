import MBIMBackend
import ModemModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An MBIM modem's SIM` {
  private static let ready = Information.subscriberReady(
    1, imsi: "262011234567890", iccid: "89490200001234567890", numbers: ["+491710000000"])

  private func status(
    ready: [UInt8], pin: [UInt8]? = nil, home: [UInt8]? = nil
  ) async throws -> SIMStatus {
    try await withMBIM { request in
      switch request.cid {
      case CID.subscriberReady: [.reply(ready)]
      case CID.pin: pin.map { [.reply($0)] } ?? [.reply(status: 2)]
      case CID.homeProvider: home.map { [.reply($0)] } ?? [.reply(status: 2)]
      default: []
      }
    } _: { backend, _ in
      try await backend.simStatus()
    }
  }

  @Test func `that is ready tells its identity and numbers`() async throws {
    let status = try await status(ready: Self.ready, home: Information.provider("26201", name: "Telekom.de"))
    #expect(status.state == .ready)
    #expect(status.iccid?.revealed == "89490200001234567890")
    #expect(status.imsi?.revealed == "262011234567890")
    #expect(status.numbers.map(\.revealed) == ["+491710000000"])
    #expect(status.numbers.first?.source == .subscriberReady)
    #expect(status.home?.name == "Telekom.de")
    #expect(status.retriesLeft == nil)
  }

  @Test(arguments: [("26201", "262", "01"), ("310260", "310", "260"), ("310026", "310", "026")])
  func `keeps the digits of its home network`(id: String, mcc: String, mnc: String) async throws {
    let home = try await status(ready: Self.ready, home: Information.provider(id)).home
    #expect(home?.plmn == PLMN(mcc: mcc, mnc: mnc))
    #expect(home?.name == nil)
  }

  @Test(arguments: ["", "2620", "26201x", "2620100"]) func `has the home of its IMSI where the modem names none`(
    id: String
  )
    async throws
  {
    #expect(try await status(ready: Self.ready, home: Information.provider(id)).home == Network(PLMN("26201")!))
  }

  @Test func `is ready even where the modem does not tell its home`() async throws {
    let status = try await status(ready: Self.ready)
    #expect(status.state == .ready && status.home == Network(PLMN("26201")!) && status.imsi != nil)
  }

  @Test(
    arguments: [
      ([], []), ([""], []), (["", "+491710000001"], ["+491710000001"]),
      (["+491710000000", "+491710000001"], ["+491710000000", "+491710000001"]),
      (["01710000000", "", "+491710000001"], ["01710000000", "+491710000001"]),
    ] as [([String], [String])])
  func `tells every number that is not empty`(numbers: [String], expected: [String]) async throws {
    let status = try await status(ready: Information.subscriberReady(1, numbers: numbers))
    #expect(status.numbers.map(\.revealed) == expected)
    #expect(status.iccid == nil && status.imsi == nil)
  }

  @Test(
    arguments: [
      (0, .initialising), (2, .absent), (3, .failed), (4, .failed), (5, .notActivated), (7, .notActivated),
      (99, .unknown),
    ] as [(UInt32, SIMStatus.State)])
  func `has the state that the modem gives it`(number: UInt32, state: SIMStatus.State) async throws {
    #expect(try await status(ready: Information.subscriberReady(number)) == SIMStatus(state: state))
  }

  @Test(
    arguments: [
      (2, 1, 3, .pinRequired, 3), (2, 1, .max, .pinRequired, nil), (11, 1, 10, .pukRequired, 10),
      (6, 1, 5, .failed, 5), (0, 0, 0, .initialising, nil),
    ] as [(UInt32, UInt32, UInt32, SIMStatus.State, Int?)])
  func `that is locked tells which code it wants`(
    type: UInt32, state: UInt32, attempts: UInt32, expected: SIMStatus.State, retries: Int?
  ) async throws {
    let status = try await status(
      ready: Information.subscriberReady(6), pin: Information.pin(type: type, state: state, attempts: attempts))
    #expect(status == SIMStatus(state: expected, retriesLeft: retries))
  }

  @Test(
    "with wrong counts does no harm",
    arguments: [
      Information.subscriberReady(1, numbers: ["1", "2"], count: 3),
      Information.subscriberReady(1, numbers: ["1", "2"], count: 1000),
      Information.subscriberReady(1, numbers: ["1", "2"], count: 0x7fff_ffff),
      Information.subscriberReady(1, numbers: ["1", "2"], count: .max),
      // A number whose UTF-16 is half a pair.
      Information.buffer([1, 0, 0, 0, 0, 0, 1, 36, 2].map { .number($0) } + [.bytes([0x00, 0xd8, 0, 0])]),
      // A number beyond the end.
      Information.buffer([1, 0, 0, 0, 0, 0, 1, 36, 200].map { .number($0) }),
      Information.buffer([1, 0, 0, 0, 0, 0, 1, .max, .max].map { .number($0) }),
      Array(Information.subscriberReady(1).prefix(20)),
      [],
    ]) func wrongCounts(reply: [UInt8]) async
  {
    #expect(await modemError { try await status(ready: reply) }?.code == .badReply)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Unlocking a SIM over MBIM` {
  /// What comes of one attempt, by the state before it and the reply to it.
  private func unlock(
    before: [UInt8] = Information.pin(type: 2, state: 1, attempts: 3), status: UInt32 = 0,
    reply: [UInt8] = Information.pin(type: 2, state: 0, attempts: 3)
  ) async throws -> (error: ModemError?, sets: [[UInt8]]) {
    try await withMBIM { request in
      request.cid == CID.pin ? [.reply(status: request.isSet ? status : 0, request.isSet ? reply : before)] : []
    } _: { backend, modem in
      let error = await modemError { try await backend.unlock(with: PIN("1234")!) }
      await modem.hangUp()
      var sets: [[UInt8]] = []
      for await event in backend.events where event == .removed { break }
      await modem.stopListening()
      for await request in modem.requests where request.isSet { sets.append(request.information) }
      return (error, sets)
    }
  }

  @Test func `enters PIN1 once`() async throws {
    let (error, sets) = try await unlock()
    #expect(error == nil)
    #expect(
      sets == [Information.buffer([.number(2), .number(0), .text("1234"), .text("")])])
  }

  @Test(
    arguments: [
      (5, Information.pin(type: 2, state: 1, attempts: 2), 2), (2, Information.pin(type: 2, state: 1, attempts: 1), 1),
      (2, Information.pin(type: 2, state: 1, attempts: .max), nil),
      (2, Information.pin(type: 11, state: 1, attempts: 10), 0),
    ] as [(UInt32, [UInt8], Int?)])
  func `with a wrong PIN tells the attempts left and does not try again`(
    status: UInt32, reply: [UInt8], retries: Int?
  ) async throws {
    let (error, sets) = try await unlock(status: status, reply: reply)
    #expect(error?.code == .wrongPIN)
    #expect(error?.retriesLeft == retries)
    #expect(error?.description.contains("1234") == false)
    #expect(sets.count == 1)
  }

  @Test(
    arguments: [
      (Information.pin(type: 0, state: 0, attempts: 0), .pinNotRequired),
      (Information.pin(type: 11, state: 1, attempts: 10), .simLocked),
      (Information.pin(type: 6, state: 1, attempts: 5), .simLocked),
    ] as [([UInt8], ModemError.Code)])
  func `that does not want a PIN uses up no attempt`(before: [UInt8], code: ModemError.Code) async throws {
    let (error, sets) = try await unlock(before: before)
    #expect(error?.code == code)
    #expect(sets.isEmpty)
  }

  @Test(
    arguments: [(3, .simAbsent), (6, .pinNotRequired), (9, .notSupported), (2, .failed)] as [(UInt32, ModemError.Code)])
  func `reports other refusals as what they are`(status: UInt32, code: ModemError.Code) async throws {
    #expect(try await unlock(status: status, reply: []).error?.code == code)
  }
}
