import ModemModel
import QMIBackend
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A QMI modem's SIM` {
  private typealias Act = ScriptedQMIModem.Act

  private static let iccid: [UInt8] = [0x98, 0x94, 0x20, 0x00, 0x00, 0x21, 0x43, 0x65, 0x87, 0xf9]
  private static let imsi: [UInt8] = [8, 0x29, 0x26, 0x10, 0x21, 0x43, 0x65, 0x87, 0x09]

  /// A modem with a card; `answers` by service and message replace what it says.
  private func status(
    card: [UInt8: [UInt8]] = QMIField.ready, iccid: Act = .reply(QMIField.file(iccid)),
    imsi: Act = .reply(QMIField.file(imsi)), number: Act = .refuse(16), home: Act = .refuse(71)
  ) async throws -> SIMStatus {
    try await withQMI { request in
      switch (request.service, request.message) {
      case (11, 0x2f): [.reply(card)]
      case (11, 0x20): [request.fields[2]!.starts(with: [0xe2, 0x2f, 2, 0, 0x3f]) ? iccid : imsi]
      case (2, 0x24): [number]
      case (3, 0x25): [home]
      default: [.usual]
      }
    } _: { backend, _ in
      try await backend.simStatus()
    }
  }

  @Test func `that is ready tells all of the subscription`() async throws {
    let status = try await status(
      number: .reply([1: Array("+491710000000\0".utf8)]),
      home: .reply([1: QMIField.network(262, 1, "Telekom.de"), 0x12: [1, 0]]))
    #expect(status.state == .ready)
    #expect(status.slot == 1)
    #expect(status.iccid?.revealed == "8949020000123456789")
    #expect(status.imsi?.revealed == "262011234567890")
    #expect(status.numbers.map(\.revealed) == ["+491710000000"])
    #expect(status.numbers.first?.source == .dms)
    #expect(status.home == Network(PLMN("26201")!, name: "Telekom.de"))
  }

  @Test(arguments: [.refuse(16), .refuse(71), .reply(), .reply([1: []]), .reply([1: [0]])] as [Act])
  private func `has no number where the modem has none`(number: Act) async throws {
    #expect(try await status(number: number).numbers.isEmpty)
  }

  @Test(
    arguments: [
      (262, 1, [1, 0], "26201"), (310, 260, [1, 1], "310260"), (302, 20, [1, 1], "302020"),
      (302, 20, [1, 0], "30220"), (302, 720, nil, "302720"), (1, 1, nil, "00101"), (310, 260, [1, 0], "310260"),
      // No network: that of the IMSI.
      (0, 0, nil, "26201"), (65535, 65535, nil, "26201"), (302, 20, nil, "302020"),
    ] as [(UInt16, UInt16, [UInt8]?, String?)])
  func `has a home network whose MNC is as long as the modem says`(
    mcc: UInt16, mnc: UInt16, digit: [UInt8]?, plmn: String?
  ) async throws {
    var fields: [UInt8: [UInt8]] = [1: QMIField.network(mcc, mnc, "")]
    fields[0x12] = digit
    #expect(try await status(home: .reply(fields)).home?.plmn.description == plmn)
  }

  @Test(
    arguments: [
      ([], nil), ([0xff, 0xff], nil), ([UInt8](repeating: 0xff, count: 10), nil),
      ([0x98, 0xa4, 0x20, 0, 0, 0x21, 0x43, 0x65, 0x87, 0xf9], nil),
      ([0x98, 0x94, 0x20, 0, 0, 0x21, 0x43, 0x65, 0x87, 0x09], "89490200001234567890"),
      ([0x98, 0x94, 0x20, 0, 0, 0x21, 0x43, 0x65, 0x87, 0x09, 0x09], nil),
    ] as [([UInt8], String?)])
  func `has an ICCID where the file holds one`(file: [UInt8], iccid: String?) async throws {
    #expect(try await status(iccid: .reply(QMIField.file(file))).iccid?.revealed == iccid)
  }

  @Test(
    arguments: [
      ([], nil), ([8], nil), ([0], nil), ([9, 0x29, 0x26, 0x10, 0x21, 0x43, 0x65, 0x87, 0x09, 0], nil),
      ([4, 0x09, 0x10, 0x10, 0xf2], "001012"), ([8] + [UInt8](repeating: 0xff, count: 8), nil),
    ] as [([UInt8], String?)])
  func `has an IMSI where the file holds one`(file: [UInt8], imsi: String?) async throws {
    #expect(try await status(imsi: .reply(QMIField.file(file))).imsi?.revealed == imsi)
  }

  @Test(arguments: [.refuse(48), .refuse(80), .reply([0x10: [0x6a, 0x82]])] as [Act])
  private func `is ready even if its files cannot be read`(refusal: Act) async throws {
    let status = try await status(iccid: refusal, imsi: refusal)
    #expect(status.state == .ready)
    #expect(status.iccid == nil && status.imsi == nil)
  }

  @Test func `whose file is longer in words than in bytes cannot be read`() async {
    #expect(await modemError { try await status(iccid: .reply([0x11: [200, 0, 1, 2]])) }?.code == .badReply)
  }

  private typealias Card = QMIField.Card

  @Test(
    arguments: [
      (0xffff, [Card(state: 0)], .absent, nil, 1), (0, [Card(state: 0)], .absent, nil, 1),
      (0xffff, [], .absent, nil, nil), (0, [Card(state: 2, error: 3)], .failed, nil, 1),
      (0, [Card(state: 2, error: 6)], .absent, nil, 1), (0xffff, [Card()], .initialising, nil, 1),
      (0xffff, [Card(state: 0), Card()], .initialising, nil, 2), (3, [Card()], .initialising, nil, 1),
      (0, [Card(applications: [QMIField.application(1)])], .initialising, nil, 1),
      (0, [Card(applications: [QMIField.application(2, pin1: [1, 2, 9])])], .pinRequired, 2, 1),
      (0, [Card(applications: [QMIField.application(3, pin1: [4, 0, 7])])], .pukRequired, 7, 1),
      (0, [Card(applications: [QMIField.application(3, pin1: [5, 0, 0])])], .failed, nil, 1),
      (0, [Card(applications: [QMIField.application(4, personalisation: 1)])], .initialising, nil, 1),
      (0, [Card(applications: [QMIField.application(4, personalisation: 3)])], .failed, nil, 1),
      (0, [Card(applications: [QMIField.application(5, pin1: [4, 0, 5])])], .pukRequired, 5, 1),
      (0, [Card(applications: [QMIField.application(5, pin1: [5, 0, 0])])], .failed, nil, 1),
      (0, [Card(applications: [QMIField.application(6)])], .failed, nil, 1),
      (
        0, [Card(universal: [1, 1, 8], applications: [QMIField.application(2, usesUniversalPIN: true)])], .pinRequired,
        1, 1
      ),
      // The application in use is the second of the second card.
      (
        0x0101,
        [
          Card(applications: [QMIField.application(7)]),
          Card(applications: [[], []].map { _ in QMIField.application(2) }),
        ],
        .pinRequired, 3, 2
      ),
    ] as [(UInt16, [Card], SIMStatus.State, Int?, Int?)])
  private func `is in the state of the application in use`(
    index: UInt16, cards: [Card], state: SIMStatus.State, retries: Int?, slot: Int?
  ) async throws {
    var status = try await status(card: QMIField.cardStatus(index: index, cards))
    // The serial number can be read before the PIN.
    if state == .pinRequired || state == .pukRequired { #expect(status.iccid != nil) }
    status.iccid = nil
    #expect(status == SIMStatus(state: state, retriesLeft: retries, slot: slot))
  }

  @Test(arguments: [0, 5, 8, 9, 14, 20, 30]) func `whose state is cut short cannot be read`(length: Int) async {
    let card = [0x10: Array(QMIField.ready[0x10]!.prefix(length))] as [UInt8: [UInt8]]
    #expect(await modemError { try await status(card: card) }?.code == .badReply)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The PIN of a QMI modem's SIM` {
  private typealias Act = ScriptedQMIModem.Act

  private func unlock(
    card: [UInt8: [UInt8]] = QMIField.locked(), _ answer: Act
  ) async throws -> (error: ModemError?, verifications: [ScriptedQMIModem.Request]) {
    try await withQMI { request in
      switch (request.service, request.message) {
      case (11, 0x2f): [.reply(card)]
      case (11, 0x26): [answer]
      default: [.usual]
      }
    } _: { backend, modem in
      let error = await modemError { try await backend.unlock(with: PIN("1234")!) }
      await modem.stopListening()
      return (
        error,
        await modem.requests.reduce(into: []) { if $1.message == 0x26 { $0.append($1) } }
      )
    }
  }

  @Test func `is entered once, for the card`() async throws {
    let (error, verifications) = try await unlock(.reply([0x10: [3, 10]]))
    #expect(error == nil)
    #expect(verifications.map(\.fields) == [[1: [6, 0], 2: [1, 4, 0x31, 0x32, 0x33, 0x34]]])
  }

  @Test func `may be the one that all applications share`() async throws {
    let card = QMIField.cardStatus([
      .init(universal: [1, 3, 10], applications: [QMIField.application(2, usesUniversalPIN: true)])
    ])
    let (_, verifications) = try await unlock(card: card, .reply())
    #expect(verifications.map { $0.fields[2]?.first } == [3])
  }

  @Test(
    arguments: [
      (.refuse(12, [0x10: [2, 10]]), .wrongPIN, 2), (.refuse(12), .wrongPIN, 3),
      (.refuse(12, [0x10: [0, 10]]), .wrongPIN, 0), (.refuse(35, [0x10: [0, 10]]), .wrongPIN, 0),
      (.refuse(26), .pinNotRequired, nil), (.refuse(3), .failed, nil), (.refuse(12, [0x10: []]), .badReply, nil),
    ] as [(Act, ModemError.Code, Int?)])
  private func `that is refused tells the attempts left`(answer: Act, code: ModemError.Code, retries: Int?) async throws
  {
    let (error, verifications) = try await unlock(answer)
    #expect(error?.code == code)
    #expect(error?.retriesLeft == retries)
    #expect(error?.description.contains("1234") == false)
    #expect(verifications.count == 1)
  }

  @Test(
    arguments: [
      (QMIField.ready, .pinNotRequired),
      (QMIField.cardStatus([.init(applications: [QMIField.application(3)])]), .simLocked),
      (QMIField.cardStatus([.init(state: 0)]), .simAbsent),
      (QMIField.cardStatus([.init(applications: [QMIField.application(1)])]), .simNotReady),
    ] as [([UInt8: [UInt8]], ModemError.Code)])
  func `is not sent to a SIM that does not ask for it`(card: [UInt8: [UInt8]], code: ModemError.Code) async throws {
    let (error, verifications) = try await unlock(card: card, .reply())
    #expect(error?.code == code)
    #expect(verifications.isEmpty)
  }
}
