import ModemModel
import ReplyCheck
import Testing

@testable import MBIMBackend

/// Messages that end libmbim 1.28, or that it takes for something else.
@Suite(.timeLimit(.minutes(2))) struct `An MBIM message that is wrong` {
  private static let caps = Information.deviceCaps(id: "356938035643809")

  /// Asks twice: for what the modem answers wrongly, and then for its identity, which must still
  /// work.
  private func code(
    _ version: MBIMExtensions, _ answers: [UInt32: [UInt8]],
    _ body: @Sendable (MBIMBackend) async throws -> Void
  ) async throws -> ModemError.Code? {
    try await withMBIM { request in
      if request.cid == CID.deviceCaps, request.service == MBIMServiceID.basicConnect.bytes {
        return [.reply(Self.caps)]
      }
      return [answers[request.cid].map { .reply($0) } ?? .reply(status: 9)]
    } _: { backend, _ in
      try await backend.follow(version)
      let code = await modemError { try await body(backend) }?.code
      try await backend.follow(.none)
      let imei = try await backend.identity().imei
      #expect(imei == "356938035643809")
      return code
    }
  }

  @Test(
    arguments: [3, 1000, 0x7fff_ffff, 0xffff_ffff].flatMap { count in
      [MBIMExtensions.none, .v3].map { (UInt32(truncatingIfNeeded: count), $0) }
    })
  func `ends its command alone: numbers that were counted and not sent`(count: UInt32, version: MBIMExtensions)
    async throws
  {
    var fields: [Information.Field] = [.number(1), .text("26201"), .text("8949"), .number(0), .number(count)]
    if version == .v3 { fields.insert(.number(0), at: 1) }
    let answer = Information.buffer(fields + [.text("+49171"), .text("+49172")])
    #expect(try await code(version, [CID.subscriberReady: answer]) { _ = try await $0.simStatus() } == .badReply)
  }

  /// A message of version 1 to a host that speaks version 3, or the reverse, is wrong or says what
  /// it says.
  @Test(arguments: [MBIMExtensions.none, .v3])
  func `is not read in the form of another version`(version: MBIMExtensions) async throws {
    let plain = Information.subscriberReady(1, imsi: "262011234567890", iccid: "89490200001234567890", numbers: ["+1"])
    let third = Information.buffer([
      .number(1), .number(0), .text("262011234567890"), .text("89490200001234567890"), .number(0), .number(1),
      .text("+1"),
    ])
    let wrong = version == .v3 ? plain : third
    let right = version == .v3 ? third : plain
    let read: @Sendable (MBIMBackend) async throws -> Void = { backend in
      let status = try await backend.simStatus()
      #expect(status.imsi?.revealed == "262011234567890")
      #expect(status.numbers.map(\.revealed) == ["+1"])
    }
    #expect(try await code(version, [CID.subscriberReady: right], read) == nil)
    #expect(try await code(version, [CID.subscriberReady: wrong]) { _ = try? await $0.simStatus() } == nil)
  }

  @Test(arguments: [0x4000_0000, 0xffff_ffff, 5] as [UInt32])
  func `ends its command alone: measurements that were counted and not sent`(count: UInt32) async throws {
    let answers = [
      CID.registerState: Information.buffer(
        [0, 3, 1, 0x20, 1].map { .number($0) } + [.text("26201"), .text(""), .text(""), .number(0), .number(0)]),
      CID.signalState: [20, 99, 0, 0, 0, 28, 24, count, 1, 1, 1, 1, 1].bytes,
    ]
    #expect(try await code(.v2, answers) { _ = try await $0.registration() } == .badReply)
  }

  /// libmbim 1.28 reads a TLV's header without looking whether there is one.
  @Test(arguments: [[], [1].bytes, [1, 10].bytes, [1, 10, 0xffff_ffff].bytes, [1, 11, 0].bytes] as [[UInt8]])
  func `ends its command alone: an access point that is not there`(rest: [UInt8]) async throws {
    let answers = [CID.connect: Information.connect(1) + rest]
    #expect(try await code(.v3, answers) { _ = try await $0.connect(BearerRequest()) } == .badReply)
  }

  @Test func `ends its command alone: it is about another one`() async throws {
    let other = Information.provider("26201")
    let error = try await withMBIM { request in
      guard request.cid == CID.subscriberReady else { return [.reply(status: 9)] }
      let head = [0x8000_0003, UInt32(48 + other.count), 0, 1, 0].bytes + MBIMServiceID.basicConnect.bytes
      return [.raw(head + [CID.homeProvider, 0, UInt32(other.count)].bytes + other)]
    } _: { backend, _ in
      await modemError { try await backend.simStatus() }
    }
    #expect(error?.code == .badReply)
    #expect(error?.description.contains("another") == true)
  }

  @Test func `is not believed when it says that the bearer ended`() async throws {
    let addresses = Information.ipConfiguration(ipv4: .init(available: 1, addresses: [(30, [10, 0, 0, 2])]))
    try await withMBIM { request in
      switch request.cid {
      case CID.connect: [.reply(Information.connect(request.isSet ? 1 : 3))]
      case CID.ipConfiguration: [.reply(addresses)]
      default: [.reply(status: 9)]
      }
    } _: { backend, modem in
      _ = try await backend.connect(BearerRequest(ipType: .ipv4))
      await modem.indicate(cid: CID.connect, Array(Information.connect(3).prefix(20)))
      await modem.indicate(cid: CID.packetService, [2])
      var events = backend.events.makeAsyncIterator()
      // The packet service's contents are not read; that it changed is.
      #expect(await events.next() == .registrationChanged)
      let settings = try await backend.settings()
      #expect(settings.hasAddress)
    }
  }
}
