import ModemModel
import ModemSimulator
import NetworkAddress
import ReplyCheck
import Testing

@testable import MBIMBackend

@Suite(.timeLimit(.minutes(2))) struct `An MBIM modem with extensions` {
  /// Opens a backend on a simulated modem.
  private func withSimulated<Result: Sendable>(
    _ extensions: ExtensionsVersion, wanted: MBIMExtensions = .v3,
    _ change: (inout SimulatedModemConfiguration) -> Void = { _ in },
    _ body: (MBIMBackend, SimulatedModem) async throws -> Result
  ) async throws -> Result {
    var configuration = SimulatedModemConfiguration()
    configuration.mbimExtensions = extensions
    configuration.sim?.numbers = ["+447700900123", "+447700900124"]
    change(&configuration)
    let modem = SimulatedModem(configuration)
    let limits = MBIMConfiguration.Limits(query: .seconds(20), addresses: .seconds(20))
    let backend = MBIMBackend(
      MBIMConfiguration(path: try modem.plugIn(), limits: limits, extensions: wanted))
    do {
      try await backend.open()
      let result = try await body(backend, modem)
      await backend.close()
      modem.unplug()
      return result
    } catch {
      await backend.close()
      modem.unplug()
      throw error
    }
  }

  @Test(
    arguments: [
      (.none, .v3, .none), (.v2, .v3, .v2), (.v3, .v3, .v3), (.v3, .v2, .v2), (.v3, .none, .none),
    ] as [(ExtensionsVersion, MBIMExtensions, MBIMExtensions)])
  func `agrees on the highest version that both know`(
    modem: ExtensionsVersion, wanted: MBIMExtensions, agreed: MBIMExtensions
  ) async throws {
    let version = try await withSimulated(modem, wanted: wanted) { backend, _ in try await backend.versionInForce() }
    #expect(version == agreed)
  }

  /// Every version says the same, each in its own messages.
  @Test(arguments: ExtensionsVersion.allCases) func `says the same in each version`(version: ExtensionsVersion)
    async throws
  {
    try await withSimulated(version) { backend, modem in
      let identity = try await backend.identity()
      #expect(identity == DeviceIdentity(model: "SM1-A", firmware: "SM1_1.0.0", imei: "004999010640000"))
      let sim = try await backend.simStatus()
      #expect(sim.state == .ready)
      #expect(sim.imsi?.revealed == "234150000000001")
      #expect(sim.iccid?.revealed == "8944100000000000015")
      #expect(sim.numbers.map(\.revealed) == ["+447700900123", "+447700900124"])
      #expect(sim.home?.plmn.description == "23415")
      let registration = try await backend.registration()
      #expect(
        registration
          == Registration(
            state: .home, serving: Network(PLMN("23415")!, name: "Simulated Mobile"), technology: .lte, rssi: -71,
            referenceSignal: version == .none ? .none : ReferenceSignal(rsrp: -99, sinr: 13)))
      try await backend.attach()
      let settings = try await backend.connect(
        BearerRequest(apn: "internet", user: "anna", password: APNPassword("geheim"), authentication: .chap))
      #expect(settings.ipv4?.prefix.description == "10.64.0.2/30")
      #expect(settings.ipv6?.prefix.description == "2001:db8:64::2/64")
      #expect(modem.snapshot.bearers.count == 1)
      modem.dropBearers(cause: 36)
      for await event in backend.events where event == .bearerDropped(.session(36)) { break }
      #expect(modem.snapshot.bearers.isEmpty)
    }
  }

  @Test(arguments: ExtensionsVersion.allCases)
  func `tells why the network refuses, in each version`(version: ExtensionsVersion) async throws {
    let error = try await withSimulated(version, { $0.accessPoints = ["internet"] }) { backend, _ in
      await modemError { try await backend.connect(BearerRequest(apn: "elsewhere")) }
    }
    #expect(error?.code == .refused)
    #expect(error?.networkCause == .session(27))
  }

  @Test(
    arguments: ExtensionsVersion.allCases.flatMap { version in
      [Registration.Technology.gsm, .umts, .lte, .nrNonStandalone, .nr].map { (version, $0) }
    })
  func `tells its technology in each version`(version: ExtensionsVersion, technology: Registration.Technology)
    async throws
  {
    let registration = try await withSimulated(version, { $0.network.technology = technology }) { backend, _ in
      try await backend.registration()
    }
    #expect(registration.technology == technology)
    #expect(registration.rssi == -71)
    // Of the serving cell, also where a cell of 5G is measured beside it; MBIM 1.0 has none.
    let isMeasured = version >= .v2 && technology != .gsm && technology != .umts
    #expect(registration.referenceSignal == (isMeasured ? ReferenceSignal(rsrp: -99, sinr: 13) : .none))
  }

  /// The codes of MBIM_RSRP_SNR_INFO, and what they mean.
  static let cells: [(codes: [UInt32], signal: ReferenceSignal)] = [
    ([58, 73, 0, 0, 0x20], ReferenceSignal(rsrp: -99, sinr: 13)),
    ([1, 1, 0, 0, 0x20], ReferenceSignal(rsrp: -156, sinr: -23)),
    ([126, 127, 0, 0, 0x20], ReferenceSignal(rsrp: -31, sinr: 40)),
    ([1, 0, 0, 0, 0x20], ReferenceSignal(rsrp: -156, sinr: -23)), ([0, 0, 0, 0, 0x20], .none),
    ([127, 128, 0, 0, 0x20], .none), ([127, 73, 0, 0, 0x20], ReferenceSignal(sinr: 13)),
    ([58, 129, 0, 0, 0x20], ReferenceSignal(rsrp: -99)), ([.max, .max, 0, 0, 0x20], .none),
    // Another cell's, and both in one.
    ([58, 73, 0, 0, 0x40], .none), ([58, 73, 0, 0, 0x60], ReferenceSignal(rsrp: -99, sinr: 13)),
    ([0x40, 73, 0, 0, 0x80, 58, 73, 0, 0, 0x20], ReferenceSignal(rsrp: -99, sinr: 13)), ([], .none),
  ]

  @Test(arguments: cells.indices) func `reads what it measures`(row: Int) async throws {
    let (codes, signal) = Self.cells[row]
    let state = Information.buffer(
      [0, 3, 1, 0x20, 1].map { .number($0) } + [.text("26201"), .text(""), .text(""), .number(0), .number(0)])
    let block: [UInt32] = [28, UInt32(4 + 4 * codes.count), UInt32(codes.count / 5)] + codes
    let registration = try await withMBIM { request in
      switch request.cid {
      case CID.registerState: [.reply(state)]
      case CID.signalState: [.reply(([20, 99, 0, 0, 0] + (codes.isEmpty ? [0, 0] : block)).bytes)]
      default: [.reply(status: 9)]
      }
    } _: { backend, _ in
      try await backend.follow(.v2)
      return try await backend.registration()
    }
    #expect(registration.rssi == -73 && registration.referenceSignal == signal)
  }

  @Test(arguments: [ExtensionsVersion.v2, .v3])
  func `indicates a cell that fades, with what is asked then`(version: ExtensionsVersion) async throws {
    try await withSimulated(version) { backend, modem in
      _ = try await backend.registration()
      modem.setSignal(rssi: -93, ReferenceSignal(rsrp: -124, rsrq: -17, sinr: -5))
      for await event in backend.events where event == .signalChanged { break }
      let registration = try await backend.registration()
      #expect(registration.rssi == -93 && registration.referenceSignal == ReferenceSignal(rsrp: -124, sinr: -5))
      modem.setSignal(rssi: nil)
      for await event in backend.events where event == .signalChanged { break }
      let nothing = try await backend.registration()
      #expect(nothing.rssi == nil && nothing.referenceSignal == .none)
    }
  }

  @Test func `reports changes in version 3`() async throws {
    try await withSimulated(.v3, { $0.attachesByItself = false }) { backend, modem in
      try await backend.attach()
      #expect(modem.snapshot.isAttached)
      modem.removeSIM()
      for await event in backend.events where event == .simChanged { break }
      let sim = try await backend.simStatus()
      #expect(sim.state == .absent)
    }
  }

  /// Trap: libmbim's own way to ask for a version fails the opening of such a modem.
  @Test(arguments: [.fail, .answer(status: 9), .answer(status: 2)] as [SimulatedFault.Action])
  func `that refuses to list its services opens plainly`(fault: SimulatedFault.Action) async throws {
    try await withSimulated(.v3, { $0.faults = [SimulatedFault(on: .versions, fault, times: 1)] }) { backend, _ in
      let (version, sim) = (try await backend.versionInForce(), try await backend.simStatus())
      #expect(version == .none)
      #expect(sim.numbers.count == 2)
    }
  }

  /// What is in force then is not known: the modem may have taken the new version.
  @Test func `that does not answer the exchange of versions is opened anew without it`() async throws {
    let modem = await ScriptedModem { request in
      switch (request.service, request.cid) {
      case (MBIMServiceID.basicConnect.bytes, 16):
        [.reply([1, 0, 16, 32].bytes + MBIMServiceID.extensions.bytes + [0, 0, 1, 15].bytes)]
      case (MBIMServiceID.basicConnect.bytes, CID.subscriberReady):
        [.reply(Information.subscriberReady(1, numbers: ["+491710000000"]))]
      case (MBIMServiceID.extensions.bytes, 15): []
      default: [.reply(status: 9)]
      }
    }
    let backend = MBIMBackend(
      MBIMConfiguration(path: modem.path, limits: .init(query: .seconds(2)), extensions: .v3))
    try await backend.open()
    #expect(try await backend.versionInForce() == .none)
    // OPEN, the two commands, CLOSE, OPEN.
    #expect(await modem.messageTypes == [1, 3, 3, 2, 1])
    await backend.close()
    await modem.hangUp()
  }

  @Test(
    arguments: [
      [0x0100, 0x0300].shortBytes, [0x0100, 0x0400].shortBytes, [0x0100, 0x0200].shortBytes, [0x0100, 0].shortBytes,
    ] as [[UInt8]])
  func `speaks what it answered`(answer: [UInt8]) async throws {
    let script: @Sendable (ScriptedModem.Request) -> [ScriptedModem.Act] = { request in
      switch request.cid {
      case 16: [.reply([1, 0, 16, 32].bytes + MBIMServiceID.extensions.bytes + [0, 0, 1, 15].bytes)]
      case 15: [.reply(answer)]
      default: [.reply(status: 9)]
      }
    }
    let version = try await withMBIM(extensions: .v3, script: script) { backend, _ in
      try await backend.versionInForce()
    }
    #expect(version == min(.v3, MBIMExtensions(wire: UInt16(answer[3]) << 8)))
  }

  /// A list of services that is wrong is none, and never reaches libmbim's parser.
  @Test(arguments: [0x4000_0000, 0xffff_ffff, 2] as [UInt32])
  func `that lies about its services opens plainly`(count: UInt32) async throws {
    let script: @Sendable (ScriptedModem.Request) -> [ScriptedModem.Act] = { request in
      request.cid == 16
        ? [.reply([count, 0, 16, 32].bytes + MBIMServiceID.extensions.bytes + [0, 0, count, 15].bytes)]
        : [.reply(status: 9)]
    }
    let version = try await withMBIM(extensions: .v3, script: script) { backend, _ in
      try await backend.versionInForce()
    }
    #expect(version == .none)
  }
}

extension MBIMBackend {
  /// The version of the extensions in force.
  func versionInForce() throws -> MBIMExtensions { try openDevice(for: "test").extensions }
}
