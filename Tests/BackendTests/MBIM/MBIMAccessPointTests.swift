import ModemModel
import Testing

@testable import MBIMBackend

@Suite(.timeLimit(.minutes(1))) struct `Provisioned contexts of an MBIM modem` {
  private static let internet: [UInt8] = Array(Information.connect(1)[16..<32])
  private static let mms: [UInt8] = [0x46, 0x72, 0x6f, 0x6d] + [UInt8](repeating: 7, count: 12)

  private static func context(
    _ type: [UInt8], _ name: String, user: String = "", password: String = "", authentication: UInt32 = 0
  ) -> [UInt8] {
    Information.buffer([
      .number(7), .bytes(type), .text(name), .text(user), .text(password), .number(0), .number(authentication),
    ])
  }

  static func list(_ contexts: [[UInt8]]) -> [UInt8] {
    var offset = UInt32(4 + contexts.count * 8)
    var head = [UInt32(contexts.count)]
    for context in contexts {
      head += [offset, UInt32(context.count)]
      offset += UInt32(context.count)
    }
    return head.bytes + contexts.flatMap(\.self)
  }

  @Test func `are those for the Internet, with what they want to be shown`() async throws {
    let list = Self.list([
      Self.context(Self.mms, "mms.example"),
      Self.context(Self.internet, "internet.example", user: "anna", password: "geheim", authentication: 2),
      Self.context(Self.internet, ""), Self.context(Self.internet, "second.example"),
    ])
    let script: @Sendable (ScriptedModem.Request) -> [ScriptedModem.Act] = { request in
      request.cid == 13 ? [.reply(list)] : []
    }
    try await withMBIM(script: script) { backend, _ in
      let found = try await backend.provisionedAccessPoints()
      #expect(
        found == [
          AccessPoint(
            name: "internet.example", user: "anna", password: APNPassword("geheim"), authentication: .chap,
            source: .modem),
          AccessPoint(name: "second.example", source: .modem),
        ])
    }
  }

  @Test func `are none where the modem does not know the question`() async throws {
    try await withMBIM(script: { _ in [.reply(status: 9, [])] }) { backend, _ in
      let found = try await backend.provisionedAccessPoints()
      #expect(found == [])
    }
  }

  @Test(arguments: [3, 1000, 0x7fff_ffff, 0xffff_ffff] as [UInt32])
  func `that are fewer than the modem counts are an error, and no crash`(count: UInt32) async throws {
    var list = Self.list([Self.context(Self.internet, "internet.example")])
    list.replaceSubrange(0..<4, with: [count].bytes)
    let information = list
    try await withMBIM(script: { $0.cid == 13 ? [.reply(information)] : [] }) { backend, _ in
      #expect(await modemError { try await backend.provisionedAccessPoints() }?.code == .badReply)
      let format = try await backend.negotiateLinkFormat()
      #expect(format == .rawIP)
    }
  }

  @Test func `that are cut or changed anywhere are read or refused, without a trap`() {
    let list = Self.list([Self.context(Self.internet, "internet.example", user: "anna", password: "geheim")])
    for length in 0..<list.count { _ = ProvisionedContexts.accessPoints(Array(list.prefix(length))) }
    for position in list.indices {
      for value in [0, 1, 0x7f, 0xff] as [UInt8] {
        var changed = list
        changed[position] = value
        _ = ProvisionedContexts.accessPoints(changed)
      }
    }
    #expect(ProvisionedContexts.accessPoints(list)?.first?.name == "internet.example")
  }
}
