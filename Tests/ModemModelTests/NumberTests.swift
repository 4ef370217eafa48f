import Testing

@testable import ModemModel

@Suite struct `A SIM's own number` {
  private static let source = PhoneNumber.Source.efMsisdn

  @Test(
    arguments: [
      // Germany: trunk prefix, calling code without +, neither, international prefix, separators.
      ("015112345678", "262", "+4915112345678"), ("4915112345678", "262", "+4915112345678"),
      ("15112345678", "262", "+4915112345678"), ("004915112345678", "262", "+4915112345678"),
      ("+49 151 12345678", "262", "+4915112345678"), ("0151/123 456-78", "262", "+4915112345678"),
      // United Kingdom, and a number of another country on its SIM.
      ("07700900123", "234", "+447700900123"), ("447700900123", "234", "+447700900123"),
      ("0033612345678", "234", "+33612345678"),
      // North America has 1 for both prefixes.
      ("2025550123", "310", "+12025550123"), ("12025550123", "310", "+12025550123"),
      ("0114915112345678", "311", "+4915112345678"), ("6475550123", "302", "+16475550123"),
      // Italy and Spain have no trunk prefix; a leading 0 would be part of the number.
      ("3331234567", "222", "+393331234567"), ("393331234567", "222", "+393331234567"),
      ("612345678", "214", "+34612345678"),
      // Russia dials 8, Belarus 80, Hungary 06.
      ("89161234567", "250", "+79161234567"), ("79161234567", "250", "+79161234567"),
      ("80291234567", "257", "+375291234567"), ("06301234567", "216", "+36301234567"),
      // France: a SIM for machines has 13 digits.
      ("0700012345678", "208", "+33700012345678"),
      // Côte d'Ivoire: the number itself begins with 0.
      ("0712345678", "612", "+2250712345678"), ("9876543210", "404", "+919876543210"),
      ("919876543210", "405", "+919876543210"), ("09012345678", "440", "+819012345678"),
    ])
  func `is led to E.164 by its country's plan`(number: String, mcc: String, expected: String) throws {
    let plan = try #require(NumberingPlan(mcc: mcc))
    let normalised = PhoneNumber(number, source: Self.source).normalised(in: plan)
    #expect(normalised.revealed == expected)
    #expect(normalised.isNormalised && normalised.source == Self.source)
  }

  @Test(
    arguments: [
      // Too short, too long, letters, service numbers, a country of which nothing is known,
      // ambiguous ones.
      ("12345", "262"), ("1511234567890123", "262"), ("0151ABC45678", "262"), ("*101#", "262"), ("", "262"),
      ("49151", "262"), ("07700900123", "901"), ("7700900123", "999"), ("1234567890", "310"), ("447700", "234"),
      ("+0151123456", "262"), ("5511987654321", "722"), ("0", "262"), ("00", "262"), ("000000000", "262"),
    ])
  func `is given as it is where its form does not say enough`(number: String, mcc: String) {
    let kept = PhoneNumber(number, source: Self.source).normalised(in: NumberingPlan(mcc: mcc))
    #expect(kept.revealed == number && !kept.isNormalised && kept.source == Self.source)
  }

  @Test func `needs no country where it says its type`() {
    #expect(PhoneNumber("4915112345678", type: .international, source: .efMsisdn).revealed == "+4915112345678")
    #expect(PhoneNumber("4915112345678", type: .international, source: .efMsisdn).isNormalised)
    #expect(!PhoneNumber("12", type: .international, source: .efMsisdn).isNormalised)
    let national = PhoneNumber("15112345678", type: .national, source: .efMsisdn)
    #expect(national.revealed == "15112345678" && !national.isNormalised)
    #expect(national.normalised(in: NumberingPlan(callingCode: "49")).revealed == "+4915112345678")
    #expect(national.normalised(in: nil) == PhoneNumber("15112345678", source: .efMsisdn))
    #expect(PhoneNumber("+447700900123", source: .dms).normalised(in: nil).isNormalised)
  }

  @Test(arguments: ["49", "+49", "1", "7", "999"]) func `may have a country that was configured`(code: String) throws {
    let plan = try #require(NumberingPlan(callingCode: code))
    #expect(plan.callingCode == code.filter { $0 != "+" })
    #expect(PhoneNumber("0", source: .configured).normalised(in: plan).revealed == "0")
  }

  @Test(arguments: ["", "0", "049", "12345", "4a", "+"]) func `has no country of another form`(code: String) {
    #expect(NumberingPlan(callingCode: code) == nil)
  }

  @Test func `has a plan in every country of the table`() throws {
    #expect(NumberingPlans.byMCC.count > 200)
    for (mcc, plan) in NumberingPlans.byMCC {
      #expect(mcc.utf8.count == 3 && (2...7).contains(Int(mcc)! / 100), "\(mcc)")
      #expect(E164.hasDigitsOnly(plan.callingCode) && (1...3).contains(plan.callingCode.utf8.count))
      for length in plan.mobileLengths { #expect((5...13).contains(length), "\(mcc)") }
      for length in plan.mobileLengths where !plan.mobileDigits.isEmpty && plan.trunkPrefix == "0" {
        // What the plan calls a mobile is led to E.164 in each of its forms.
        let national = String(plan.mobileDigits.first!) + String(repeating: "2", count: length - 1)
        let expected = "+" + plan.callingCode + national
        #expect(PhoneNumber("0" + national, source: .dms).normalised(in: plan).revealed == expected, "\(mcc)")
      }
    }
    // The examples of E.212 and E.164 themselves.
    let pairs = [
      ("262", "49"), ("208", "33"), ("310", "1"), ("440", "81"), ("505", "61"), ("724", "55"), ("655", "27"),
    ]
    for (mcc, code) in pairs { #expect(NumberingPlan(mcc: mcc)?.callingCode == code) }
    #expect(NumberingPlan(mcc: "901") == nil && NumberingPlan(mcc: "") == nil)
  }
}

@Suite struct `A record of EF_MSISDN` {
  private static func record(_ tail: [UInt8], alpha: Int = 14) -> [UInt8] {
    [UInt8](repeating: 0xff, count: alpha) + tail + [UInt8](repeating: 0xff, count: max(14 - tail.count, 0))
  }

  @Test(
    arguments: [
      (record([7, 0x91, 0x44, 0x77, 0x00, 0x09, 0x10, 0x32]), "+447700900123"),
      (record([7, 0x91, 0x44, 0x77, 0x00, 0x09, 0x10, 0x32], alpha: 0), "+447700900123"),
      (record([7, 0x81, 0x70, 0x07, 0x09, 0x10, 0x32, 0xf4]), "07709001234"),
      (record([7, 0xa1, 0x51, 0x11, 0x32, 0x54, 0x76, 0xf8]), "15112345678"),
      // Unknown plan with type "international", as some operators write it; another plan's type has
      // no meaning here.
      (record([6, 0x90, 0x94, 0x51, 0x11, 0x32, 0xf4]), "+491511234"),
      (record([6, 0x98, 0x94, 0x51, 0x11, 0x32, 0xf4]), "491511234"),
      (record([3, 0x81, 0xa1, 0xb2]), "1*2#"),
      // The filler ends it before its length does.
      (record([11, 0x81, 0x21, 0x43, 0xf5]), "12345"),
    ] as [([UInt8], String)])
  func `holds a number`(record: [UInt8], number: String) throws {
    let found = try #require(NumberRecord.number(in: record))
    #expect(found.revealed == number && found.source == .efMsisdn)
  }

  @Test(
    arguments: [
      [], [UInt8](repeating: 0xff, count: 28), [UInt8](repeating: 0xff, count: 13), [UInt8](repeating: 0, count: 28),
      record([1, 0x91]), record([12, 0x91, 0x44]), record([7, 0x91]), record([3, 0x81, 0x1c, 0xd2]),
    ] as [[UInt8]])
  func `may be empty`(record: [UInt8]) { #expect(NumberRecord.number(in: record) == nil) }

  @Test func `of national type takes no trunk prefix`() throws {
    let number = try #require(NumberRecord.number(in: Self.record([7, 0xa1, 0x51, 0x11, 0x32, 0x54, 0x76, 0xf8])))
    #expect(number.type == .national)
    #expect(number.normalised(in: NumberingPlan(mcc: "262")).revealed == "+4915112345678")
  }
}
