import FoundationEssentials
import ReplyCheck
import Testing

@Suite struct `The check of a reply` {
  /// A message that passes, by the parser that may have it.
  struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let service: MBIMServiceID
    let cid: UInt32
    var version = MBIMExtensions.none
    let information: [UInt8]
    var testDescription: String { name }

    func frame(_ information: [UInt8]) throws -> MBIMFrame {
      try MBIMFrame(
        [0x8000_0003, UInt32(48 + information.count), 7, 1, 0].bytes + service.bytes
          + [cid, 0, UInt32(information.count)].bytes + information)
    }

    func passes(_ information: [UInt8]) throws -> Bool {
      let frame = try frame(information)
      do {
        try MBIMReplyCheck.check(frame, version)
        return true
      } catch {
        return false
      }
    }
  }

  private static func tlv(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    return [10, 0, 0, 0] + [UInt32(units.count)].bytes + units
  }

  static let samples = [
    Sample(
      name: "device caps", service: .basicConnect, cid: 1,
      information: Information.deviceCaps(id: "356938035643809", firmware: "1", hardware: "H")),
    Sample(
      name: "subscriber ready status", service: .basicConnect, cid: 2,
      information: Information.subscriberReady(1, imsi: "262011234567890", iccid: "8949", numbers: ["+1", "+22"])),
    Sample(
      name: "subscriber ready status 3.0", service: .basicConnect, cid: 2, version: .v3,
      information: Information.buffer([
        .number(1), .number(0), .text("2620"), .text("8949"), .number(0), .number(1), .text("+49"),
      ])),
    Sample(name: "PIN", service: .basicConnect, cid: 4, information: Information.pin(type: 2, state: 1, attempts: 3)),
    Sample(
      name: "home provider", service: .basicConnect, cid: 6, information: Information.provider("26201", name: "T")),
    Sample(
      name: "register state", service: .basicConnect, cid: 9,
      information: Information.registerState(3, provider: "26201", name: "T")),
    Sample(
      name: "packet service 3.0", service: .basicConnect, cid: 10, version: .v3,
      information: [0, 2, 0x40, 0, 0, 0, 0, 1, 2].bytes + [6, 1, 1, 0] + [7].bytes),
    Sample(
      name: "signal state 2.0", service: .basicConnect, cid: 11, version: .v2,
      information: [20, 99, 0, 0, 0, 28, 44, 2].bytes + [UInt8](repeating: 1, count: 40)),
    Sample(
      name: "connect 3.0", service: .basicConnect, cid: 12, version: .v3,
      information: Information.connect(1) + [1].bytes + tlv("internet") + tlv("more")),
    Sample(
      name: "IP configuration", service: .basicConnect, cid: 15,
      information: Information.ipConfiguration(
        ipv4: .init(available: 15, addresses: [(30, [10, 0, 0, 2])], gateway: [10, 0, 0, 1], dns: [[10, 0, 0, 1]]),
        ipv6: .init(
          available: 15, addresses: [(64, [UInt8](repeating: 1, count: 16))],
          gateway: [UInt8](repeating: 2, count: 16), dns: [[UInt8](repeating: 3, count: 16)]))),
    Sample(
      name: "device services", service: .basicConnect, cid: 16,
      information: [1, 0, 16, 36].bytes + MBIMServiceID.uicc.bytes + [0, 0, 2, 9, 10].bytes),
    Sample(
      name: "slot mappings", service: .extensions, cid: 7, information: [2, 20, 4, 24, 4, 0, 1].bytes),
    Sample(
      name: "device caps 3.0", service: .extensions, cid: 6, version: .v3,
      information: [1, 1, 1, 2, 0x60, 3, 1, 3, 0, 1, 0, 0].bytes
        + ([11, 0, 0, 0] + [4].bytes + [1, 0, 3, 0])
        + ([11, 0, 0, 0] + [4].bytes + [1, 0, 78, 0]) + ["", "3569", "1", "H"].flatMap(tlv)),
    Sample(
      name: "read record", service: .uicc, cid: 10, information: [1, 0x90, 0, 20, 4].bytes + [1, 2, 3, 4]),
    Sample(
      name: "applications", service: .uicc, cid: 7,
      information: [1, 1, 0, 36, 24, 36].bytes + [4, 28, 4, 32, 2, 1, 34, 1].bytes + [1, 2, 3, 4, 0x41, 0x42, 9, 0]),
    Sample(
      name: "open channel", service: .uicc, cid: 2, information: [0x90, 1, 2, 16].bytes + [0x90, 0, 0, 0]),
    Sample(
      name: "channel closed", service: .uicc, cid: 3, information: [0x90].bytes),
    Sample(
      name: "card command", service: .uicc, cid: 4, information: [0x90, 4, 12].bytes + [1, 2, 3, 4]),
    Sample(
      name: "challenge answered", service: .auth, cid: 1, information: ScriptedMBIMCard.aka()),
    Sample(
      name: "SMS read", service: .sms, cid: 2,
      information: [0, 1, 16, 20].bytes + [1, 0, 16, 4].bytes + [1, 2, 3, 4]),
  ]

  @Test(arguments: samples) func `lets a sound one pass`(sample: Sample) throws {
    try MBIMReplyCheck.check(try sample.frame(sample.information), sample.version)
  }

  /// Whatever is cut off at the end was of use, or is padding.
  @Test(arguments: samples) func `stops one that is cut short`(sample: Sample) throws {
    let lengths = (0..<sample.information.count).filter {
      (try? sample.passes(Array(sample.information.prefix($0)))) == true
    }
    let shortest = lengths.first ?? sample.information.count
    // A list of TLVs may end early, and a string or an array is padded to four bytes.
    let needed = sample.name == "connect 3.0" ? 40 + 24 : sample.information.count - 4
    #expect(shortest > needed - 1, "\(shortest) of \(sample.information.count) bytes pass")
  }

  /// No number in a message may lead anywhere else: each is tried with values that lie outside.
  @Test(arguments: samples) func `never reads outside`(sample: Sample) throws {
    for place in sample.information.indices.dropLast(3) {
      for value in [0, 1, 3, 1000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, UInt32(sample.information.count)] {
        var information = sample.information
        information.replaceSubrange(place..<place + 4, with: [value].bytes)
        _ = try sample.passes(information)
      }
    }
  }

  @Test(
    arguments: [
      (28, 3), (28, 1000), (28, 0x7fff_ffff), (28, 0xffff_ffff), (4, 0xffff_fff0), (8, 0xffff_ffff), (36, 0xffff),
    ] as [(Int, UInt32)])
  func `stops numbers that are counted and not sent`(place: Int, value: UInt32) throws {
    // Behind state, IMSI, ICCID and ready info is the count of numbers, then their offsets and
    // sizes.
    let sample = Self.samples[1]
    var information = sample.information
    information.replaceSubrange((place == 28 ? 24 : place)..<(place == 28 ? 28 : place + 4), with: [value].bytes)
    #expect(try !sample.passes(information))
  }

  @Test func `stops a message that refers to the same bytes again and again`() throws {
    // 4000 messages that all are the one behind the list.
    let count: UInt32 = 4000
    let record = 8 + 8 * count
    let list = (0..<count).flatMap { _ -> [UInt32] in [record, 12 + 4096] }
    let information = [0, count].bytes + list.bytes + [1, 0, 12, 4096].bytes.prefix(12) + [4096].bytes
    let sample = Sample(name: "", service: .sms, cid: 2, information: information + [UInt8](repeating: 1, count: 4200))
    #expect(try !sample.passes(sample.information))
  }

  @Test(
    arguments: [
      [], [3, 0, 0, 0x80], [0x8000_0003, 12, 1].bytes, [0x8000_0003, 48, 1, 1, 0].bytes, [0x8000_0003, 4096, 1].bytes,
      [3, 12, 1].bytes, [0x8000_0007, 44, 0, 1, 0, 0, 0, 0, 0, 1, 4].bytes,
      [0x8000_0003, 48, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0xffff_ffff].bytes,
    ] as [[UInt8]])
  func `stops headers that are none`(bytes: [UInt8]) {
    #expect(throws: ReplyFlaw.self) { try MBIMFrame(bytes) }
  }

  @Test(arguments: [0, 1, 3, 17, 255, 0xffff_ffff] as [UInt32])
  func `stops a RES of a length that no SIM gives`(count: UInt32) throws {
    let sample = try #require(Self.samples.first { $0.service == .auth })
    #expect(try !sample.passes(ScriptedMBIMCard.aka(count: count)))
  }

  @Test func `lets AUTS pass, which comes with a status and without RES`() throws {
    let information = ScriptedMBIMCard.aka(res: [], auts: Known.auts)
    for length in [0, 1, 65, 66] {
      let frame = try MBIMFrame(
        [0x8000_0003, UInt32(48 + length), 7, 1, 0].bytes + MBIMServiceID.auth.bytes + [1, 36, UInt32(length)].bytes
          + information.prefix(length))
      #expect((try? MBIMReplyCheck.check(frame, .none)) == nil || length == 66)
    }
  }

  @Test func `knows every parser that the backend calls`() throws {
    let repository = #filePath.dropLast("Tests/BackendTests/Check/ReplyCheckTests.swift".utf8.count)
    let folder = "\(repository)Sources/Port/MBIMBackend"
    var called: Set<String> = []
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where name.hasSuffix(".swift") {
      let text = String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/\(name)")), as: UTF8.self)
      for word in text.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" }) {
        if word.hasPrefix("mbim_message_"), word.hasSuffix("_parse") { called.insert(String(word)) }
      }
    }
    #expect(called.count > 15)
    #expect(called.subtracting(MBIMReplyCheck.parsers) == [])
  }

  @Test func `knows the version that is on the wire`() {
    #expect([0, 0x0100, 0x0200, 0x0300, 0x0400].map { MBIMExtensions(wire: $0) } == [.none, .none, .v2, .v3, .v3])
    #expect(MBIMExtensions.v3.wire == 0x0300)
  }
}
