import Testing

@testable import HTTPExchange

@Suite("Names in certificates")
struct ServerNameTests {
  @Test(
    "A name matches itself and its wildcard, label by label",
    arguments: [
      ("a.example.com", "a.example.com", true), ("A.Example.COM", "a.example.com", true),
      ("*.example.com", "a.example.com", true), ("*.example.com", "b.a.example.com", false),
      ("*.example.com", "example.com", false), ("*.com", "example.com", false), ("*", "example", false),
      ("*.*.com", "a.example.com", false), ("a*.example.com", "ab.example.com", false),
      ("example.com", "a.example.com", false), ("a.example.com.evil.test", "a.example.com", false),
      ("", "a.example", false),
      ("a.example.com\u{0}.evil.test", "a.example.com", false),
    ])
  func matches(pattern: String, host: String, isMatch: Bool) {
    #expect(ServerName.matches(Array(pattern.utf8), host) == isMatch)
  }
}
