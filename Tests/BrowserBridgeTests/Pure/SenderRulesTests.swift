import LoopbackHTTP
import Testing

@Suite("Whether a request comes from a person's browser", .timeLimit(.minutes(1)))
struct SenderRulesTests {
  typealias Fields = [(name: String, value: String)]

  private static let navigation: Fields = [
    ("host", "127.0.0.1:61977"), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"),
    ("sec-fetch-dest", "document"),
  ]
  private static let form: Fields = [
    ("host", "localhost:61977"), ("origin", "http://localhost:61977"), ("sec-fetch-site", "same-origin"),
    ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document"),
    ("content-type", "application/x-www-form-urlencoded"),
  ]

  private static func refusal(
    _ fields: Fields, _ purpose: SenderRules.Purpose, method: String? = nil
  ) -> SenderRules.Refusal? {
    let request = BrowserRequest(
      method: method ?? (purpose == .form ? "POST" : "GET"), path: "/start", fields: fields, user: 0, port: 61_977)
    do throws(SenderRules.Refusal) {
      try SenderRules.check(request, for: purpose)
      return nil
    } catch {
      return error
    }
  }

  private static func with(_ fields: Fields, _ name: String, _ value: String?) -> Fields {
    fields.filter { $0.name != name } + (value.map { [(name, $0)] } ?? [])
  }

  @Test func `a navigation and a form of this origin are taken`() {
    #expect(Self.refusal(Self.navigation, .start) == nil)
    #expect(Self.refusal(Self.with(Self.navigation, "sec-fetch-site", "none"), .page) == nil)
    #expect(Self.refusal(Self.form, .form) == nil)
    for host in ["127.0.0.1:61977", "localhost:61977", "[::1]:61977"] {
      #expect(Self.refusal(Self.with(Self.navigation, "host", host), .start) == nil)
    }
  }

  @Test(arguments: [
    "evil.example", "evil.example:61977", "127.0.0.1", "127.0.0.1:80", "localhost", "LOCALHOST:61977",
    "127.0.0.1:61977.evil.example", "127.1:61977", "[::ffff:127.0.0.1]:61977", "localhost.:61977", "",
    "127.0.0.1:61977, evil.example", "user@127.0.0.1:61977",
  ])
  func `another name of this machine is another server`(_ host: String) {
    #expect(Self.refusal(Self.with(Self.navigation, "host", host), .start) == .wrongHost)
  }

  @Test func `none or two of a decisive field are refused`() {
    #expect(Self.refusal(Self.with(Self.navigation, "host", nil), .start) == .wrongHost)
    #expect(Self.refusal(Self.navigation + [("host", "127.0.0.1:61977")], .start) == .wrongHost)
    for name in ["sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"] {
      #expect(Self.refusal(Self.with(Self.navigation, name, nil), .start) == .notABrowser)
      #expect(Self.refusal(Self.navigation + [(name, "document")], .start) == .notABrowser)
    }
    #expect(Self.refusal(Self.form + [("origin", "http://localhost:61977")], .form) == .otherOrigin)
  }

  @Test(arguments: [
    ("sec-fetch-dest", "image"), ("sec-fetch-dest", "iframe"), ("sec-fetch-dest", "frame"),
    ("sec-fetch-dest", "embed"), ("sec-fetch-dest", "object"), ("sec-fetch-dest", "empty"),
    ("sec-fetch-dest", "script"), ("sec-fetch-mode", "no-cors"), ("sec-fetch-mode", "cors"),
    ("sec-fetch-mode", "websocket"), ("sec-purpose", "prefetch"), ("sec-purpose", "prefetch;prerender"),
    ("purpose", "prefetch"), ("x-moz", "prefetch"),
  ])
  func `what nobody navigates to gets nothing`(_ name: String, _ value: String) {
    for purpose in [SenderRules.Purpose.start, .page] {
      let fields = Self.with(Self.with(Self.navigation, "sec-fetch-site", "same-origin"), name, value)
      #expect(Self.refusal(fields, purpose) == .notANavigation)
    }
  }

  @Test(arguments: [
    ("origin", "null"), ("origin", "https://evil.example"), ("origin", "http://127.0.0.1:61977"),
    ("origin", "http://localhost"), ("origin", "https://localhost:61977"), ("origin", "http://localhost:61977/"),
    ("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site"), ("sec-fetch-site", "none"),
  ])
  func `a form of another origin is refused`(_ name: String, _ value: String) {
    #expect(Self.refusal(Self.with(Self.form, name, value), .form) == .otherOrigin)
  }

  @Test func `pages, scripts and streams are this origin's alone`() {
    for purpose in [SenderRules.Purpose.page, .script, .style, .stream] {
      for site in ["cross-site", "same-site"] {
        #expect(Self.refusal(Self.with(Self.navigation, "sec-fetch-site", site), purpose) == .otherOrigin)
      }
    }
    #expect(Self.refusal(Self.with(Self.form, "origin", nil), .form) == .otherOrigin)
    #expect(Self.refusal(Self.with(Self.form, "content-type", "text/plain"), .form) == .notAForm)
    #expect(Self.refusal(Self.form, .form, method: "GET") == .wrongMethod(allowed: "POST"))
    for method in ["POST", "HEAD", "OPTIONS", "PUT"] {
      #expect(Self.refusal(Self.navigation, .start, method: method) == .wrongMethod(allowed: "GET"))
    }
  }
}
