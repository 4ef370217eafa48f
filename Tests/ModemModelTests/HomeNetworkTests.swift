import ModemModel
import Testing

@Suite struct `The network that issued a SIM` {
  private typealias Told = HomeNetwork.Told

  private static func told(_ plmn: String, _ name: String? = nil) -> Told { Told(PLMN(plmn)!, name: name) }
  private static func numbers(_ mcc: UInt16, _ mnc: UInt16, _ three: Bool?) -> Told? {
    Told(mcc: mcc, mnc: mnc, hasThreeDigits: three, name: "N")
  }

  @Test(
    "is told by EF_AD, then by the network, then by the country",
    arguments: [
      // EF_AD has the first word, whatever the modem says.
      ("310260123456789", 3, told("31026"), "310260"), ("310260123456789", 2, told("310260"), "31026"),
      ("310026123456789", 3, numbers(310, 26, false), "310026"), ("262011234567890", 2, nil, "26201"),
      // Then the word in digits: 310-026 and 310-26 stay what they are.
      ("310026123456789", nil, told("310026"), "310026"), ("310261234567890", nil, told("31026"), "31026"),
      ("310026123456789", nil, numbers(310, 26, true), "310026"),
      ("310261234567890", nil, numbers(310, 26, false), "31026"),
      // Numbers without a word on their length: the IMSI tells, else the country.
      ("310026123456789", nil, numbers(310, 26, nil), "310026"),
      ("310261234567890", nil, numbers(310, 26, nil), "31026"),
      ("999701234567890", nil, numbers(310, 26, nil), "310026"), (nil, nil, numbers(310, 26, nil), "310026"),
      (nil, nil, numbers(262, 1, nil), "26201"), (nil, nil, numbers(302, 720, nil), "302720"),
      (nil, nil, numbers(405, 25, nil), nil), ("405025123456789", nil, numbers(405, 25, nil), "405025"),
      // Nobody tells: the country's custom, where it has one.
      ("310260123456789", nil, nil, "310260"), ("262011234567890", nil, nil, "26201"),
      ("405854123456789", nil, nil, nil), ("26", nil, nil, nil), ("3102", 3, nil, nil), (nil, 3, nil, nil),
      ("abcdefghijklmno", 2, nil, nil),
    ] as [(String?, Int?, HomeNetwork.Told?, String?)])
  func order(imsi: String?, length: Int?, told: HomeNetwork.Told?, expected: String?) {
    let home = HomeNetwork.find(imsi: imsi.map(IMSI.init), mncLength: length, told: told)
    #expect(home?.plmn.description == expected)
    if let expected, let home { #expect(home.plmn.mnc.utf8.count == expected.utf8.count - 3) }
  }

  @Test func `keeps the name that belongs to it`() {
    let imsi = IMSI("310260123456789")
    #expect(HomeNetwork.find(imsi: imsi, mncLength: 3, told: Self.told("31026", "Name"))?.name == "Name")
    #expect(HomeNetwork.find(imsi: imsi, mncLength: 3, told: Self.told("310410", "Other"))?.name == nil)
    #expect(HomeNetwork.find(imsi: imsi, mncLength: nil, told: Self.told("310260", "Name"))?.name == "Name")
  }

  @Test(
    arguments: [
      ([0, 0, 0, 2], 2), ([0, 0, 0, 3], 3), ([0x81, 0, 8, 0x13, 0], 3), ([0, 0, 0], nil), ([], nil),
      ([0, 0, 0, 0], nil),
      ([0, 0, 0, 0xff], nil), ([0, 0, 0, 4], nil),
    ] as [([UInt8], Int?)])
  func `has the length that byte 4 of EF_AD says`(file: [UInt8], length: Int?) {
    #expect(HomeNetwork.mncLength(administrativeData: file) == length)
  }

  @Test(arguments: [(0, 1), (1000, 1), (65535, 65535), (262, 1000)] as [(UInt16, UInt16)])
  func `is none where the numbers are none`(mcc: UInt16, mnc: UInt16) {
    #expect(HomeNetwork.Told(mcc: mcc, mnc: mnc, hasThreeDigits: nil) == nil)
  }
}
