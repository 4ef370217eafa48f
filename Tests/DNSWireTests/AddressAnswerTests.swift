import DNSWire
import NetworkAddress
import Testing

struct AnswerCase: Sendable, CustomTestStringConvertible {
  let name: String
  let expected: AddressAnswer
  var code = DNSMessage.ResponseCode.noError
  var answers: [DNSRecord] = []
  var change: @Sendable (inout DNSMessage) -> Void = { _ in }
  var testDescription: String { name }

  static let one = IPAddress("192.0.2.1")!
  static let two = IPAddress("192.0.2.2")!
  static func name(_ text: String) -> DomainName { (try? DomainName(text)) ?? .root }
  static func a(_ owner: String, _ address: String = "192.0.2.1", ttl: UInt32 = 60) -> DNSRecord {
    DNSRecord(name(owner), .a(IPv4Address(address)!), ttl: ttl)
  }
  static func alias(_ owner: String, _ target: String, ttl: UInt32 = 60) -> DNSRecord {
    DNSRecord(name(owner), .cname(name(target)), ttl: ttl)
  }
  static func soa(ttl: UInt32, minimum: UInt32) -> DNSRecord {
    DNSRecord(name("example"), .soa(primary: .root, mailbox: .root, serial: 1, minimum: minimum), ttl: ttl)
  }
  static func aliases(_ count: Int) -> [DNSRecord] {
    (0..<count).map { alias($0 == 0 ? "a.example" : "n\($0).example", "n\($0 + 1).example") } + [a("n\(count).example")]
  }

  static let all: [AnswerCase] = [
    .init(name: "one address", expected: .addresses([one], ttl: 60), answers: [a("a.example")]),
    .init(
      name: "two addresses and the shorter time", expected: .addresses([one, two], ttl: 5),
      answers: [a("a.example"), a("a.example", "192.0.2.2", ttl: 5)]),
    .init(name: "an address twice", expected: .addresses([one], ttl: 60), answers: [a("a.example"), a("a.example")]),
    .init(name: "another case of letters", expected: .addresses([one], ttl: 60), answers: [a("A.EXAMPLE")]),
    .init(
      name: "an alias", expected: .addresses([one], ttl: 60), answers: [alias("a.example", "b.test"), a("b.test")]),
    .init(
      name: "an alias with a shorter time", expected: .addresses([one], ttl: 3),
      answers: [alias("a.example", "b.test", ttl: 3), a("b.test")]),
    .init(
      name: "an alias behind its address", expected: .addresses([one], ttl: 60),
      answers: [a("b.test"), alias("a.example", "b.test")]),
    .init(name: "16 aliases", expected: .addresses([one], ttl: 60), answers: aliases(16)),
    .init(name: "17 aliases", expected: .none(ttl: 0), answers: aliases(17)),
    .init(name: "an alias of itself", expected: .none(ttl: 0), answers: [alias("a.example", "a.example")]),
    .init(
      name: "aliases in a ring", expected: .none(ttl: 0),
      answers: [alias("a.example", "b.test"), alias("b.test", "a.example")]),
    .init(
      name: "an alias of which nothing more is said", expected: .alias(name("b.test"), ttl: 60),
      answers: [alias("a.example", "b.test")]),
    .init(
      name: "two aliases of which nothing more is said", expected: .alias(name("c.test"), ttl: 5),
      answers: [alias("a.example", "b.test", ttl: 9), alias("b.test", "c.test", ttl: 5)]),
    .init(
      name: "an alias to a name without addresses", expected: .none(ttl: 20), answers: [alias("a.example", "b.test")],
      change: { $0.authorities = [soa(ttl: 100, minimum: 20)] }),
    .init(
      name: "an alias to a name that does not exist", expected: .noSuchName(ttl: 0), code: .nameError,
      answers: [alias("a.example", "b.test")]),
    .init(name: "an address of another name", expected: .none(ttl: 0), answers: [a("b.test")]),
    .init(name: "an address of a name below", expected: .none(ttl: 0), answers: [a("x.a.example")]),
    .init(
      name: "an address of the other family", expected: .none(ttl: 0),
      answers: [DNSRecord(name("a.example"), .aaaa(IPv6Address("2001:db8::1")!), ttl: 1)]),
    .init(
      name: "an address of another class", expected: .none(ttl: 0),
      answers: [DNSRecord(name("a.example"), .a(IPv4Address("192.0.2.1")!), ttl: 1, recordClass: 3)]),
    .init(
      name: "address and alias of one name", expected: .addresses([one], ttl: 60),
      answers: [alias("a.example", "b.test"), a("a.example")]),
    .init(name: "nothing", expected: .none(ttl: 0)),
    .init(
      name: "nothing, to be remembered as long as the SOA says", expected: .none(ttl: 20),
      change: { $0.authorities = [soa(ttl: 100, minimum: 20)] }),
    .init(
      name: "nothing, no longer than the SOA lives", expected: .none(ttl: 10),
      change: { $0.authorities = [soa(ttl: 10, minimum: 20)] }),
    .init(
      name: "no such name", expected: .noSuchName(ttl: 20), code: .nameError,
      change: { $0.authorities = [soa(ttl: 100, minimum: 20)] }),
    .init(name: "a time of 0", expected: .addresses([one], ttl: 0), answers: [a("a.example", ttl: 0)]),
    .init(name: "truncated", expected: .truncated, change: { $0.isTruncated = true }),
    .init(
      name: "truncated behind an address", expected: .truncated, answers: [a("a.example")],
      change: { $0.isTruncated = true }),
    .init(name: "SERVFAIL", expected: .failed(.serverFailure), code: .serverFailure),
    .init(name: "REFUSED", expected: .failed(.refused), code: .refused),
    .init(name: "NOTIMP", expected: .failed(.notImplemented), code: .notImplemented),
    .init(name: "FORMERR", expected: .failed(.formatError), code: .formatError),
    .init(name: "RCODE9", expected: .failed(.init(number: 9)), code: .init(number: 9)),
    .init(name: "REFUSED with addresses", expected: .failed(.refused), code: .refused, answers: [a("a.example")]),
    .init(
      name: "FORMERR without the question", expected: .failed(.formatError), code: .formatError,
      change: { $0.questions = [] }),
    .init(
      name: "NOERROR without the question", expected: .foreign, answers: [a("a.example")], change: { $0.questions = [] }
    ),
    .init(name: "NXDOMAIN without the question", expected: .foreign, code: .nameError, change: { $0.questions = [] }),
    .init(name: "another id", expected: .foreign, answers: [a("a.example")], change: { $0.id = 8 }),
    .init(name: "a query", expected: .foreign, answers: [a("a.example")], change: { $0.isResponse = false }),
    .init(name: "another operation", expected: .foreign, answers: [a("a.example")], change: { $0.operation = 5 }),
    .init(
      name: "another name asked", expected: .foreign, answers: [a("a.example")],
      change: { $0.questions = [DNSQuestion(name("b.test"), .a)] }),
    .init(
      name: "another type asked", expected: .foreign, answers: [a("a.example")],
      change: { $0.questions[0].type = .aaaa }),
    .init(
      name: "another class asked", expected: .foreign, answers: [a("a.example")],
      change: { $0.questions[0].recordClass = 3 }),
    .init(
      name: "two questions", expected: .foreign, answers: [a("a.example")],
      change: { $0.questions.append($0.questions[0]) }),
    .init(
      name: "addresses only in the additional section", expected: .none(ttl: 0),
      change: { $0.additionals = [a("a.example")] }),
  ]
}

@Suite("What an answer says about a name")
struct AddressAnswerTests {
  @Test("An answer is read for the question that was asked", arguments: AnswerCase.all)
  func read(_ test: AnswerCase) throws {
    let question = DNSQuestion(try DomainName("a.example"), .a)
    var message = DNSMessage.query(question, id: 7).response(test.code, answers: test.answers)
    test.change(&message)
    // Over the wire and back, so that what is read is what a server can send.
    let read = try DNSMessage(decoding: message.encoded())
    #expect(AddressAnswer(read, to: question, id: 7) == test.expected)
  }
}
