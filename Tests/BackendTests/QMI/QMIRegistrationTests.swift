import ModemModel
import Testing

@testable import QMIBackend

@Suite(.timeLimit(.minutes(1))) struct `A QMI modem's registration` {
  private typealias Act = ScriptedQMIModem.Act

  private func registration(
    _ system: [UInt8: [UInt8]], info: Act = .refuse(71), strength: Act = .refuse(71)
  ) async throws -> Registration {
    try await withQMI { request in
      switch (request.service, request.message) {
      case (3, 0x24): [.reply(system)]
      case (3, 0x4f): [info]
      case (3, 0x20): [strength]
      default: [.usual]
      }
    } _: { backend, _ in
      try await backend.registration()
    }
  }

  @Test(
    arguments: [
      (0, nil, .deregistered), (1, 1, .home), (1, 0, .roaming), (1, nil, .home), (2, nil, .searching),
      (3, nil, .denied),
      (4, nil, .unknown), (99, nil, .unknown),
    ] as [(UInt8, UInt8?, Registration.State)])
  func `has a state, and a network only when registered`(
    number: UInt8, roaming: UInt8?, state: Registration.State
  ) async throws {
    let registration = try await registration(QMIField.servingSystem(number, roaming: roaming))
    #expect(registration.state == state)
    #expect((registration.serving != nil) == state.allowsData)
    #expect((registration.technology != nil) == state.allowsData)
  }

  /// The TLVs of a Serving System in libqmi's test data: registered at home over UMTS, in a network
  /// whose name is packed.
  @Test func `is read from what a modem sent`() async throws {
    let registration = try await registration([
      0x01: [1, 1, 1, 2, 1, 5], 0x10: [1], 0x11: [4, 3, 4, 5, 11],
      0x12: [0xde, 0, 0x32, 0, 5, 0x49, 0x76, 0x3a, 0x4c, 0x06], 0x27: [0xde, 0, 0x32, 0, 0],
    ])
    #expect(registration.state == .home)
    #expect(registration.technology == .umts)
    #expect(registration.serving == Network(PLMN("22250")!, name: "Iliad"))
  }

  @Test(
    arguments: [
      ([0x19: [UInt8](repeating: 1, count: 16) + [1, 2, 11]], 11),
      ([0x18: [UInt8](repeating: 1, count: 16) + [1, 2, 7]], 7),
      ([0x19: [UInt8](repeating: 1, count: 16) + [0, 2, 11]], nil), ([:], nil),
    ] as [([UInt8: [UInt8]], Int?)])
  func `that the network denies tells the cause`(info: [UInt8: [UInt8]], cause: Int?) async throws {
    let denied = QMIField.servingSystem(3)
    let registration = try await withQMI { request in
      switch (request.service, request.message) {
      case (3, 0x24): [.reply(denied)]
      case (3, 0x4d): [.reply(info)]
      default: [.usual]
      }
    } _: { backend, _ in
      try await backend.registration()
    }
    #expect(registration.state == .denied)
    #expect(registration.cause == cause.map { .registration($0) })
  }

  @Test(
    arguments: [
      (310, 260, nil, "310260"), (302, 20, [0x2e, 1, 20, 0, 1], "302020"), (302, 20, [0x2e, 1, 20, 0, 0], "30220"),
      (302, 20, [0x06, 1, 20, 0, 1], "302020"), (262, 1, nil, "26201"),
    ] as [(UInt16, UInt16, [UInt8]?, String)])
  func `names a network whose MNC is as long as the modem says`(
    mcc: UInt16, mnc: UInt16, digit: [UInt8]?, plmn: String
  ) async throws {
    let system = QMIField.servingSystem(1, network: QMIField.network(mcc, mnc, "Net"), digit: digit)
    #expect(try await registration(system).serving == Network(PLMN(plmn)!, name: "Net"))
  }

  @Test(
    arguments: [
      ([4], .gsm), ([5], .umts), ([9], .umts), ([8], .lte), ([12], .nr), ([8, 12], .nrNonStandalone),
      ([4, 5, 8], .lte),
      ([], nil), ([1], nil),
    ] as [([UInt8], Registration.Technology?)])
  func `has the best technology of its cells`(interfaces: [UInt8], technology: Registration.Technology?) async throws {
    #expect(try await registration(QMIField.servingSystem(1, interfaces: interfaces)).technology == technology)
  }

  @Test(
    arguments: [
      ([8], [0x14: [0xb5, 0xf6, 0, 0, 0, 0], 0x12: [0xa6]], -75), ([4], [0x12: [0xa6]], -90),
      ([5], [0x13: [0xa1, 0, 0]], -95), ([], [0x13: [0xa1, 0, 0]], -95), ([12], [0x17: [0, 0, 0, 0]], nil),
      ([8], [0x14: [0x83, 0, 0, 0, 0, 0]], -113), ([8], [0x14: [0xf6, 0, 0, 0, 0, 0]], -51), ([8], [0x14: [0x80]], nil),
      ([8], [0x14: [0]], nil), ([8], [:], nil),
    ] as [([UInt8], [UInt8: [UInt8]], Int?)])
  func `hears the signal of its technology`(interfaces: [UInt8], info: [UInt8: [UInt8]], rssi: Int?) async throws {
    let registration = try await registration(QMIField.servingSystem(1, interfaces: interfaces), info: .reply(info))
    #expect(registration.rssi == rssi)
  }

  /// Interfaces in use, TLVs, and what they mean.
  static let cells: [(interfaces: [UInt8], info: [UInt8: [UInt8]], signal: ReferenceSignal)] = [
    ([8], [0x14: [0xb5, 0xf5, 0x9d, 0xff, 130, 0]], ReferenceSignal(rsrp: -99, rsrq: -11, sinr: 13)),
    ([12], [0x17: [0x9d, 0xff, 0xe6, 0xff], 0x18: [0xf5, 0xff]], ReferenceSignal(rsrp: -99, rsrq: -11, sinr: -3)),
    ([12], [0x17: [0x9d, 0xff, 130, 0]], ReferenceSignal(rsrp: -99, sinr: 13)),
    // The serving cell is that of LTE.
    (
      [8, 12], [0x14: [0xb5, 0xf5, 0x9d, 0xff, 130, 0], 0x17: [0x90, 0xff, 0, 0], 0x18: [0, 0]],
      ReferenceSignal(rsrp: -99, rsrq: -11, sinr: 13)
    ),
    ([8, 12], [0x17: [0x90, 0xff, 0, 0]], .none),
    // No technology is told: the cell that there is.
    ([], [0x14: [0xb5, 0xf5, 0x9d, 0xff, 130, 0]], ReferenceSignal(rsrp: -99, rsrq: -11, sinr: 13)),
    ([], [0x17: [0x9d, 0xff, 130, 0]], ReferenceSignal(rsrp: -99, sinr: 13)),
    ([4], [0x12: [0xb5], 0x14: [0xb5, 0xf5, 0x9d, 0xff, 130, 0]], .none), ([5], [0x13: [0xb5, 0, 0]], .none),
    // What modems say without a cell, and values of one that are unknown.
    ([8], [0x14: [0xb5, 0, 0, 0, 0, 0]], .none), ([12], [0x17: [0, 0x80, 0, 0x80], 0x18: [0, 0x80]], .none),
    ([8], [0x14: [0xb5, 0x80, 0x9d, 0xff, 0, 0x80]], ReferenceSignal(rsrp: -99)),
    ([8], [0x14: [0xb5, 0xf5, 0x9d, 0xff, 0xff, 0x7f]], ReferenceSignal(rsrp: -99, rsrq: -11)),
    // Cut short: the strength is still told.
    ([8], [0x14: [0xb5]], .none), ([8], [0x14: [0xb5, 0xf5, 0x9d, 0xff, 130]], .none), ([12], [0x17: [0x9d]], .none),
    ([12], [0x17: [0x9d, 0xff, 130, 0], 0x18: [1]], ReferenceSignal(rsrp: -99, sinr: 13)),
  ]

  @Test(arguments: cells.indices) func `reads what the modem measures of its cell`(row: Int) async throws {
    let (interfaces, info, signal) = Self.cells[row]
    let registration = try await registration(QMIField.servingSystem(1, interfaces: interfaces), info: .reply(info))
    #expect(registration.referenceSignal == signal)
    if info[0x14] != nil, interfaces != [4] { #expect(registration.rssi == -75) }
  }

  @Test func `hears the signal also where the modem knows the old question only`() async throws {
    #expect(try await registration(QMIField.servingSystem(1), strength: .reply([1: [0xb5, 8]])).rssi == -75)
    #expect(try await registration(QMIField.servingSystem(1)).rssi == nil)
  }

  @Test(
    arguments: [[:], [1: []], [1: [1, 1, 1, 2, 9, 8]], [1: [1, 1, 1, 2, 0], 0x12: [1, 0, 1, 0, 200]]]
      as [[UInt8: [UInt8]]])
  func `that is cut short cannot be read`(system: [UInt8: [UInt8]]) async {
    #expect(await modemError { try await registration(system) }?.code == .badReply)
  }
}

@Suite(.timeLimit(.minutes(1))) struct `Attaching a QMI modem` {
  private func attach(
    limits: QMIConfiguration.Limits = .init(query: .seconds(20)), _ systems: [[UInt8: [UInt8]]],
    _ answer: ScriptedQMIModem.Act = .reply()
  ) async throws -> (error: ModemError?, asked: [UInt16]) {
    try await withQMI(limits: limits) { request in
      switch (request.service, request.message) {
      case (3, 0x24): [.reply(systems[min(request.earlier, systems.count - 1)])]
      case (3, 0x23): [answer, .indicate(service: 3, message: 0x24, systems.last!)]
      default: [.usual]
      }
    } _: { backend, modem in
      let error = await modemError { try await backend.attach() }
      await modem.stopListening()
      return (
        error, await modem.requests.reduce(into: []) { if [0x23, 0x24].contains($1.message) { $0.append($1.message) } }
      )
    }
  }

  private static let (attached, detached) = (
    QMIField.servingSystem(1), QMIField.servingSystem(1, attached: false)
  )

  @Test func `that is attached does nothing`() async throws {
    let (error, asked) = try await attach([Self.attached])
    #expect(error == nil)
    #expect(asked == [0x24])
  }

  @Test func `waits until the serving system says so`() async throws {
    let (error, asked) = try await attach([Self.detached, Self.detached, Self.attached])
    #expect(error == nil)
    #expect(asked == [0x24, 0x23, 0x24, 0x24])
  }

  @Test func `that the network does not want says so`() async throws {
    #expect(try await attach([Self.detached, QMIField.servingSystem(3, attached: false)]).error?.code == .refused)
    #expect(try await attach([Self.detached], .refuse(53)).error?.code == .notRegistered)
    #expect(try await attach([Self.detached, Self.attached], .refuse(26)).error == nil)
  }

  @Test func `ends at its time limit`() async throws {
    let limits = QMIConfiguration.Limits(query: .seconds(20), attach: .milliseconds(150))
    #expect(try await attach(limits: limits, [Self.detached]).error?.code == .timeout)
  }
}

@Suite struct `A network's name over QMI` {
  @Test(
    arguments: [
      (Array("Telekom.de".utf8), "Telekom.de"), (Array(" T-Mobile\0".utf8), "T-Mobile"),
      ([0x49, 0x76, 0x3a, 0x4c, 0x06], "Iliad"), ([0x54, 0, 0x2d, 0, 0x4d, 0], "T-M"),
      (Array("Møbil".utf8), "Møbil"), ([], nil), ([0, 0], nil), ([0x1b, 0], nil),
    ] as [([UInt8], String?)])
  func `is text, UCS-2 or packed`(bytes: [UInt8], name: String?) {
    #expect(networkName(bytes) == name)
  }
}
