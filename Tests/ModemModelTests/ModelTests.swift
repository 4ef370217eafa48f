import ModemModel
import Testing

@Suite("The model of a modem")
struct ModelTests {
  @Test("Personal data prints redacted in every way Swift prints a value")
  func redaction() {
    var dumped = ""
    dump(PhoneNumber("+447700900123", source: .dms), to: &dumped)
    for text in [
      "\(IMSI("234150123456789"))", String(reflecting: ICCID("8944110012345678901")), dumped,
      "\(PhoneNumber("+447700900123", source: .dms))", "\([PIN("123456")!])", "\(APNPassword("secret"))",
    ] {
      #expect(!text.contains("123"), "\(text)")
    }
    #expect(PhoneNumber("+447700900123", source: .dms).description.hasSuffix("23"))
    #expect(PIN("0000")!.description == "••••")
  }

  @Test(
    "A number is normalised only as E.164",
    arguments: [
      ("+447700900123", true), ("07700900123", false), ("+0123456789", false), ("+4477", false), ("", false),
      ("+44 7700", false),
    ])
  func e164(number: String, normalised: Bool) {
    #expect(PhoneNumber(number, source: .subscriberReady).isNormalised == normalised)
  }

  @Test("MNC digits are kept", arguments: [("26201", "262", "01"), ("310260", "310", "260"), ("31026", "310", "26")])
  func plmn(text: String, mcc: String, mnc: String) throws {
    let plmn = try #require(PLMN(text))
    #expect(plmn.mcc == mcc && plmn.mnc == mnc && plmn.description == text)
  }

  @Test("What is not a network code is refused", arguments: ["", "262", "2620", "2620123", "26a01", "２６２０１"])
  func notPLMN(text: String) { #expect(PLMN(text) == nil) }

  @Test("A PIN has four to eight digits", arguments: ["123", "123456789", "12a4", "", "１２３４"])
  func notPIN(text: String) { #expect(PIN(text) == nil) }

  @Test(
    "Times are written as RFC 3339 and read back",
    arguments: [
      (Int64(0), "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
      (1_795_248_000_123, "2026-11-21T08:00:00.123Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
    ])
  func times(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).description == text)
    #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
  }

  @Test("A modem's name depends on its IMEI, and on the path only without one")
  func names() {
    // A digest that shows what it is made of, at its beginning.
    let naming = ModemNaming { bytes in
      String(bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }, radix: 16)
        + "0000000000000000"
    }
    let name = naming.name(imei: "490154203237518", device: "/dev/cdc-wdm0")
    #expect(name == naming.name(imei: "490154203237518", device: "/dev/cdc-wdm7"))
    #expect(name != naming.name(imei: nil, device: "/dev/cdc-wdm0"))
    #expect(name != naming.name(imei: nil, device: "490154203237518"))
    #expect(name.count == "modem-".count + 16)
  }
}
