import ModemModel
import Testing

@testable import ShortMessage

@Suite("A message's PDU")
struct DecodingTests {
  /// A sample and its text; nil for data.
  static let texts: [(String, String?)] = [
    ("hello", "Hello"),
    ("full160", String(repeating: "0123456789", count: 16)),
    ("allbasic1", "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?"),
    ("allbasic2", "¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà"),
    ("ext", "{[~€^|\\]}"), ("esc-esc", "A B"), ("esc-end", "A "), ("esc-unknown", "A"), ("empty", ""),
    ("seven", "1234567"), ("eight", "12345678"),
    ("tr-lock", "€ıĞğŞşİç"), ("tr-single", "ŞıĞ€"), ("tr-both", "İşç"), ("es-single", "áÚçñ"), ("es-lock", "¡A"),
    ("pt-lock", "êôÃõ`∞"), ("pt-single", "êãâΦ"), ("hindi", "A€@"),
    ("ucs2", "Привет 家"), ("emoji", "😀 ok"), ("ucs2-lone", "\u{fffd}A"), ("ucs2-odd", "A"),
    ("data", nil), ("data-port", nil), ("data-port8", nil), ("compressed", nil),
    ("class0", "Flash"), ("class1-f", "One"), ("class2-data", nil), ("class0-ucs2", "Ω"), ("autodelete", "Gone"),
    ("mwi-discard", "Voice"), ("mwi-store", "Voice"), ("mwi-ucs2", "Ж"), ("reserved-dcs", "Plain"),
    ("reserved-alpha", "Plain"),
    ("c8-1", "Part one, "), ("c16", "Wide"), ("c-zero", "Zero"), ("c-beyond", "Beyond"), ("c-total0", "None"),
    ("c-short", "Short"), ("c-twice", "Twice"), ("ie-overrun", "Text"), ("ie-unknown", "Text"), ("udh-empty", "Text"),
    ("fill1", "Fill bits"), ("fill2", "Fill bits"), ("fill3", "Fill bits"), ("fill4", "Fill bits"),
    ("fill5", "Fill bits"), ("fill6", "Fill bits"), ("fill7", "Fill bits"), ("mti3", "Hi"),
  ]

  @Test("has its text in the alphabet that it says", arguments: texts)
  func readsText(name: String, expected: String?) throws {
    let read = try delivery(name)
    #expect(text(read) == expected)
  }

  @Test(
    "has its sender, numbers with a plus where they are international",
    arguments: [
      ("hello", "+4915112345678", .international), ("odd", "+491511234567", .international),
      ("short", "12345", .number), ("national", "015112345678", .number), ("name", "ExampleBank", .alphanumeric),
      ("name1", "A", .alphanumeric), ("name7", "Example", .alphanumeric), ("name8", "Examples", .alphanumeric),
    ] as [(String, String, MessageAddress.Kind)])
  func readsSender(name: String, sender: String, kind: MessageAddress.Kind) throws {
    let read = try delivery(name)
    #expect(read.sender.revealed == sender)
    #expect(read.sender.kind == kind)
    #expect(read.serviceCentre?.revealed == "+491710760000")
  }

  @Test("has digits beyond ten in an address as a dial pad has them")
  func readsOddDigits() {
    let address = MessageAddress(type: 0x81, octets: [0xba, 0xdc, 0x1e][...], nibbles: 6)
    #expect(address.revealed == "*#abc1")
    #expect(MessageAddress(type: 0x91, octets: [], nibbles: 0).revealed == "")
    #expect(MessageAddress(type: 0x91, octets: [0xf1][...], nibbles: 2).revealed == "+1")
  }

  @Test("comes without a service centre in front when a modem pushes it, and may name none")
  func readsServiceCentre() throws {
    let pushed = try delivery("without-sc", hasServiceCentre: false)
    #expect(pushed.serviceCentre == nil && text(pushed) == "Hi")
    let unnamed = try delivery("no-sc")
    #expect(unnamed.serviceCentre == nil && text(unnamed) == "Hi")
  }

  @Test(
    "has its time with the service centre's zone, or none where it makes no sense",
    arguments: [
      ("hello", "2026-11-22T01:30:45.000Z", 60), ("tz-neg", "2026-11-22T06:00:45.000Z", -210),
      ("tz-45", "2026-11-21T20:45:45.000Z", 345), ("y99", "1999-12-31T23:59:59.000Z", 0),
      ("feb29", "2024-02-29T12:00:00.000Z", 0), ("feb30", nil, 0), ("zero-time", nil, 0),
    ] as [(String, String?, Int)])
  func readsTime(name: String, time: String?, zone: Int) throws {
    let sent = try delivery(name).sent
    #expect(sent?.time.description == time)
    #expect((sent?.zoneMinutes ?? 0) == zone)
  }

  @Test("with a time zone of no place on earth counts as UTC")
  func readsBadZone() {
    let time = ServiceCentreTime([0x62, 0x11, 0x22, 0x20, 0x03, 0x54, 0x97][...])
    #expect(time?.zoneMinutes == 0 && time?.time.description == "2026-11-22T02:30:45.000Z")
    #expect(ServiceCentreTime([0x62, 0x11, 0xa2, 0x20, 0x03, 0x54, 0x40][...]) == nil)
    #expect(ServiceCentreTime([0x62, 0x11][...]) == nil)
  }

  @Test(
    "has its class and coding",
    arguments: [
      ("hello", nil, .gsm7), ("class0", 0, .gsm7), ("class1-f", 1, .gsm7), ("class2-data", 2, .data),
      ("class0-ucs2", 0, .ucs2), ("mwi-store", nil, .gsm7), ("mwi-ucs2", nil, .ucs2), ("reserved-dcs", nil, .gsm7),
      ("data", nil, .data),
    ] as [(String, Int?, DataCoding.Alphabet)])
  func readsCoding(name: String, messageClass: Int?, alphabet: DataCoding.Alphabet) throws {
    let coding = try delivery(name).coding
    #expect(coding.messageClass == messageClass)
    #expect(coding.alphabet == alphabet)
    #expect(coding.isDiscardableIndication == (name == "mwi-discard"))
  }

  @Test(
    "has its place in a long message; a header without sense gives none",
    arguments: [
      ("hello", nil), ("c8-1", Concatenation(reference: 0x2a, isWide: false, total: 2, number: 1)),
      ("c8-2", Concatenation(reference: 0x2a, isWide: false, total: 2, number: 2)),
      ("c16", Concatenation(reference: 0x1234, isWide: true, total: 3, number: 2)),
      ("c-twice", Concatenation(reference: 2, isWide: false, total: 3, number: 3)),
      ("c-zero", nil), ("c-beyond", nil), ("c-total0", nil), ("c-short", nil), ("ie-overrun", nil), ("udh-empty", nil),
    ] as [(String, Concatenation?)])
  func readsConcatenation(name: String, expected: Concatenation?) throws {
    let read = try delivery(name)
    #expect(read.header.concatenation == expected)
  }

  @Test("for an application has its port")
  func readsPorts() throws {
    #expect(try delivery("data-port").header.destinationPort == 2948)
    #expect(try delivery("data-port8").header.destinationPort == 0xf5)
    #expect(try delivery("data").content == .data([0, 1, 0xfe, 0xff]))
  }

  @Test("for nobody or for the SIM is told apart, and so are other kinds")
  func tellsKinds() throws {
    #expect(try delivery("silent").isSilent)
    #expect(try delivery("simdata").isForSIM)
    #expect(try !delivery("hello").isSilent && !delivery("hello").isForSIM)
    #expect(try delivery("mwi-discard").coding.isDiscardableIndication)
    // SMS-STATUS-REPORT and SMS-SUBMIT.
    #expect(try ShortMessagePDU([0, 0x06, 0x2a]) == .statusReport)
    #expect(try ShortMessagePDU([0, 0x01, 0x2a]) == .submission)
  }

  @Test(
    "that is cut short anywhere is an error, never a shorter message",
    arguments: ["hello", "full160", "c8-1", "ucs2", "data-port", "name", "fill3"])
  func cutShort(name: String) throws {
    let whole = samplePDUs[name]!
    for length in whole.indices {
      let error = #expect(throws: ShortMessageError.self) { try ShortMessagePDU(Array(whole[..<length])) }
      #expect(error?.code == .truncated)
    }
    // Padding behind the end does no harm.
    let padded = try ShortMessagePDU(whole + [0, 0, 0])
    #expect(try padded == ShortMessagePDU(whole))
  }

  @Test(
    "with a length that cannot be is an error that names the field",
    arguments: [
      ("long-udl", .badLength, "TP-UDL"), ("udl-beyond", .truncated, "TP-UD"), ("udhl-beyond", .badLength, "TP-UDHL"),
    ] as [(String, ShortMessageError.Code, String)])
  func badLengths(name: String, code: ShortMessageError.Code, field: String) {
    let error = #expect(throws: ShortMessageError.self) { try ShortMessagePDU(samplePDUs[name]!) }
    #expect(error?.code == code)
    #expect(error?.message.hasPrefix(field) == true)
  }

  @Test("with a service centre or sender that is too long is an error")
  func longAddresses() {
    let centre = #expect(throws: ShortMessageError.self) {
      try ShortMessagePDU([12] + [UInt8](repeating: 0x11, count: 40))
    }
    #expect(centre?.code == .badLength)
    let sender = #expect(throws: ShortMessageError.self) {
      try ShortMessagePDU([0, 4, 21] + [UInt8](repeating: 0x11, count: 40))
    }
    #expect(sender?.code == .badLength)
    let data = #expect(throws: ShortMessageError.self) {
      try ShortMessagePDU(
        [0, 4, 0, 0x81, 0, 4] + [UInt8](repeating: 0, count: 7) + [141] + [UInt8](repeating: 0, count: 141))
    }
    #expect(data?.code == .badLength)
  }

  @Test("prints neither number nor text")
  func redaction() throws {
    let read = try delivery("hello")
    var dumped = ""
    dump(read.sender, to: &dumped)
    #expect(!"\(read.sender) \(dumped)".contains("4915112345"))
    let message = MessageText("482913 is your code")
    #expect(!"\(message)".contains("482913"))
    #expect(!"\(OneTimeCode("482913"))".contains("48"))
    #expect(!"\(MessagePDU(samplePDUs["hello"]!))".contains("0791"))
  }

  /// Public test data of oFono: what a modem's SMS Read reply held.
  @Test(
    "that modems sent is read",
    arguments: [
      ("07916163838429F3040B915121553071F900007111709162654A04D4F29C0E", "Test"),
      ("07916163838429F2040B915121553071F900007111804170554A06C6F71B742F03", "Foo…"),
    ])
  func transcripts(hex: String, words: String) throws {
    guard case .delivery(let read) = try ShortMessagePDU(octets(hex)) else {
      Issue.record("no delivery")
      return
    }
    #expect(read.sender.revealed == "+15125503179")
    #expect(read.sent?.zoneMinutes == -360)
    #expect(text(read)?.hasPrefix(words.prefix(3)) == true)
  }

  @Test("Septets that are packed are the same when they are unpacked, behind any header")
  func packing() {
    let septets = (0..<160).map { UInt8(($0 * 37 + 11) % 128) }
    for count in [0, 1, 7, 8, 9, 160] {
      for offset in stride(from: 0, to: 56, by: 7) {
        let packed = GSMAlphabet.packed(Array(septets[..<count]), offset: offset)
        #expect(GSMAlphabet.unpacked(packed, count: count, offset: offset) == Array(septets[..<count]))
      }
    }
    #expect(GSMAlphabet.septets("{€}")?.count == 6)
    #expect(GSMAlphabet.septets("ї") == nil)
  }
}
