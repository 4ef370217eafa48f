import ModemModel
import NetworkAddress
import QMIBackend
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A QMI bearer` {
  typealias Act = ScriptedQMIModem.Act
  typealias Request = ScriptedQMIModem.Request

  /// A modem with a network that starts what `start` says, and gives each family its settings.
  static func modem(
    start: @escaping @Sendable (_ family: UInt8, Request) -> [Act] = { family, _ in [.reply([1: [family, 0, 0, 0x80]])]
    },
    settings: @escaping @Sendable (_ family: UInt8) -> Act = { .reply($0 == 4 ? QMIField.ipv4 : QMIField.ipv6) }
  ) -> @Sendable (Request) -> [Act] {
    let families = Families()
    return { request in
      switch (request.service, request.message) {
      case (1, 0x4d):
        families.set(request.fields[1]!.first!, for: request.client)
        return [.reply()]
      case (1, 0x20): return start(request.fields[0x19]!.first!, request)
      case (1, 0x2d): return [settings(families.family(of: request.client))]
      case (1, 0x21): return [.reply()]
      default: return [.usual]
      }
    }
  }

  static func wds(_ modem: ScriptedQMIModem) async -> [Request] {
    await modem.stopListening()
    return await modem.requests.reduce(into: []) { if $1.service == 1 { $0.append($1) } }
  }

  @Test func `comes up with both families' settings and goes down`() async throws {
    try await withQMI(script: Self.modem()) { backend, modem in
      #expect(await modemError { try await backend.settings() }?.code == .notConnected)
      let settings = try await backend.connect(BearerRequest(apn: "internet"))
      #expect(settings.ipv4?.prefix.description == "10.64.0.7/24")
      #expect(settings.ipv4?.gateway?.description == "10.64.0.1")
      #expect(settings.ipv6?.prefix.description == "2001:db8::7/64")
      #expect(settings.ipv6?.gateway?.description == "2001:db8::1")
      #expect(settings.dns.map(\.description) == ["10.64.0.53", "2001:db8::53"])
      #expect(settings.mtu == 1430)
      #expect(try await backend.settings() == settings)
      #expect(await modem.clients.count { $0[0] == 1 } == 2)
      try await backend.disconnect()
      try await backend.disconnect()
      #expect(await modem.clients.count { $0[0] == 1 } == 0)
      #expect(await modemError { try await backend.settings() }?.code == .notConnected)
      let stopped = await Self.wds(modem).filter { $0.message == 0x21 }.map { $0.fields[1] }
      #expect(stopped == [[4, 0, 0, 0x80], [6, 0, 0, 0x80]])
    }
  }

  @Test(
    arguments: [
      (.ipv4, [4]), (.ipv6, [6]), (.ipv4v6, [4, 6]),
    ] as [(BearerRequest.IPType, [UInt8])])
  func `has a session for each family that was asked for`(type: BearerRequest.IPType, families: [UInt8]) async throws {
    try await withQMI(script: Self.modem()) { backend, modem in
      let settings = try await backend.connect(BearerRequest(ipType: type))
      #expect((settings.ipv4 != nil) == families.contains(4))
      #expect((settings.ipv6 != nil) == families.contains(6))
      let requests = await Self.wds(modem)
      #expect(requests.filter { $0.message == 0x4d }.map { $0.fields[1] } == families.map { [$0] })
      #expect(requests.filter { $0.message == 0x20 }.map { $0.fields[0x19] } == families.map { [$0] })
    }
  }

  @Test(
    arguments: [(.none, nil), (.pap, [1]), (.chap, [2]), (.mschapv2, [2])] as [(BearerRequest.Authentication, [UInt8]?)]
  )
  func `is asked for as the request says`(authentication: BearerRequest.Authentication, bits: [UInt8]?) async throws {
    try await withQMI(script: Self.modem()) { backend, modem in
      _ = try await backend.connect(
        BearerRequest(
          apn: "internet", user: "anna", password: APNPassword("geheim"), authentication: authentication, ipType: .ipv4)
      )
      var expected: [UInt8: [UInt8]] = [
        0x14: Array("internet".utf8), 0x17: Array("anna".utf8), 0x18: Array("geheim".utf8), 0x19: [4],
      ]
      expected[0x16] = bits
      #expect(await Self.wds(modem).first { $0.message == 0x20 }?.fields == expected)
    }
  }

  @Test(arguments: [4, 6] as [UInt8]) func `is up when one family is refused`(refused: UInt8) async throws {
    let refusal = Act.refuse(14, [0x10: [3, 0], 0x11: [6, 0, 51, 0]])
    let script = Self.modem { family, _ in [family == refused ? refusal : .reply([1: [1, 0, 0, 0]])] }
    try await withQMI(script: script) { backend, modem in
      let settings = try await backend.connect(BearerRequest())
      #expect((settings.ipv4 == nil) == (refused == 4))
      #expect((settings.ipv6 == nil) == (refused == 6))
      #expect(try await backend.settings() == settings)
      try await backend.disconnect()
    }
  }

  @Test(
    arguments: [
      (.refuse(14, [0x10: [3, 0], 0x11: [6, 0, 33, 0]]), .refused, .session(33)),
      (.refuse(14, [0x11: [6, 0, 27, 0]]), .refused, .session(27)),
      (.refuse(14, [0x10: [3, 0]]), .refused, NetworkCause(code: nil, text: "generic-no-service")),
      (.refuse(14, [0x11: [2, 0, 201, 0]]), .refused, NetworkCause(code: nil, text: "internal error")),
      (.refuse(14, [0x11: [99, 0, 1, 0], 0x10: [1, 0]]), .refused, nil), (.refuse(14), .refused, nil),
      (.refuse(34), .refused, nil), (.refuse(53), .notRegistered, nil), (.refuse(102), .simAbsent, nil),
      (.refuse(3), .failed, nil), (.reply(), .badReply, nil), (.refuse(14, [0x11: [6]]), .badReply, nil),
    ] as [(Act, ModemError.Code, NetworkCause?)])
  func `that is refused tells the network's cause`(answer: Act, code: ModemError.Code, cause: NetworkCause?)
    async throws
  {
    try await withQMI(script: Self.modem { _, _ in [answer] }) { backend, modem in
      let error = await modemError { try await backend.connect(BearerRequest(apn: "nowhere")) }
      #expect(error?.code == code)
      #expect(error?.networkCause == cause)
      #expect(await modemError { try await backend.settings() }?.code == .notConnected)
      await backend.close()
      #expect(await modem.clients.isEmpty)
    }
  }

  @Test func `that was active on its client already is taken as it is`() async throws {
    try await withQMI(script: Self.modem { _, _ in [.refuse(26)] }) { backend, modem in
      let settings = try await backend.connect(BearerRequest(ipType: .ipv4))
      #expect(settings.ipv4 != nil)
      try await backend.disconnect()
      #expect(await modem.clients.count { $0[0] == 1 } == 0)
    }
  }

  @Test func `that ended before its settings were asked for is given back`() async throws {
    try await withQMI(script: Self.modem(settings: { _ in .refuse(15) })) { backend, modem in
      #expect(await modemError { try await backend.connect(BearerRequest()) }?.code == .noAddress)
      await backend.close()
      #expect(await modem.clients.isEmpty)
    }
  }

  @Test func `that nobody waits for any longer is ended again`() async throws {
    try await withQMI(script: Self.modem { _, _ in [] }) { backend, modem in
      let connecting = Task { await modemError { try await backend.connect(BearerRequest()) } }
      for await request in modem.requests where request.message == 0x20 && request.service == 1 { break }
      #expect(await modemError { try await backend.connect(BearerRequest()) }?.code == .busy)
      #expect(await modemError { try await backend.disconnect() }?.code == .busy)
      connecting.cancel()
      #expect(await connecting.value?.code == .cancelled)
      while await modem.clients.contains(where: { $0[0] == 1 }) { await Task.yield() }
    }
  }

  @Test func `that is asked for in vain ends at its time limit`() async throws {
    let limits = QMIConfiguration.Limits(query: .seconds(20), connect: .milliseconds(150))
    try await withQMI(limits: limits, script: Self.modem { _, _ in [] }) { backend, modem in
      #expect(await modemError { try await backend.connect(BearerRequest()) }?.code == .timeout)
      while await modem.clients.contains(where: { $0[0] == 1 }) { await Task.yield() }
    }
  }

  @Test func `is set up anew when it is asked for while it is up`() async throws {
    try await withQMI(script: Self.modem()) { backend, modem in
      _ = try await backend.connect(BearerRequest())
      let first = await modem.clients.filter { $0[0] == 1 }
      _ = try await backend.connect(BearerRequest(ipType: .ipv4))
      let second = await modem.clients.filter { $0[0] == 1 }
      #expect(second.count == 1)
      #expect(first.isDisjoint(with: second))
    }
  }

  @Test func `that is up when the port is closed is ended`() async throws {
    try await withQMI(script: Self.modem()) { backend, modem in
      _ = try await backend.connect(BearerRequest())
      await backend.close()
      #expect(await modem.clients.isEmpty)
      #expect(await Self.wds(modem).count { $0.message == 0x21 } == 2)
    }
  }

  @Test func `that is being set up when the port is closed is ended`() async throws {
    try await withQMI(script: Self.modem { _, _ in [] }) { backend, modem in
      let connecting = Task { await modemError { try await backend.connect(BearerRequest()) } }
      for await request in modem.requests where request.message == 0x20 && request.service == 1 { break }
      await backend.close()
      #expect(await connecting.value?.code == .cancelled)
      #expect(await modem.clients.isEmpty)
    }
  }

  @Test func `that is not told to end in time stays up`() async throws {
    let limits = QMIConfiguration.Limits(query: .seconds(20), disconnect: .milliseconds(100), close: .milliseconds(300))
    let script = Self.modem()
    try await withQMI(limits: limits, script: { $0.service == 1 && $0.message == 0x21 ? [] : script($0) }) {
      backend, _ in
      _ = try await backend.connect(BearerRequest(ipType: .ipv4))
      #expect(await modemError { try await backend.disconnect() }?.code == .timeout)
      #expect(try await backend.settings().hasAddress)
    }
  }
}

@Suite(.timeLimit(.minutes(1))) struct `A QMI bearer that is up` {
  private typealias Request = ScriptedQMIModem.Request

  private func withBearer(
    _ type: BearerRequest.IPType = .ipv4v6,
    _ body: (QMIBackend, ScriptedQMIModem, _ clients: [UInt8: UInt8]) async throws -> Void
  ) async throws {
    let families = Families()
    try await withQMI { request in
      switch (request.service, request.message) {
      case (1, 0x4d):
        families.set(request.fields[1]!.first!, for: request.client)
        return [.reply()]
      case (1, 0x20): return [.reply([1: [1, 2, 3, 4]])]
      case (1, 0x2d): return [.reply(families.family(of: request.client) == 4 ? QMIField.ipv4 : QMIField.ipv6)]
      default: return [.usual]
      }
    } _: { backend, modem in
      _ = try await backend.connect(BearerRequest(ipType: type))
      try await body(backend, modem, families.clients)
    }
  }

  @Test(arguments: [33, nil] as [UInt16?]) func `drops with the network's cause`(cause: UInt16?) async throws {
    try await withBearer(.ipv4) { backend, modem, clients in
      await modem.indicate(service: 1, client: clients[4]!, message: 0x22, QMIField.disconnected(cause))
      for await event in backend.events {
        let expected = cause.map { NetworkCause.session(Int($0)) }
        #expect(event == .bearerDropped(expected ?? NetworkCause(code: nil, text: "generic-client-end")))
        break
      }
      #expect(await modemError { try await backend.settings() }?.code == .notConnected)
      while await modem.clients.contains(where: { $0[0] == 1 }) { await Task.yield() }
    }
  }

  @Test func `keeps one family when it loses the other, and drops with the last`() async throws {
    try await withBearer { backend, modem, clients in
      var events = backend.events.makeAsyncIterator()
      await modem.indicate(service: 1, client: clients[4]!, message: 0x22, QMIField.disconnected(36))
      #expect(await events.next() == .settingsChanged)
      let settings = try await backend.settings()
      #expect(settings.ipv4 == nil && settings.ipv6 != nil)
      await modem.indicate(service: 1, message: 0x22, QMIField.disconnected(36, family: 4))
      await modem.indicate(service: 1, message: 0x22, QMIField.disconnected(39, family: 6))
      #expect(await events.next() == .bearerDropped(.session(39)))
    }
  }

  @Test func `tells of new settings`() async throws {
    try await withBearer(.ipv4) { backend, modem, clients in
      await modem.indicate(service: 1, client: clients[4]!, message: 0x22, [1: [2, 0]])
      await modem.indicate(service: 1, client: clients[4]!, message: 0x22, [1: [2]])
      await modem.indicate(service: 1, client: clients[4]!, message: 0x22, [1: [2, 1]])
      for await event in backend.events {
        #expect(event == .settingsChanged)
        break
      }
    }
  }

  @Test func `is gone when the modem forgets its clients`() async throws {
    try await withBearer { backend, modem, _ in
      await modem.indicate(service: 0, message: 0x27)
      for await event in backend.events {
        #expect(event == .reset)
        break
      }
      #expect(await modemError { try await backend.settings() }?.code == .notConnected)
    }
  }
}

/// Which address family each client was set to.
private final class Families: Sendable {
  private let table = Mutex<[UInt8: UInt8]>([:])

  func set(_ family: UInt8, for client: UInt8) { table.withLock { $0[client] = family } }
  func family(of client: UInt8) -> UInt8 { table.withLock { $0[client] ?? 0 } }
  /// Clients by family.
  var clients: [UInt8: UInt8] {
    table.withLock { $0.reduce(into: [:]) { clients, entry in clients[entry.value] = entry.key } }
  }
}
