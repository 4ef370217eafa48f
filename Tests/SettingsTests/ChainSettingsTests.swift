import Testing

@testable import modemd

@Suite("Settings of the chain") struct ChainSettingsTests {
  private static func read(_ text: String) throws -> Settings { try Settings(json: Array(text.utf8)) }

  @Test("TLS has a newest version, 1.3 where nothing is said")
  func tls() throws {
    #expect(try Self.read("{}").newestTLS == .tls13)
    #expect(try Self.read(#"{"tls": {"atMost": "1.3"}}"#).newestTLS == .tls13)
    let capped = try Self.read(#"{"tls": {"atMost": "1.2", "extraRoots": "/r.pem"}}"#)
    #expect(capped.newestTLS == .tls12 && capped.extraRoots == "/r.pem")
  }

  @Test("Cleartext is for all domains, for some, or for none")
  func domains() throws {
    #expect(try Self.read("{}").reach.cleartextDomains == nil)
    #expect(try Self.read(#"{"check": {"cleartextDomains": []}}"#).reach.cleartextDomains == [])
    let some = try Self.read(#"{"check": {"cleartextDomains": ["Operator.example", "he.test"]}}"#)
    #expect(some.reach.cleartextDomains == ["operator.example", "he.test"])
  }

  @Test(
    "A wrong value is named by its key",
    arguments: [
      (#"{"tls": {"atMost": "1.1"}}"#, "tls.atMost"), (#"{"tls": {"atMost": 1.2}}"#, "tls.atMost"),
      (#"{"check": {"cleartextDomains": ["http://a.example"]}}"#, "check.cleartextDomains"),
      (#"{"check": {"cleartextDomains": [".a.example"]}}"#, "check.cleartextDomains"),
      (#"{"check": {"cleartextDomains": ["a.example:80"]}}"#, "check.cleartextDomains"),
      (#"{"check": {"cleartextDomains": ["*.a.example"]}}"#, "check.cleartextDomains"),
      (#"{"check": {"cleartextDomains": [""]}}"#, "check.cleartextDomains"),
    ])
  func wrong(text: String, key: String) {
    #expect {
      _ = try Self.read(text)
    } throws: {
      "\($0)".contains(key) && !"\($0)".contains("a.example")
    }
  }
}
