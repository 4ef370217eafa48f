import ModemModel
import QMIBackend
import Testing

@Suite(.timeLimit(.minutes(1))) struct `A QMI modem's identity` {
  private func identity(_ answers: [UInt16: ScriptedQMIModem.Act]) async throws -> DeviceIdentity {
    try await withQMI {
      $0.service == 2 ? [answers[$0.message] ?? .usual] : [.usual]
    } _: { backend, _ in
      try await backend.identity()
    }
  }

  @Test func `is put together from its parts`() async throws {
    let identity = try await identity([
      0x21: .reply([1: Array("Sierra Wireless, Incorporated\t".utf8)]), 0x22: .reply([1: Array(" EM7455\r\n\0".utf8)]),
      0x23: .reply([1: Array("SWI9X30C_02.33\0\0".utf8)]),
      0x25: .reply([0x10: Array("0".utf8), 0x11: Array("356938035643809".utf8)]),
    ])
    #expect(
      identity
        == DeviceIdentity(
          manufacturer: "Sierra Wireless, Incorporated", model: "EM7455", firmware: "SWI9X30C_02.33",
          imei: "356938035643809"))
  }

  @Test(arguments: ["", "0", "000000000000000", "A1000017A8B2C3", "3569380356438091"])
  func `has no IMEI where it is something else`(imei: String) async throws {
    #expect(try await identity([0x25: .reply([0x11: Array(imei.utf8)])]) == DeviceIdentity())
  }

  @Test func `leaves out what the modem refuses, and bytes that are no text`() async throws {
    let identity = try await identity([0x21: .reply([1: [0xff, 0x41, 0]]), 0x22: .reply(), 0x23: .refuse(3)])
    #expect(identity == DeviceIdentity(manufacturer: "\u{fffd}A"))
  }
}
