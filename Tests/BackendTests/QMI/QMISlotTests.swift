import ModemModel
import QMIBackend
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A QMI modem's slots` {
  private typealias Act = ScriptedQMIModem.Act

  private static func slot(_ card: UInt8, active: Bool, logical: UInt8 = 0, iccid: [UInt8] = []) -> [UInt8] {
    [card, 0, 0, 0, active ? 1 : 0, 0, 0, 0, logical, UInt8(iccid.count)] + iccid
  }

  private static let iccid: [UInt8] = [0x98, 0x94, 0x20, 0x00, 0x00, 0x21, 0x43, 0x65, 0x87, 0xf9]
  /// The second is in use, as the first logical one; the third is an eSIM.
  private static let three: [UInt8: [UInt8]] = [
    0x10: [3] + slot(1, active: false) + slot(2, active: true, logical: 1, iccid: iccid) + slot(2, active: false),
    0x11: [3] + [0, 0, 0, 0, 0, 0, 0] + [2, 0, 0, 0, 1, 2, 0x3b, 0x9f, 0] + [2, 0, 0, 0, 1, 0, 1],
  ]

  private func withSlots<Result: Sendable>(
    _ status: Act, change: Act = .reply(), _ body: (QMIBackend) async throws -> Result
  ) async throws -> (Result, changes: [[UInt8: [UInt8]]]) {
    try await withQMI { request in
      switch (request.service, request.message) {
      case (11, 0x2f): [.reply(QMIField.ready)]
      case (11, 0x47): [status]
      case (11, 0x46): [change]
      default: [.usual]
      }
    } _: { backend, modem in
      let result = try await body(backend)
      await modem.stopListening()
      let changes = await modem.requests.reduce(into: [[UInt8: [UInt8]]]()) {
        if $1.message == 0x46 { $0.append($1.fields) }
      }
      return (result, changes)
    }
  }

  @Test func `are told with their cards, and the one in use is the SIM's`() async throws {
    let ((slots, sim), _) = try await withSlots(.reply(Self.three)) { (try await $0.slots(), try await $0.simStatus()) }
    #expect(slots.canSwitch && slots.active == 2 && sim.slot == 2)
    #expect(slots.slots.map(\.card) == [.absent, .present, .present])
    #expect(slots.slots.map(\.iccid) == [nil, ICCID("8949020000123456789"), nil])
    #expect(slots.slots.map(\.isESIM) == [false, false, true])
  }

  @Test func `are changed for the logical slot in use`() async throws {
    let (_, changes) = try await withSlots(.reply(Self.three)) { try await $0.switchSlot(to: 3) }
    #expect(changes == [[1: [1], 2: [3, 0, 0, 0]]])
    let (_, same) = try await withSlots(.reply(Self.three)) { try await $0.switchSlot(to: 2) }
    #expect(same.isEmpty)
    // Another program was faster.
    _ = try await withSlots(.reply(Self.three), change: .refuse(26)) { try await $0.switchSlot(to: 3) }
    let (error, _) = try await withSlots(.reply(Self.three), change: .refuse(82)) { backend in
      await modemError { try await backend.switchSlot(to: 3) }
    }
    #expect(error?.code == .failed)
    let (unknown, _) = try await withSlots(.reply(Self.three)) { backend in
      await modemError { try await backend.switchSlot(to: 4) }
    }
    #expect(unknown?.code == .noSuchSlot)
  }

  @Test(arguments: [71, 94] as [UInt16]) func `are the cards where the modem knows none`(refusal: UInt16) async throws {
    let ((slots, error), changes) = try await withSlots(.refuse(refusal)) { backend in
      (try await backend.slots(), await modemError { try await backend.switchSlot(to: 1) })
    }
    #expect(slots == SIMSlots([SIMSlot(number: 1, isActive: true, card: .present)], canSwitch: false))
    #expect(error?.code == .notSupported && changes.isEmpty)
  }

  @Test(
    arguments: [
      [:], [0x10: []], [0x10: [1]], [0x10: [200] + slot(2, active: true)], [0x10: [1, 2, 0, 0, 0, 1, 0, 0, 0, 1, 200]],
      [0x10: [1] + slot(2, active: true), 0x11: [9]],
    ] as [[UInt8: [UInt8]]])
  func `that are cut short cannot be read`(fields: [UInt8: [UInt8]]) async throws {
    let (error, _) = try await withSlots(.reply(fields)) { backend in await modemError { try await backend.slots() } }
    #expect(error?.code == .badReply)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `The files of a QMI modem's SIM` {
  private typealias Act = ScriptedQMIModem.Act

  private static let record =
    [UInt8](repeating: 0xff, count: 4) + [7, 0x91, 0x44, 0x77, 0x00, 0x09, 0x10, 0x32]
    + [UInt8](repeating: 0xff, count: 6)
  private static func attributes(type: UInt8 = 2, size: UInt8 = 18, count: UInt8 = 1) -> [UInt8: [UInt8]] {
    [0x11: [size, 0, 0x40, 0x6f, type, size, 0, count, 0] + [UInt8](repeating: 0, count: 17)]
  }

  private func status(
    attributes: Act = .reply(attributes()), record: Act = .reply(QMIField.file(record)), number: Act = .refuse(16)
  ) async throws -> (SIMStatus, [ScriptedQMIModem.Request]) {
    try await withQMI { request in
      switch (request.service, request.message) {
      case (11, 0x2f): [.reply(QMIField.ready)]
      case (11, 0x24): [attributes]
      case (11, 0x21): [record]
      case (2, 0x24): [number]
      default: [.usual]
      }
    } _: { backend, modem in
      let status = try await backend.simStatus()
      await modem.stopListening()
      let reads = await modem.requests.reduce(into: [ScriptedQMIModem.Request]()) {
        if $1.service == 11, $1.message == 0x24 || $1.message == 0x21 { $0.append($1) }
      }
      return (status, reads)
    }
  }

  @Test func `give record 1 of EF_MSISDN, as long as its attributes say`() async throws {
    let (status, reads) = try await status()
    #expect(status.numbers == [PhoneNumber("+447700900123", source: .efMsisdn)])
    let file: [UInt8] = [0x40, 0x6f, 4, 0x00, 0x3f, 0xff, 0x7f]
    #expect(reads.map(\.fields) == [[1: [0, 0], 2: file], [1: [0, 0], 2: file, 3: [1, 0, 18, 0]]])
  }

  @Test func `are not read where the modem tells a number`() async throws {
    let (status, reads) = try await status(number: .reply([1: Array("+491710000000".utf8)]))
    #expect(status.numbers.map(\.source) == [.dms] && reads.isEmpty)
  }

  @Test(
    arguments: [
      .refuse(80), .refuse(71), .reply(), .reply(attributes(type: 0)), .reply(attributes(count: 0)),
      .reply([0x10: [0x6a, 0x82]]),
    ] as [Act])
  private func `may have no records`(answer: Act) async throws {
    let (status, reads) = try await status(attributes: answer)
    #expect(status.state == .ready && status.numbers.isEmpty && reads.count == 1)
  }

  @Test(arguments: [.refuse(82), .reply(), .reply(QMIField.file([])), .reply(QMIField.file([0xff]))] as [Act])
  private func `may give no record`(answer: Act) async throws {
    let (status, _) = try await status(record: answer)
    #expect(status.state == .ready && status.numbers.isEmpty)
  }

  @Test(arguments: [.reply([0x11: [200, 0, 1]])] as [Act])
  private func `that are cut short leave the rest as it is`(answer: Act) async throws {
    for (attributes, record) in [(answer, Act.refuse(80)), (Act.reply(Self.attributes()), answer)] {
      let (status, _) = try await status(attributes: attributes, record: record)
      #expect(status.state == .ready && status.numbers.isEmpty)
    }
  }
}
