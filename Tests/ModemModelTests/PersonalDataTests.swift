import ModemModel
import Testing

@Suite struct `What identifies a subscriber` {
  @Test(
    arguments: [
      ("", "••••"), ("1", "••••"), ("12345", "••••"), ("123456", "••••56"), ("+447700900123", "•••••••••••23"),
    ])
  func `shows two digits of a number, and none where that were half of it`(number: String, shown: String) {
    #expect(PhoneNumber(number, source: .dms).redacted == shown)
  }

  @Test(arguments: [("8944110012345678901", "•••••••••••••••8901"), ("12345678", "••••5678"), ("1234567", "••••")])
  func `shows four digits of a card's serial number`(digits: String, shown: String) {
    #expect("\(ICCID(digits))" == shown)
  }

  @Test func `shows nothing of a subscriber's identity, a PIN, a password or a message`() throws {
    let pdu = try #require(MessagePDU(hex: "0791448720003023"))
    for text in [
      "\(IMSI("234150123456789"))", "\(try #require(PIN("98765432")))", "\(APNPassword("secret99"))", "\(pdu)",
    ] {
      #expect(text.allSatisfy { $0 == "•" } && text.count >= 4, "\(text)")
    }
  }

  @Test func `is itself for whoever may know it`() throws {
    #expect(IMSI("234150123456789").revealed == "234150123456789")
    #expect(try #require(PIN("0000")).revealed == "0000")
    #expect(try #require(PIN("12345678")).withDigits { Array($0) } == Array("12345678".utf8))
    #expect(PIN("1234") == PIN("1234") && PIN("1234") != PIN("12345") && PIN("1234") != PIN("1235"))
  }
}

@Suite struct `A short message as octets` {
  @Test(
    arguments: [("", []), ("00", [0]), ("0a", [10]), ("FF10", [255, 16]), ("0791Ab", [7, 0x91, 0xab])]
      as [(String, [UInt8])])
  func `is read from digits of either case, and written in one`(hex: String, octets: [UInt8]) throws {
    let pdu = try #require(MessagePDU(hex: hex))
    #expect(pdu.octets == octets && pdu == MessagePDU(octets))
    #expect(pdu.revealed == hex.uppercased())
  }

  @Test(arguments: ["0", "000", "0g", "0 0", "00 ", "0x00", "-1", "０１", "٠٠", "0\u{301}0"])
  func `is nothing else than that`(text: String) { #expect(MessagePDU(hex: text) == nil) }
}

@Suite struct `A mark of a SIM` {
  /// A digest that shows all that it is made of.
  private static let naming = ModemNaming { bytes in
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test func `is of its serial number, else of the subscriber, and of nothing else`() throws {
    var sim = SIMStatus(state: .ready, slot: 1, iccid: ICCID("8944"), imsi: IMSI("2341"), numbers: [])
    let mark = try #require(Self.naming.mark(of: sim))
    sim.state = .pinRequired
    (sim.imsi, sim.slot) = (nil, 2)
    #expect(Self.naming.mark(of: sim) == mark)
    (sim.iccid, sim.imsi) = (nil, IMSI("2341"))
    let other = try #require(Self.naming.mark(of: sim))
    // An ICCID and an IMSI of the same digits are two SIMs.
    #expect(other != mark && Self.naming.mark(of: SIMStatus(iccid: ICCID("2341"))) != other)
    sim.imsi = nil
    #expect(Self.naming.mark(of: sim) == nil)
  }

  @Test func `is cut, and so is a modem's name`() throws {
    let sim = SIMStatus(iccid: ICCID(String(repeating: "8", count: 40)))
    #expect(try #require(Self.naming.mark(of: sim)).count == 32)
    #expect(Self.naming.name(imei: String(repeating: "4", count: 15), device: "").count == "modem-".count + 16)
  }
}

@Suite struct `The slots of a modem` {
  @Test func `name the one in use`() {
    let slots = [SIMSlot(number: 1, isActive: false), SIMSlot(number: 2, isActive: true, card: .present, isESIM: true)]
    #expect(SIMSlots(slots, canSwitch: true).active == 2)
    #expect(SIMSlots([slots[0]], canSwitch: true).active == nil && SIMSlots([], canSwitch: false).active == nil)
  }
}
