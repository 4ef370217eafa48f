import ModemModel
import QMIBackend
import Testing

@Suite(.timeLimit(.minutes(1))) struct `The default profile of a QMI modem` {
  typealias Act = ScriptedQMIModem.Act
  typealias Request = ScriptedQMIModem.Request

  private static func modem(number: Act, profile: Act) -> @Sendable (Request) -> [Act] {
    { request in
      switch (request.service, request.message) {
      case (1, 0x49): [request.fields == [1: [0, 0]] ? number : .refuse(48)]
      case (1, 0x2b): [request.fields == [1: [0, 3]] ? profile : .refuse(48)]
      default: [.usual]
      }
    }
  }

  private static let named: [UInt8: [UInt8]] = [
    0x14: Array("internet.example".utf8), 0x1b: Array("anna".utf8), 0x1c: Array("geheim".utf8),
  ]

  @Test(
    arguments: [
      ([0x1d: [0]], .none), ([0x1d: [1]], .pap), ([0x1d: [2]], .chap), ([0x1d: [3]], .chap), ([:], .none),
    ] as [([UInt8: [UInt8]], BearerRequest.Authentication)])
  func `names the access point`(more: [UInt8: [UInt8]], authentication: BearerRequest.Authentication) async throws {
    let profile = Act.reply(Self.named.merging(more) { $1 })
    try await withQMI(script: Self.modem(number: .reply([1: [3]]), profile: profile)) { backend, modem in
      let found = try await backend.provisionedAccessPoints()
      #expect(
        found == [
          AccessPoint(
            name: "internet.example", user: "anna", password: APNPassword("geheim"), authentication: authentication,
            source: .modem)
        ])
      #expect(await modem.clients.count { $0[0] == 1 } == 0)
    }
  }

  @Test(
    arguments: [
      (.refuse(71), .reply()), (.reply([1: [3]]), .refuse(29)), (.reply([1: [3]]), .reply()),
      (.reply([1: [3]]), .reply([0x14: []])),
    ] as [(Act, Act)])
  func `that says nothing is no error`(number: Act, profile: Act) async throws {
    try await withQMI(script: Self.modem(number: number, profile: profile)) { backend, modem in
      let found = try await backend.provisionedAccessPoints()
      #expect(found == [])
      #expect(await modem.clients.count { $0[0] == 1 } == 0)
    }
  }

  @Test func `that cannot be read is a bad reply, and leaves no client behind`() async throws {
    try await withQMI(script: Self.modem(number: .reply([1: []]), profile: .reply())) { backend, modem in
      #expect(await modemError { try await backend.provisionedAccessPoints() }?.code == .badReply)
      #expect(await modem.clients.count { $0[0] == 1 } == 0)
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A QMI data port` {
  typealias Act = ScriptedQMIModem.Act
  private typealias Bearer = `A QMI bearer`

  @Test(arguments: [2, 3, 4] as [UInt8])
  func `that another program's session uses is left alone`(state: UInt8) async throws {
    let script = Bearer.modem()
    try await withQMI(script: { $0.message == 0x22 && $0.service == 1 ? [.reply([1: [state]])] : script($0) }) {
      backend, modem in
      let error = await modemError { try await backend.connect(BearerRequest()) }
      #expect(error?.code == .busy)
      #expect(error?.message.contains("another program") == true)
      let messages = await Bearer.wds(modem).map(\.message)
      #expect(!messages.contains(0x20))
      #expect(!messages.contains(0x21))
    }
  }

  @Test func `that is free is asked about once for both families`() async throws {
    let script = Bearer.modem()
    try await withQMI(script: { $0.message == 0x22 && $0.service == 1 ? [.reply([1: [1]])] : script($0) }) {
      backend, modem in
      let settings = try await backend.connect(BearerRequest())
      #expect(settings.onLink == .nothing)
      #expect(await Bearer.wds(modem).count { $0.message == 0x22 } == 1)
    }
  }

  @Test(
    arguments: [
      ([:], [0x25: [0xfe, 0x80] + [UInt8](repeating: 0, count: 12) + [0xab, 0xcd, 64]], true, true, 0xabcd),
      ([0x1e: [0, 0, 0, 0]], [:], true, true, nil), (QMIField.ipv4, [:], false, true, nil),
      ([:], QMIField.ipv6, true, false, nil),
    ] as [([UInt8: [UInt8]], [UInt8: [UInt8]], Bool, Bool, UInt64?)])
  func `whose modem gives no address leaves it to the link`(
    ipv4: [UInt8: [UInt8]], ipv6: [UInt8: [UInt8]], dhcp: Bool, advertisements: Bool, identifier: UInt64?
  ) async throws {
    try await withQMI(script: Bearer.modem(settings: { .reply($0 == 4 ? ipv4 : ipv6) })) { backend, _ in
      let settings = try await backend.connect(BearerRequest())
      #expect(
        settings.onLink
          == .init(usesDHCP: dhcp, usesAdvertisements: advertisements, interfaceID: identifier))
    }
  }
}
