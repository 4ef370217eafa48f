import ModemModel
import ReplyCheck
import Testing

@testable import MBIMBackend
@testable import QMIBackend

@Suite("What is told of control messages") struct OutlineTests {
  private static func message(
    _ type: UInt32, _ service: MBIMServiceID, _ cid: UInt32, status: UInt32? = nil, kind: UInt32? = nil,
    _ information: [UInt8]
  ) -> [UInt8] {
    let numbers = [cid] + [status ?? kind].compactMap { $0 } + [UInt32(information.count)]
    let head: [UInt8] = [1, 0].bytes + service.bytes + numbers.bytes
    let start: [UInt32] = [type, UInt32(12 + head.count + information.count), 7]
    return start.bytes + head + information
  }

  /// UTF-16, as MBIM has texts.
  private static func wide(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] } }

  @Test("A query, a reply, an indication: name, number, status, and the leading states alone")
  func mbim() throws {
    let query = try MBIMOutline(Self.message(3, .basicConnect, 9, kind: 0, []))
    #expect(query.name == "Basic Connect REGISTER_STATE query" && query.transaction == 7 && query.status == nil)
    #expect(query.detail == nil && !query.isIndication)
    // Behind the states stand the provider's id and names.
    let state = Self.message(
      0x8000_0003, .basicConnect, 9, status: 0, [0, 3, 1, 32, 1, 48, 10].bytes + Self.wide("26201Operator"))
    let reply = try MBIMOutline(state)
    #expect(reply.status == 0 && reply.length == state.count)
    #expect(
      reply.detail
        == "NwError 0, RegisterState 3, RegisterMode 1, AvailableDataClasses 32, CurrentCellularClass 1, 54 bytes")
    let indication = try MBIMOutline(Self.message(0x8000_0007, .basicConnect, 11, [20, 99].bytes))
    #expect(indication.isIndication && indication.detail == "Rssi 20, ErrorRate 99, 8 bytes")
    let lead: [UInt32] = [20, 99, 30, 1, 0, 28]
    let cells = [24, 1, 58, 73, 0, 0, 0x20].bytes
    for type: UInt32 in [0x8000_0003, 0x8000_0007] {
      let status: UInt32? = type == 0x8000_0003 ? 0 : nil
      let signal = try MBIMOutline(Self.message(type, .basicConnect, 11, status: status, lead.bytes + cells))
      #expect(
        signal.detail == "Rssi 20, ErrorRate 99, SignalStrengthInterval 30, RssiThreshold 1, Rsrp 58, Snr 73, "
          + "SystemType 32, 52 bytes")
      // Counts and offsets that lie.
      for wrong: [UInt32] in [[.max, 24, 1], [28, 24, .max], [0, 24, 1], [48, 24, 1], [28, 24, 0]] {
        let hostile = [20, 99, 30, 1, 0].bytes + wrong.bytes + [58, 73, 0, 0, 0x20].bytes
        let detail = try MBIMOutline(Self.message(type, .basicConnect, 11, status: status, hostile)).detail
        #expect(detail?.contains("RssiThreshold 1, ") == true && detail?.hasSuffix("52 bytes") == true)
      }
    }
    let refused = try MBIMOutline(Self.message(0x8000_0003, .basicConnect, 12, status: 29, [1, 2, 3].bytes))
    #expect(refused.status == 29 && refused.detail == "12 bytes")
    #expect(try MBIMOutline([1, 16, 5, 4096].bytes).name == "OPEN")
    #expect(try MBIMOutline([0x8000_0001, 16, 5, 0].bytes).status == 0)
  }

  @Test(
    "Of a PIN, an access point, a SIM's numbers, a message and an unknown service only the length is told",
    arguments: [
      (MBIMServiceID.basicConnect, 4 as UInt32), (.basicConnect, 2), (.basicConnect, 12), (.basicConnect, 15),
      (.sms, 2),
      (.uicc, 9), (.uicc, 4), (.auth, 1), (.qmi, 1), (MBIMServiceID([UInt8](repeating: 9, count: 16)), 1),
    ] as [(MBIMServiceID, UInt32)])
  func personal(service: MBIMServiceID, cid: UInt32) throws {
    // The numbers of a header are followed by what must not be told, as text and as a number.
    let secret = [UInt32](repeating: 262_019, count: 12).bytes + Self.wide("001010123456789 1234 internet")
    for type: UInt32 in [3, 0x8000_0003, 0x8000_0007] {
      let lead = [UInt32](repeating: 1, count: 4).bytes
      let outline = try MBIMOutline(
        Self.message(
          type, service, cid, status: type == 0x8000_0003 ? 0 : nil, kind: type == 3 ? 1 : nil, lead + secret))
      #expect(outline.detail?.contains("262019") != true, "\(outline)")
      #expect("\(outline)".contains("001010") == false && "\(outline)".contains("internet") == false)
    }
  }

  @Test("A QMI message: service, number, TLVs by their lengths, and states by their values")
  func qmi() throws {
    // NAS Get Serving System, a reply: success, registration, and the provider's name.
    let fields: [(UInt8, [UInt8])] = [
      (2, [0, 0, 0, 0]), (1, [1, 1, 1, 2, 1, 8]), (0x12, [6, 1, 1, 0, 4] + Array("Test".utf8)),
    ]
    let reply = try #require(QMIOutline(Self.qmux(3, 2, 0x24, fields)))
    #expect(reply.name == "NAS 0x0024" && reply.transaction == 0x0107 && reply.status == 0)
    #expect(reply.detail == "0x01=01 01 01 02 01 08, 0x12(9)")
    let signal = try #require(
      QMIOutline(
        Self.qmux(3, 4, 0x51, [(0x14, [0xb5, 0xf5, 0x9d, 0xff, 130, 0]), (0x17, [1, 2, 3, 4]), (0x18, [5, 6])])))
    #expect(signal.isIndication && signal.detail == "0x14=b5 f5 9d ff 82 00, 0x17=01 02 03 04, 0x18=05 06")
    // DMS Get MSISDN: none of its values.
    let number = try #require(QMIOutline(Self.qmux(2, 2, 0x24, [(2, [1, 0, 25, 0]), (1, Array("15198765432".utf8))])))
    #expect(number.status == 25 && number.detail == "0x01(11)")
    // A request's values are the caller's: PINs, names of access points.
    let request = try #require(QMIOutline(Self.qmux(1, 0, 0x22, [(1, [1, 2])])))
    #expect(request.detail == "0x01(2)" && !request.isIndication)
    #expect(QMIOutline(Self.qmux(1, 4, 0x22, [(1, [2, 0])]))?.isIndication == true)
    #expect(QMIOutline([1, 11, 0, 0x80, 0, 0, 1, 5, 0x21, 0, 0, 0])?.name == "CTL 0x0021")
  }

  @Test("Of a challenge and its answer the message, the status words and the lengths are told")
  func challenges() throws {
    let query = try MBIMOutline(Self.message(3, .auth, 1, kind: 0, Known.rand + Known.autn))
    #expect(query.name == "AUTH AKA query" && query.detail == "32 bytes")
    let answer = try MBIMOutline(Self.message(0x8000_0003, .auth, 1, status: 0, ScriptedMBIMCard.aka()))
    #expect(answer.name == "AUTH AKA" && answer.detail == "66 bytes")
    let late = try MBIMOutline(
      Self.message(0x8000_0003, .auth, 1, status: 36, ScriptedMBIMCard.aka(res: [], auts: Known.auts)))
    #expect(late.status == 36 && late.detail == "66 bytes")
    let command = try MBIMOutline(
      Self.message(3, .uicc, 4, kind: 1, [1, 0, 0, 4, 20].bytes + Known.rand.prefix(4)))
    #expect(command.name == "UICC Low Level Access APDU set" && command.detail == "24 bytes")
    let content = try MBIMOutline(
      Self.message(0x8000_0003, .uicc, 4, status: 0, ScriptedMBIMCard.content(Known.success())))
    #expect(content.detail == "Status 144, 56 bytes")
    let uim = try #require(
      QMIOutline(Self.qmux(11, 2, 0x34, [(2, [0, 0, 0, 0]), (0x10, [0x90, 0]), (0x11, Known.success())])))
    #expect(uim.name == "UIM 0x0034 Authenticate" && uim.detail == "0x10=90 00, 0x11(44)")
    let sent = try #require(QMIOutline(Self.qmux(11, 0, 0x3b, [(1, [1]), (2, Known.rand), (0x10, [1])])))
    #expect(sent.name == "UIM 0x003b Send APDU" && sent.detail == "0x01(1), 0x02(16), 0x10(1)")
    let data = try #require(
      QMIOutline(Self.qmux(11, 2, 0x3b, [(2, [0, 0, 0, 0]), (0x10, [4, 0, 0xdb, 4, 0x90, 0])])))
    #expect(data.detail == "0x10(6)")
  }

  private static func qmux(
    _ service: UInt8, _ flags: UInt8, _ message: UInt16, _ fields: [(UInt8, [UInt8])]
  ) -> [UInt8] {
    var content: [UInt8] = []
    for (type, value) in fields { content += [type, UInt8(value.count), 0] + value }
    let length = UInt16(12 + content.count)
    var bytes: [UInt8] = [1, UInt8(length & 0xff), UInt8(length >> 8), 0x80, service, 1, flags, 7, 1]
    bytes += [UInt8(message & 0xff), UInt8(message >> 8), UInt8(content.count), 0]
    return bytes + content
  }

  @Test("Every beginning of a message, and any bytes, are read or refused")
  func cutOff() {
    let mbim = Self.message(0x8000_0003, .basicConnect, 1, status: 0, [UInt32](repeating: 1, count: 16).bytes)
    let qmi = Self.qmux(3, 2, 0x24, [(2, [0, 0, 0, 0]), (1, [1, 1, 1, 2, 1, 8])])
    for count in 0...mbim.count { _ = try? MBIMOutline(Array(mbim.prefix(count))) }
    for count in 0...qmi.count { _ = QMIOutline(Array(qmi.prefix(count))) }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      var (first, second) = (mbim, qmi)
      for _ in 0..<4 {
        first[Int.random(in: 0..<first.count, using: &random)] = .random(in: 0...255, using: &random)
        second[Int.random(in: 0..<second.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      _ = ControlMessage(.received, mbim: first)
      _ = ControlMessage(.received, qmi: second)
    }
    #expect(ControlMessage(.received, mbim: []).name == "a message that cannot be read")
  }

  @Test("Nothing is made of messages while nobody listens, few may listen, and who leaves makes room")
  func tap() async throws {
    let tap = ControlTap()
    tap.note {
      Issue.record("made for nobody")
      return nil
    }
    var streams = (0..<ControlTap.limit.listeners).compactMap { _ in tap.listen() }
    #expect(streams.count == ControlTap.limit.listeners && tap.listen() == nil)
    for number in 0..<ControlTap.limit.messages + 9 {
      tap.note { ControlMessage(.sent, name: "x", transaction: number) }
    }
    var first: ControlMessage?
    for await message in streams[0] {
      first = message
      break
    }
    #expect(first?.transaction == 0)
    streams.removeAll()
    #expect(tap.listen() != nil)
  }
}
