import MBIMBackend
import ModemModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An MBIM modem's registration` {
  private func registration(_ state: [UInt8], rssi: UInt32? = 99) async throws -> Registration {
    try await withMBIM { request in
      switch request.cid {
      case CID.registerState: [.reply(state)]
      case CID.signalState: rssi.map { [.reply(Information.signal(rssi: $0))] } ?? [.reply(status: 2)]
      default: []
      }
    } _: { backend, _ in
      try await backend.registration()
    }
  }

  @Test func `names the serving network`() async throws {
    let state = Information.registerState(4, provider: "310026", name: "T-Mobile")
    #expect(
      try await registration(state, rssi: 20)
        == Registration(
          state: .roaming, serving: Network(PLMN(mcc: "310", mnc: "026")!, name: "T-Mobile"), technology: .lte,
          rssi: -73))
  }

  @Test(
    arguments: [
      (0, .unknown), (1, .deregistered), (2, .searching), (3, .home), (4, .roaming), (5, .partner), (6, .denied),
      (42, .unknown),
    ] as [(UInt32, Registration.State)])
  func `has a state`(number: UInt32, state: Registration.State) async throws {
    #expect(try await registration(Information.registerState(number)).state == state)
  }

  @Test func `that was denied tells why`() async throws {
    let registration = try await registration(Information.registerState(6, cause: 11, provider: "26202"))
    #expect(registration == Registration(state: .denied, cause: .registration(11)))
    #expect(registration.cause?.text == "PLMN not allowed")
  }

  @Test(
    arguments: [
      (0x80, .nr), (0xff, .nr), (0x7f, .nrNonStandalone), (0x3f, .lte), (0x1c, .umts), (0x08, .umts), (0x03, .gsm),
      (0, nil), (0x8000_0000, nil),
    ] as [(UInt32, Registration.Technology?)])
  func `has the best technology of the cell`(classes: UInt32, technology: Registration.Technology?) async throws {
    #expect(try await registration(Information.registerState(3, classes: classes)).technology == technology)
  }

  @Test(arguments: [(0, -113), (1, -111), (31, -51), (32, nil), (99, nil), (.max, nil)] as [(UInt32, Int?)])
  func `has a signal strength in dBm where the modem knows it`(rssi: UInt32, dBm: Int?) async throws {
    #expect(try await registration(Information.registerState(3), rssi: rssi).rssi == dBm)
  }

  @Test func `is there even where the signal is not`() async throws {
    #expect(try await registration(Information.registerState(3), rssi: nil).state == .home)
  }
}
