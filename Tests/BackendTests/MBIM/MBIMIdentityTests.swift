import MBIMBackend
import ModemModel
import Testing

@Suite(.timeLimit(.minutes(1))) struct `An MBIM modem's identity` {
  private func identity(_ caps: [UInt8]) async throws -> DeviceIdentity {
    try await withMBIM {
      $0.cid == CID.deviceCaps ? [.reply(caps)] : []
    } _: { backend, _ in
      try await backend.identity()
    }
  }

  @Test func `is read from the device capabilities`() async throws {
    let caps = Information.deviceCaps(id: "356938035643809", firmware: "SWI9X30C_02.33\r\n", hardware: " EM7455\t")
    #expect(
      try await identity(caps)
        == DeviceIdentity(model: "EM7455", firmware: "SWI9X30C_02.33", imei: "356938035643809"))
  }

  @Test(arguments: ["", "0", "000000000000000", "A1000017A8B2C3", "3569380356438091"])
  func `has no IMEI where the device id is something else`(id: String) async throws {
    #expect(try await identity(Information.deviceCaps(id: id)) == DeviceIdentity())
  }

  @Test func `that is cut short cannot be read`() async {
    let caps = Array(Information.deviceCaps(id: "356938035643809").prefix(50))
    #expect(await modemError { try await identity(caps) }?.code == .badReply)
  }
}
