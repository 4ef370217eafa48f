import DNSWire
import NetworkAddress
import Testing

/// A message field by field: header of id, flags and four counts, then what the test adds.
func message(
  id: UInt16 = 0x1234, flags: UInt16 = 0x8180, _ counts: (UInt16, UInt16, UInt16, UInt16), _ rest: [UInt8]
) -> [UInt8] {
  [id, flags, counts.0, counts.1, counts.2, counts.3].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] } + rest
}

/// `a.example` in plain labels, 11 bytes; in a message without more before it, at byte 12.
let aExample: [UInt8] = [1, 0x61, 7, 0x65, 0x78, 0x61, 0x6d, 0x70, 0x6c, 0x65, 0]
/// The question for its A record, 15 bytes, to byte 27.
let question = aExample + [0, 1, 0, 1]
/// An owner that points to byte 12, then type, class 1, a time of 60 seconds and the data behind
/// its length.
func record(_ type: UInt16, _ data: [UInt8], owner: [UInt8] = [0xc0, 12]) -> [UInt8] {
  owner + [UInt8(type >> 8), UInt8(type & 0xff), 0, 1, 0, 0, 0, 60, UInt8(data.count >> 8), UInt8(data.count & 0xff)]
    + data
}

struct BadMessage: Sendable, CustomTestStringConvertible {
  let name: String
  let code: DNSError.Code
  let bytes: [UInt8]
  var testDescription: String { name }

  static let all: [BadMessage] = [
    .init(name: "nothing", code: .truncated, bytes: []),
    .init(name: "one byte", code: .truncated, bytes: [0]),
    .init(name: "a header cut short", code: .truncated, bytes: Array(message((0, 0, 0, 0), []).dropLast())),
    .init(name: "a question that is not there", code: .truncated, bytes: message((1, 0, 0, 0), [])),
    .init(name: "65535 questions", code: .truncated, bytes: message((65_535, 0, 0, 0), question)),
    .init(name: "65535 answers", code: .truncated, bytes: message((1, 65_535, 0, 0), question)),
    .init(name: "a question without its class", code: .truncated, bytes: message((1, 0, 0, 0), question.dropLast(2))),
    .init(name: "a name without its end", code: .truncated, bytes: message((1, 0, 0, 0), [3, 0x61])),
    .init(name: "a name that ends behind a label", code: .truncated, bytes: message((1, 0, 0, 0), [1, 0x61])),
    .init(name: "half a pointer", code: .truncated, bytes: message((1, 1, 0, 0), question + [0xc0])),
    .init(name: "a pointer to itself", code: .badPointer, bytes: message((1, 0, 0, 0), [0xc0, 12, 0, 1, 0, 1])),
    .init(name: "a pointer forward", code: .badPointer, bytes: message((1, 0, 0, 0), [0xc0, 14] + question)),
    .init(name: "a pointer to the end", code: .badPointer, bytes: message((1, 0, 0, 0), [0xc0, 18, 0, 1, 0, 1])),
    .init(
      name: "a pointer far behind the end", code: .badPointer, bytes: message((1, 0, 0, 0), [0xff, 0xff, 0, 1, 0, 1])),
    .init(
      name: "a pointer into its own labels", code: .badPointer,
      bytes: message((1, 0, 0, 0), [1, 0x61, 0xc0, 12, 0, 1, 0, 1])),
    .init(
      name: "two pointers at each other", code: .badPointer,
      bytes: message((2, 0, 0, 0), [1, 0x61, 0xc0, 20, 0, 1, 0, 1, 1, 0x62, 0xc0, 12, 0, 1, 0, 1])),
    .init(name: "a label of kind 01", code: .badName, bytes: message((1, 0, 0, 0), [0x41, 0, 0, 1, 0, 1])),
    .init(name: "a label of kind 10", code: .badName, bytes: message((1, 0, 0, 0), [0x80, 0, 0, 1, 0, 1])),
    .init(
      name: "a name of 256 bytes", code: .badName,
      bytes: message((1, 0, 0, 0), Array(repeating: [1, 0x61], count: 128).flatMap(\.self) + [0, 0, 1, 0, 1])),
    .init(
      name: "a name made too long by a pointer", code: .badName,
      bytes: message(
        (1, 1, 0, 0),
        Array(repeating: [1, 0x61], count: 127).flatMap(\.self) + [0, 0, 1, 0, 1]
          + record(1, [1, 2, 3, 4], owner: [1, 0x62, 0xc0, 12]))),
    .init(name: "A of 3 bytes", code: .badRecord, bytes: message((1, 1, 0, 0), question + record(1, [1, 2, 3]))),
    .init(name: "A of 5 bytes", code: .badRecord, bytes: message((1, 1, 0, 0), question + record(1, [1, 2, 3, 4, 5]))),
    .init(name: "A of none", code: .badRecord, bytes: message((1, 1, 0, 0), question + record(1, []))),
    .init(
      name: "AAAA of 4 bytes", code: .badRecord, bytes: message((1, 1, 0, 0), question + record(28, [1, 2, 3, 4]))),
    .init(
      name: "AAAA of 17 bytes", code: .badRecord,
      bytes: message((1, 1, 0, 0), question + record(28, Array(repeating: 1, count: 17)))),
    .init(
      name: "CNAME with more behind it", code: .badRecord, bytes: message((1, 1, 0, 0), question + record(5, [0, 1]))),
    .init(
      name: "CNAME longer than its data", code: .badRecord,
      bytes: message((1, 1, 0, 0), question + record(5, [3, 0x61]) + [0x62, 0x63, 0])),
    .init(
      name: "SOA cut short", code: .truncated, bytes: message((1, 1, 0, 0), question + record(6, [0, 0, 1, 2, 3]))),
    .init(
      name: "data behind the end", code: .truncated,
      bytes: message((1, 1, 0, 0), question + record(1, [1, 2, 3, 4]).dropLast())),
    .init(
      name: "an unknown record behind the end", code: .truncated,
      bytes: message((1, 1, 0, 0), question + [0xc0, 12, 0, 99, 0, 1, 0, 0, 0, 1, 0xff, 0xff, 1])),
    .init(name: "more than TCP can carry", code: .tooLong, bytes: Array(repeating: 0, count: 65_536)),
    .init(
      name: "cut inside a record without saying so", code: .truncated,
      bytes: message(flags: 0x8180, (1, 2, 0, 0), question + record(1, [1, 2, 3, 4]) + [0xc0, 12, 0])),
  ]
}

@Suite("DNS messages")
struct WireTests {
  @Test("What is no message is refused with its fault", arguments: BadMessage.all)
  func refused(_ test: BadMessage) {
    let error = #expect(throws: DNSError.self) { try DNSMessage(decoding: test.bytes) }
    #expect(error?.code == test.code, "\(error?.message ?? "")")
  }

  @Test("A query has the bytes of RFC 1035")
  func query() throws {
    let query = DNSMessage.query(DNSQuestion(try DomainName("A.Example"), .aaaa), id: 0xbeef)
    #expect(try query.encoded() == message(id: 0xbeef, flags: 0x0100, (1, 0, 0, 0), aExample + [0, 28, 0, 1]))
    #expect(try DNSMessage(decoding: query.encoded()) == query)
  }

  @Test("EDNS0 adds an OPT record with the size of a datagram", arguments: [(UInt16(1232), UInt16(1232)), (100, 512)])
  func edns(asked: UInt16, sent: UInt16) throws {
    let query = DNSMessage.query(DNSQuestion(try DomainName("a.example"), .a), id: 1, datagramBytes: asked)
    let opt: [UInt8] = [0, 0, 41, UInt8(sent >> 8), UInt8(sent & 0xff), 0, 0, 0, 0, 0, 0]
    #expect(try query.encoded() == message(id: 1, flags: 0x0100, (1, 0, 0, 1), question + opt))
    #expect(try DNSMessage(decoding: query.encoded()) == query)
  }

  @Test(
    "Every flag has its bit",
    arguments: [
      (UInt16(0x8000), "response"), (0x0400, "authoritative"), (0x0200, "truncated"), (0x0100, "desired"),
      (0x0080, "available"), (0x2000, "operation"), (0x0005, "refused"), (0, "none"),
    ])
  func flags(bits: UInt16, name: String) throws {
    let read = try DNSMessage(decoding: message(flags: bits, (0, 0, 0, 0), []))
    #expect(read.isResponse == (name == "response"))
    #expect(read.isAuthoritative == (name == "authoritative"))
    #expect(read.isTruncated == (name == "truncated"))
    #expect(read.recursionDesired == (name == "desired"))
    #expect(read.recursionAvailable == (name == "available"))
    #expect((read.operation == 4) == (name == "operation"))
    #expect((read.responseCode == .refused) == (name == "refused"))
    #expect(try read.encoded() == message(flags: bits, (0, 0, 0, 0), []))
  }

  @Test("Records are read in all sections, through pointers, and what is behind the last is ignored")
  func records() throws {
    let soa: [UInt8] = [0xc0, 14, 1, 0x6d, 0xc0, 12, 0, 0, 0, 7] + Array(repeating: 0, count: 15) + [30]
    let bytes = message(
      (1, 4, 1, 1),
      question + record(1, [192, 0, 2, 1]) + record(28, [0x20, 1, 0xd, 0xb8] + Array(repeating: 0, count: 11) + [1])
        + record(5, [1, 0x62, 0xc0, 14]) + record(16, [2, 0x68, 0x69]) + record(6, soa) + record(41, [], owner: [0])
        + [1, 2, 3])
    let read = try DNSMessage(decoding: bytes)
    let name = try DomainName("a.example")
    #expect(read.questions == [DNSQuestion(name, .a)])
    #expect(
      read.answers == [
        DNSRecord(name, .a(IPv4Address("192.0.2.1")!), ttl: 60),
        DNSRecord(name, .aaaa(IPv6Address("2001:db8::1")!), ttl: 60),
        DNSRecord(name, .cname(try DomainName("b.example")), ttl: 60),
        DNSRecord(name, .other(.txt, [2, 0x68, 0x69]), ttl: 60),
      ])
    #expect(
      read.authorities == [
        DNSRecord(
          name,
          .soa(primary: try DomainName("example"), mailbox: try DomainName("m.a.example"), serial: 7, minimum: 30),
          ttl: 60)
      ])
    #expect(read.additionals.map(\.type) == [.opt])
    #expect(try DNSMessage(decoding: read.encoded()) == read)
  }

  @Test("A time to live with the highest bit set is 0")
  func hugeTTL() throws {
    var bytes = message((1, 1, 0, 0), question + record(1, [1, 2, 3, 4]))
    bytes[33] = 0x80
    #expect(try DNSMessage(decoding: bytes).answers[0].ttl == 0)
  }

  @Test("Of a truncated message the records before the cut are kept")
  func truncated() throws {
    let whole = message(flags: 0x8380, (1, 2, 0, 0), question + record(1, [1, 2, 3, 4]) + record(1, [5, 6, 7, 8]))
    for cut in 44..<whole.count {
      #expect(try DNSMessage(decoding: Array(whole[..<cut])).answers.count == (cut < 59 ? 1 : 2))
    }
  }

  @Test("No prefix and no changed byte of a message does harm")
  func mutations() throws {
    let soa: [UInt8] = [0xc0, 14, 1, 0x6d, 0xc0, 12] + Array(repeating: 9, count: 20)
    let whole = message(
      (1, 3, 1, 0),
      question + record(5, [1, 0x62, 0xc0, 14]) + record(1, [1, 2, 3, 4], owner: [0xc0, 39])
        + record(28, Array(repeating: 3, count: 16)) + record(6, soa))
    _ = try DNSMessage(decoding: whole)
    for cut in whole.indices { #expect(throws: DNSError.self) { try DNSMessage(decoding: Array(whole[..<cut])) } }
    var readable = 0
    for index in whole.indices {
      for value in [0, 1, 0x3f, 0x40, 0x7f, 0x80, 0xc0, 0xff] as [UInt8] {
        var bytes = whole
        bytes[index] = value
        guard let read = try? DNSMessage(decoding: bytes) else { continue }
        readable += 1
        // What was read can be written and read again.
        #expect(try DNSMessage(decoding: read.encoded()) == read)
      }
    }
    #expect(readable > 100)
  }

  @Test("Random bytes behind a header are read or refused", arguments: 0..<20)
  func random(seed: UInt64) {
    var generator = SplitMix(state: seed)
    for _ in 0..<500 {
      let count = Int.random(in: 0...120, using: &generator)
      let rest = (0..<count).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: 0...255, using: &generator) : [0, 1, 0xc0, 12, 63].randomElement(using: &generator)!
      }
      if let read = try? DNSMessage(decoding: message((1, 2, 1, 1), rest)) {
        #expect(read.questions.count == 1 && read.answers.count <= 2)
        #expect(read.answers.allSatisfy { $0.name.labels.reduce(1) { $0 + $1.count + 1 } <= 255 })
      }
    }
  }
}

struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }
}
