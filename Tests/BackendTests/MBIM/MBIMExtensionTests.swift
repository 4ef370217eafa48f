import CMBIM
import ModemModel
import Testing

@testable import MBIMBackend

/// Behind mbim-proxy another program may have agreed on version 3 of Microsoft's extensions, for
/// every client.
@Suite(.timeLimit(.minutes(1))) struct `An MBIM modem that speaks Microsoft's extensions 3.0` {
  private func withExtensions<Result: Sendable>(
    script: @escaping @Sendable (ScriptedModem.Request) -> [ScriptedModem.Act],
    _ body: (MBIMBackend, ScriptedModem) async throws -> Result
  ) async throws -> Result {
    try await withMBIM(script: script) { backend, modem in
      try await backend.follow(.v3)
      return try await body(backend, modem)
    }
  }

  /// A WCHAR_STR (MBIMEx 3.0): type 10, padding, length, text.
  private static func text(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    let padding = (4 - units.count % 4) % 4
    return [10, 0, 0, UInt8(padding)] + [UInt32(units.count)].bytes + units + [UInt8](repeating: 0, count: padding)
  }

  @Test func `tells its identity in the extensions' own message`() async throws {
    let bands: [UInt8] = [11, 0, 0, 0] + [4].bytes + [1, 0, 3, 0]
    let caps: [UInt8] =
      [1, 1, 1, 2, 0x60, 3, 1].bytes + [0, 0, 16, 0, 7].bytes + bands + bands
      + ["", "356938035643809", "FM350_1.2", "FM350-GL"].flatMap(Self.text)
    let identity = try await withExtensions { request in
      request.service.first == 0x3d && request.cid == 6 ? [.reply(caps)] : [.reply(status: 9)]
    } _: { backend, _ in
      try await backend.identity()
    }
    #expect(identity == DeviceIdentity(model: "FM350-GL", firmware: "FM350_1.2", imei: "356938035643809"))
  }

  @Test func `tells its SIM's numbers behind one more field`() async throws {
    let ready = Information.buffer([
      .number(1), .number(0), .text("262011234567890"), .text("89490200001234567890"), .number(0), .number(2),
      .text(""), .text("+491710000000"),
    ])
    let status = try await withExtensions { request in
      request.cid == CID.subscriberReady ? [.reply(ready)] : [.reply(status: 9)]
    } _: { backend, _ in
      try await backend.simStatus()
    }
    #expect(status.imsi?.revealed == "262011234567890")
    #expect(status.iccid?.revealed == "89490200001234567890")
    #expect(status.numbers.map(\.revealed) == ["+491710000000"])
  }

  /// A Connect of MBIMEx 3.0: medium and access point behind that of MBIM 1.0.
  private static func connect(_ state: UInt32) -> [UInt8] { Information.connect(state) + [1].bytes + text("internet") }

  @Test func `has its own order of what a bearer is asked for`() async throws {
    let requests = try await withExtensions { request in
      switch request.cid {
      case CID.connect:
        [.reply(Self.connect(request.isSet ? request.information.number(at: 4) == 1 ? 1 : 3 : 3))]
      case CID.ipConfiguration:
        [.reply(Information.ipConfiguration(ipv4: .init(available: 1, addresses: [(30, [10, 0, 0, 2])])))]
      default: []
      }
    } _: { backend, modem in
      _ = try await backend.connect(
        BearerRequest(
          apn: "internet", user: "anna", password: APNPassword("geheim"), authentication: .chap, ipType: .ipv4))
      await modem.stopListening()
      return await modem.requests.reduce(into: []) { $0.append($1) }
    }
    #expect(requests.first?.information == [0].bytes)
    #expect(
      requests[1].information
        == [0, 1, 0, 2, 1].bytes + Information.connect(1)[16..<32] + [1].bytes
        + ["internet", "anna", "geheim"].flatMap(Self.text))
  }
}
