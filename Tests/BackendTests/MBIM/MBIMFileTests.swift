import MBIMBackend
import ModemModel
import ReplyCheck
import Testing

/// Files and slots of a modem that says what it is told to say.
@Suite(.timeLimit(.minutes(1))) struct `An MBIM modem's additional services` {
  private typealias Act = ScriptedModem.Act

  private static let uicc = MBIMServiceID.uicc.bytes
  private static let extensions: [UInt8] = [
    0x3d, 0x01, 0xdc, 0xc5, 0xfe, 0xf5, 0x4d, 0x05, 0x0d, 0x3a, 0xbe, 0xf7, 0x05, 0x8e, 0x9a, 0xaf,
  ]

  /// The list of applications that a modem sent (libmbim's test data): one, a USIM.
  private static let applications: [UInt8] =
    [1, 1, 0, 0x3c, 0x18, 0x3c, 4, 0x20, 0x10, 0x30, 8, 2, 0x38, 2].bytes
    + [0xa0, 0, 0, 0, 0x87, 0x10, 2, 0xff, 0x34, 0xff, 7, 0x89, 0x31, 0x2e, 0x30, 0xff]
    + Array("Movistar".utf8) + [1, 0x81, 0, 0]

  private static func read(_ content: [UInt8], _ first: UInt32 = 0x90, _ second: UInt32 = 0) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    return [1, first, second, content.isEmpty ? 0 : 20, UInt32(content.count)].bytes + content + padding
  }

  private static func fileStatus(_ first: UInt32 = 0x90, structure: UInt32 = 3, count: UInt32 = 2) -> [UInt8] {
    [1, first, 0, 2, 1, structure, count, 28, 2, 0, 0, 0].bytes
  }

  private static let record =
    [UInt8](repeating: 0xff, count: 14) + [7, 0x91, 0x44, 0x77, 0x00, 0x09, 0x10, 0x32]
    + [UInt8](repeating: 0xff, count: 6)

  /// A ready SIM without a number, on a modem that answers its files so.
  private func status(
    listed: [UInt32] = [7, 8, 9, 10], applications: Act = .reply(applications), status: Act = .reply(fileStatus()),
    binary: Act = .reply(read([0, 0, 0, 3])), record: Act = .reply(read(record))
  ) async throws -> (SIMStatus, [ScriptedModem.Request]) {
    try await withMBIM { request in
      if request.service == Self.uicc {
        switch request.cid {
        case 7: return [applications]
        case 8: return [status]
        case 9: return [binary]
        default: return [record]
        }
      }
      switch request.cid {
      case 16: return [.reply(Information.services([(Self.uicc, listed)]))]
      case CID.subscriberReady: return [.reply(Information.subscriberReady(1, imsi: "310026123456789"))]
      case CID.homeProvider: return [.reply(Information.provider("31002", name: "Home"))]
      default: return []
      }
    } _: { backend, modem in
      let status = try await backend.simStatus()
      await modem.stopListening()
      return (status, await modem.requests.reduce(into: []) { if $1.service == Self.uicc { $0.append($1) } })
    }
  }

  @Test func `are asked for EF_MSISDN and EF_AD of the application in use`() async throws {
    let (status, requests) = try await status()
    #expect(status.numbers == [PhoneNumber("+447700900123", source: .efMsisdn)])
    #expect(status.home == Network(PLMN("310026")!, name: "Home"))
    #expect(requests.map(\.cid) == [7, 8, 10, 7, 9])
    for request in requests where request.cid != 7 {
      // Version, application and path, of which the application is that of the list.
      #expect(request.information.number(at: 0) == 1)
      let bytes = Array(request.information.dropFirst(Int(request.information.number(at: 4))))
      #expect(bytes.starts(with: [0xa0, 0, 0, 0, 0x87, 0x10, 2, 0xff, 0x34, 0xff, 7, 0x89, 0x31, 0x2e, 0x30, 0xff]))
      let path = Array(request.information.dropFirst(Int(request.information.number(at: 12))).prefix(4))
      #expect(path == (request.cid == 9 ? [0x7f, 0xff, 0x6f, 0xad] : [0x7f, 0xff, 0x6f, 0x40]))
    }
    #expect(requests.first { $0.cid == 10 }?.information.number(at: 20) == 1)
  }

  /// Another SIM may have another length. A SIM whose serial number is not told may be another one.
  @Test(arguments: [
    ([("8949", "310026123456789"), ("8949", "310026123456789"), ("8950", "310026123456789")], 2),
    ([("8949", "310026123456789"), ("8949", "310026123456780"), ("8949", "310026123456780")], 2),
    ([("", "310026123456789"), ("", "310026123456789")], 2),
  ])
  func `read EF_AD once for each SIM`(sims: [(iccid: String, imsi: String)], reads: Int) async throws {
    try await withMBIM { request in
      if request.service == Self.uicc {
        return [.reply(request.cid == 7 ? Self.applications : Self.read([0, 0, 0, 3]))]
      }
      switch request.cid {
      case 16: return [.reply(Information.services([(Self.uicc, [7, 9])]))]
      case CID.subscriberReady:
        let sim = sims[min(request.earlier, sims.count - 1)]
        return [.reply(Information.subscriberReady(1, imsi: sim.imsi, iccid: sim.iccid, numbers: ["+447700900123"]))]
      case CID.homeProvider: return [.reply(Information.provider("31002", name: "Home"))]
      default: return []
      }
    } _: { backend, modem in
      for _ in sims {
        let status = try await backend.simStatus()
        #expect(status.home == Network(PLMN("310026")!, name: "Home"))
      }
      await modem.stopListening()
      let count = await modem.requests.reduce(0) { $0 + ($1.service == Self.uicc && $1.cid == 9 ? 1 : 0) }
      #expect(count == reads)
    }
  }

  @Test(
    arguments: [
      .reply(status: 9), .reply([UInt8](repeating: 0, count: 24)),
      // An application in use that is not in the list; counts and places outside it.
      .reply([1, 1, 1, 0x3c, 0x18, 0x3c].bytes + applications.dropFirst(24)), .reply([1, 1000, 0, 0x3c].bytes),
      .reply([1, 1, 0, 0x3c, 0xffff, 0xffff].bytes), .reply(),
    ] as [Act])
  private func `may tell nothing of applications`(answer: Act) async throws {
    let (status, _) = try await status(applications: answer)
    #expect(status.state == .ready && status.numbers.isEmpty)
    #expect(status.home?.plmn == PLMN("31002"))
  }

  @Test(
    arguments: [
      .reply(status: 9), .reply(fileStatus(0x6a)), .reply(fileStatus(structure: 1)), .reply(fileStatus(count: 0)),
      .reply([1, 0x90].bytes),
    ] as [Act])
  private func `may have no records`(answer: Act) async throws {
    let (status, requests) = try await status(status: answer)
    #expect(status.state == .ready && status.numbers.isEmpty && !requests.contains { $0.cid == 10 })
  }

  @Test(
    arguments: [
      .reply(status: 2), .reply(read([], 0x69, 0x82)), .reply(read([])), .reply(read([0xff, 0xff])),
      .reply([1, 0x90, 0, 20, 0xffff].bytes), .reply(read([UInt8](repeating: 0xff, count: 28))),
    ] as [Act])
  private func `may give no record and no length`(answer: Act) async throws {
    let (status, _) = try await status(binary: answer, record: answer)
    #expect(status.state == .ready && status.numbers.isEmpty)
    #expect(status.home?.plmn == PLMN("31002"))
  }

  @Test func `are not asked where they are not listed`() async throws {
    let (status, requests) = try await status(listed: [1, 2])
    #expect(status.state == .ready && status.numbers.isEmpty && requests.isEmpty)
  }

  // MARK: Slots

  private func withSlots<Result: Sendable>(
    capabilities: [UInt8] = [1, 2, 1, 0, 0].bytes, mappings: [UInt8] = [1, 12, 4, 0].bytes,
    _ body: (MBIMBackend) async throws -> Result
  ) async throws -> (Result, sets: [[UInt8]]) {
    try await withMBIM { request in
      guard request.service == Self.extensions else {
        return request.cid == 16 ? [.reply(Information.services([(Self.extensions, [5, 7, 8])]))] : []
      }
      switch request.cid {
      case 5: return [.reply(capabilities)]
      case 7: return [.reply(mappings)]
      default: return [.reply(request.information + [5].bytes)]
      }
    } _: { backend, modem in
      let result = try await body(backend)
      await modem.stopListening()
      let sets = await modem.requests.reduce(into: [[UInt8]]()) { if $1.isSet { $0.append($1.information) } }
      return (result, sets)
    }
  }

  @Test func `tell slots and change them`() async throws {
    let (slots, _) = try await withSlots { try await $0.slots() }
    #expect(slots.slots.map(\.number) == [1, 2] && slots.active == 1 && slots.canSwitch)
    #expect(slots.slots.map(\.isESIM) == [false, false])
    let (_, sets) = try await withSlots { try await $0.switchSlot(to: 2) }
    #expect(sets == [[1, 12, 4, 1].bytes])
    let (_, none) = try await withSlots { try await $0.switchSlot(to: 1) }
    #expect(none.isEmpty)
  }

  @Test func `give a slot that another executor has in exchange`() async throws {
    let (_, sets) = try await withSlots(mappings: [2, 20, 4, 24, 4, 0, 1].bytes) { try await $0.switchSlot(to: 2) }
    #expect(sets == [[2, 20, 4, 24, 4, 1, 0].bytes])
  }

  @Test(arguments: [[1, 0, 1, 0, 0].bytes, [1, 0xffff, 1, 0, 0].bytes, [1].bytes, []])
  func `that count slots wrongly cannot be read`(capabilities: [UInt8]) async throws {
    let (error, _) = try await withSlots(capabilities: capabilities) { backend in
      await modemError { try await backend.slots() }
    }
    #expect(error?.code == .badReply)
  }

  @Test(arguments: [[1, 0xffff, 4].bytes, [0xffff, 12, 4, 0].bytes, [1].bytes, []])
  func `that map slots outside their answer cannot be read`(mappings: [UInt8]) async throws {
    let (error, _) = try await withSlots(mappings: mappings) { backend in
      await modemError { try await backend.switchSlot(to: 2) }
    }
    #expect(error?.code == .badReply)
  }
}
