import MBIMBackend
import ModemModel
import NetworkAddress
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An MBIM bearer` {
  static let both = Information.ipConfiguration(
    ipv4: .init(
      available: 15, addresses: [(24, [10, 64, 0, 7])], gateway: [10, 64, 0, 1],
      dns: [[10, 64, 0, 53], [0, 0, 0, 0]], mtu: 1430),
    ipv6: .init(
      available: 15, addresses: [(64, [0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [7])],
      gateway: [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1],
      dns: [[0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [0x53]], mtu: 1500))

  /// A modem whose session is down until it is set up; `set` are its replies to Connect sets.
  static func modem(
    active: Bool = false, settings: [[UInt8]] = [both],
    set: @escaping @Sendable (ScriptedModem.Request, _ activate: Bool) -> [ScriptedModem.Act] = { _, activate in
      [.reply(Information.connect(activate ? 1 : 3))]
    }
  ) -> @Sendable (ScriptedModem.Request) -> [ScriptedModem.Act] {
    { request in
      switch (request.cid, request.isSet) {
      case (CID.connect, false): [.reply(Information.connect(active && request.earlier == 0 ? 1 : 3))]
      case (CID.connect, true): set(request, request.information.number(at: 4) == 1)
      case (CID.ipConfiguration, false): [.reply(settings[min(request.earlier, settings.count - 1)])]
      default: []
      }
    }
  }

  /// What the modem was asked about its session: queries, activations and deactivations.
  static func asked(_ modem: ScriptedModem) async -> [String] {
    await modem.stopListening()
    return await modem.requests.reduce(into: []) { asked, request in
      guard request.cid == CID.connect else { return }
      asked.append(!request.isSet ? "query" : request.information.number(at: 4) == 1 ? "activate" : "deactivate")
    }
  }

  @Test func `comes up with the network's settings and goes down`() async throws {
    let asked = try await withMBIM(script: Self.modem()) { backend, modem in
      #expect(try await backend.negotiateLinkFormat() == .rawIP)
      #expect(await modemError { try await backend.settings() }?.code == .notConnected)
      let settings = try await backend.connect(BearerRequest(apn: "internet"))
      #expect(settings.ipv4?.prefix.description == "10.64.0.7/24")
      #expect(settings.ipv4?.gateway?.description == "10.64.0.1")
      #expect(settings.ipv6?.prefix.description == "2001:db8::7/64")
      #expect(settings.ipv6?.gateway?.description == "fe80::1")
      #expect(settings.dns.map(\.description) == ["10.64.0.53", "2001:db8::53"])
      #expect(settings.mtu == 1430)
      #expect(try await backend.settings() == settings)
      try await backend.disconnect()
      try await backend.disconnect()
      #expect(await modemError { try await backend.settings() }?.code == .notConnected)
      return await Self.asked(modem)
    }
    #expect(asked == ["query", "activate", "deactivate"])
  }

  @Test(
    arguments: zip(
      [BearerRequest.IPType.ipv4, .ipv6, .ipv4v6], [(BearerRequest.Authentication.none, 1), (.pap, 2), (.chap, 3)]
    )
    .map { ($0, $1.0, UInt32($1.1)) })
  func `is asked for as the request says`(
    type: BearerRequest.IPType, authentication: BearerRequest.Authentication, number: UInt32
  ) async throws {
    try await withMBIM(script: Self.modem()) { backend, modem in
      _ = try await backend.connect(
        BearerRequest(
          apn: "internet", user: "anna", password: APNPassword("geheim"), authentication: authentication, ipType: type))
      for await request in modem.requests where request.isSet {
        let context: [UInt8] = Array(Information.connect(1)[16..<32])
        #expect(
          request.information
            == Information.buffer([
              .number(0), .number(1), .text("internet"), .text("anna"), .text("geheim"), .number(0),
              .number(number - 1), .number(number), .bytes(context),
            ]))
        break
      }
    }
  }

  @Test(arguments: [50, 51] as [UInt32]) func `is up even with a cause that tells of one family`(cause: UInt32)
    async throws
  {
    let script = Self.modem { _, _ in [.reply(Information.connect(1, cause: cause))] }
    try await withMBIM(script: script) { backend, _ in
      let settings = try await backend.connect(BearerRequest())
      #expect(settings.hasAddress)
    }
  }

  @Test(
    arguments: [
      (2, Information.connect(3, cause: 33), .refused, 33), (0, Information.connect(3, cause: 27), .refused, 27),
      (0, Information.connect(3), .refused, nil), (7, [], .notRegistered, nil), (12, [], .notConnected, nil),
      (17, [], .refused, nil), (2, [], .failed, nil),
    ] as [(UInt32, [UInt8], ModemError.Code, Int?)])
  func `that is refused tells the network's cause`(
    status: UInt32, reply: [UInt8], code: ModemError.Code, cause: Int?
  ) async throws {
    let script = Self.modem { _, _ in [.reply(status: status, reply)] }
    try await withMBIM(script: script) { backend, _ in
      let error = await modemError { try await backend.connect(BearerRequest(apn: "nowhere")) }
      #expect(error?.code == code)
      #expect(error?.networkCause?.code == cause)
      #expect(await modemError { try await backend.settings() }?.code == .notConnected)
    }
  }

  @Test func `that comes up a while after the modem's answer is waited for`() async throws {
    let script = Self.modem { _, activate in
      activate
        ? [.reply(Information.connect(2)), .indicate(cid: CID.connect, Information.connect(1))]
        : [.reply(Information.connect(4)), .indicate(cid: CID.connect, Information.connect(3))]
    }
    try await withMBIM(script: script) { backend, modem in
      let settings = try await backend.connect(BearerRequest())
      #expect(settings.hasAddress)
      try await backend.disconnect()
    }
  }

  @Test func `that the network refuses a while after the modem's answer tells the cause`() async throws {
    let script = Self.modem { _, _ in
      [.reply(Information.connect(2)), .indicate(cid: CID.connect, Information.connect(3, cause: 29))]
    }
    try await withMBIM(script: script) { backend, _ in
      let error = await modemError { try await backend.connect(BearerRequest()) }
      #expect(error?.networkCause == .session(29))
    }
  }

  @Test func `gets its addresses when the network gives them later`() async throws {
    try await withMBIM(script: Self.modem(settings: [Information.ipConfiguration(), Self.both])) { backend, modem in
      async let settings = backend.connect(BearerRequest())
      for await request in modem.requests where request.cid == CID.ipConfiguration { break }
      await modem.indicate(cid: CID.ipConfiguration, Self.both)
      let address = try await settings.ipv4?.prefix.description
      #expect(address == "10.64.0.7/24")
    }
  }

  @Test func `that nobody waits for any longer is ended again`() async throws {
    try await withMBIM(script: Self.modem { _, activate in activate ? [] : [.reply(Information.connect(3))] }) {
      backend, modem in
      let connecting = Task { await modemError { try await backend.connect(BearerRequest()) } }
      for await request in modem.requests where request.isSet { break }
      connecting.cancel()
      #expect(await connecting.value?.code == .cancelled)
      for await request in modem.requests where request.isSet { break }
    }
  }

  @Test func `that the network ends is reported with its cause`() async throws {
    try await withMBIM(script: Self.modem()) { backend, modem in
      _ = try await backend.connect(BearerRequest())
      await modem.indicate(cid: CID.connect, Information.connect(session: 3, 3, cause: 8))
      await modem.indicate(cid: CID.ipConfiguration, Self.both)
      await modem.indicate(cid: CID.connect, Information.connect(3, cause: 36))
      var iterator = backend.events.makeAsyncIterator()
      #expect(await iterator.next() == .settingsChanged)
      #expect(await iterator.next() == .bearerDropped(.session(36)))
      #expect(await modemError { try await backend.settings() }?.code == .notConnected)
      _ = try await backend.connect(BearerRequest())
    }
  }

  @Test func `that is being connected is not connected twice`() async throws {
    try await withMBIM(script: Self.modem { _, _ in [] }) { backend, modem in
      let first = Task { try await backend.connect(BearerRequest()) }
      for await request in modem.requests where request.isSet { break }
      #expect(await modemError { try await backend.connect(BearerRequest()) }?.code == .busy)
      #expect(await modemError { try await backend.disconnect() }?.code == .busy)
      first.cancel()
      _ = try? await first.value
    }
  }

  @Test func `ends with the port`() async throws {
    let modem = await ScriptedModem(script: Self.modem())
    let backend = MBIMBackend(MBIMConfiguration(path: modem.path))
    try await backend.open()
    _ = try await backend.connect(BearerRequest())
    await backend.close()
    #expect(await modem.messageTypes.last == 2)
    #expect(await Self.asked(modem) == ["query", "activate", "deactivate"])
    await modem.hangUp()
  }

  @Test(
    arguments: [
      ([2], [], nil, ["query"]), ([4], [(0, 2, 0)], nil, ["query", "set"]),
      ([4], [(0, 1, 0), (0, 2, 0)], nil, ["query", "set"]), ([4], [(2, 4, 7)], .refused, ["query", "set"]),
      ([4], [(0, 1, 0), (0, 4, 14)], .refused, ["query", "set"]), ([4], [(7, 4, 0)], .notRegistered, ["query", "set"]),
    ] as [([UInt32], [(UInt32, UInt32, UInt32)], ModemError.Code?, [String])])
  func `needs the packet service, which is attached where it is not`(
    before: [UInt32], answers: [(status: UInt32, state: UInt32, cause: UInt32)], code: ModemError.Code?, asked: [String]
  ) async throws {
    try await withMBIM { request in
      guard request.cid == CID.packetService else { return [] }
      guard request.isSet else { return [.reply(Information.packetService(before[0]))] }
      return answers.enumerated().map { position, answer in
        let information = Information.packetService(answer.state, cause: answer.cause)
        return position == 0
          ? .reply(status: answer.status, information) : .indicate(cid: CID.packetService, information)
      }
    } _: { backend, modem in
      #expect(await modemError { try await backend.attach() }?.code == code)
      await modem.stopListening()
      #expect(await modem.requests.reduce(into: []) { $0.append($1.isSet ? "set" : "query") } == asked)
    }
  }
}
