import DNSWire
import Testing

@Suite("Domain names")
struct DomainNameTests {
  @Test(
    "A name is read in lower case and shown as it is",
    arguments: [
      ("a.example", "a.example"), ("A.Example.COM.", "a.example.com"), (".", "."), ("localhost", "localhost"),
      ("_sip._tcp.example", "_sip._tcp.example"), ("xn--bcher-kva.example", "xn--bcher-kva.example"),
      ("1.2.3", "1.2.3"),
      (String(repeating: "a", count: 63) + ".b", String(repeating: "a", count: 63) + ".b"),
      (
        [String](repeating: "a", count: 127).joined(separator: "."),
        [String](repeating: "a", count: 127).joined(separator: ".")
      ),
    ])
  func reads(text: String, shown: String) throws {
    #expect(try DomainName(text).description == shown)
  }

  @Test(
    "What is no name is refused",
    arguments: [
      "", "..", ".a", "a..b", "a b", "a/b", "bücher.example", "a\u{0}b", "a:b", "[::1]", "*.example", "a.example..",
      String(repeating: "a", count: 64), [String](repeating: "a", count: 128).joined(separator: "."),
      [String](repeating: String(repeating: "b", count: 63), count: 4).joined(separator: "."),
    ])
  func refuses(text: String) {
    let error = #expect(throws: DNSError.self) { try DomainName(text) }
    #expect(error?.code == .badName)
  }

  @Test("Bytes that are no text are shown as numbers")
  func escapes() throws {
    #expect(try DomainName(labels: [[0x61, 0, 0x2e, 0x5c, 0xff], [0x62]]).description == "a\\000\\046\\092\\255.b")
  }

  @Test(
    "A name is within another label by label",
    arguments: [
      ("a.example", "example", true), ("a.example", "a.example", true), ("bexample", "example", false),
      ("a", ".", true),
      ("example", "a.example", false), ("a.b.example", "b.example", true), ("a.bb.example", "b.example", false),
    ])
  func within(name: String, parent: String, isWithin: Bool) throws {
    #expect(try DomainName(name).isWithin(DomainName(parent)) == isWithin)
  }
}
