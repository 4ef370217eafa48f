import RedirectChain
import Testing
import Web

struct CookieCase: Sendable, CustomTestStringConvertible {
  let name: String
  let fields: [String]
  /// What goes with the second request; nil for no Cookie field.
  let sent: String?
  var from = "https://www.a.example/folder/page"
  var to = "https://www.a.example/folder/next"
  var later: Int64 = 0
  var testDescription: String { name }

  static let now: Int64 = 1_700_000_000

  static let all: [CookieCase] = [
    // Name and value.
    .init(name: "plain", fields: ["a=b"], sent: "a=b"),
    .init(name: "blanks around", fields: [" a = b ; Path=/"], sent: "a=b"),
    .init(name: "= in the value", fields: ["a=b=c"], sent: "a=b=c"),
    .init(name: "quotes are kept", fields: ["a=\"b c\""], sent: "a=\"b c\""),
    .init(name: "empty value", fields: ["a="], sent: "a="), .init(name: "no name", fields: ["=b"], sent: nil),
    .init(name: "no =", fields: ["ab"], sent: nil),
    .init(name: "control characters", fields: ["a=b\u{1}c"], sent: nil),
    .init(name: "a line break", fields: ["a=b\r\nX: y"], sent: nil),
    .init(name: "two of them", fields: ["a=1", "b=2"], sent: "a=1; b=2"),
    .init(name: "replaced in its place", fields: ["a=1", "b=2", "a=3"], sent: "a=3; b=2"),
    .init(name: "too long", fields: ["a=" + String(repeating: "b", count: 5000)], sent: nil),
    .init(name: "unknown attributes", fields: ["a=b; SameSite=None; Priority=High; Partitioned"], sent: "a=b"),
    .init(name: "empty attributes", fields: ["a=b;;; ;Path=/"], sent: "a=b"),
    // Domain.
    .init(name: "host only: not to a name below", fields: ["a=b"], sent: nil, to: "https://x.www.a.example/folder/"),
    .init(name: "host only: not to the name above", fields: ["a=b"], sent: nil, to: "https://a.example/folder/"),
    .init(
      name: "domain: to the name above", fields: ["a=b; Domain=a.example"], sent: "a=b", to: "https://a.example/folder/"
    ),
    .init(
      name: "domain: to a name beside", fields: ["a=b; Domain=a.example"], sent: "a=b",
      to: "https://x.a.example/folder/"),
    .init(
      name: "domain with a dot", fields: ["a=b; domain=.A.Example"], sent: "a=b", to: "https://x.a.example/folder/"),
    .init(
      name: "domain: not to a name that only ends alike", fields: ["a=b; Domain=a.example"], sent: nil,
      to: "https://evila.example/folder/"),
    .init(
      name: "domain: not to a name that holds it", fields: ["a=b; Domain=a.example"], sent: nil,
      to: "https://a.example.evil.test/folder/"),
    .init(name: "a foreign domain", fields: ["a=b; Domain=b.example"], sent: nil, to: "https://b.example/folder/"),
    .init(name: "a foreign domain is not kept for the own host", fields: ["a=b; Domain=b.example"], sent: nil),
    .init(
      name: "a domain below", fields: ["a=b; Domain=x.www.a.example"], sent: nil, to: "https://x.www.a.example/folder/"),
    .init(name: "a top-level domain", fields: ["a=b; Domain=example"], sent: nil),
    .init(
      name: "a domain of many owners", fields: ["a=b; Domain=co.uk"], sent: nil, from: "https://x.co.uk/",
      to: "https://y.co.uk/"),
    .init(
      name: "a domain under one of many owners", fields: ["a=b; Domain=x.co.uk"], sent: "a=b",
      from: "https://w.x.co.uk/", to: "https://v.x.co.uk/"),
    .init(
      name: "a short name that is its owner's", fields: ["a=b; Domain=vf.de"], sent: "a=b", from: "https://w.vf.de/",
      to: "https://v.vf.de/"),
    .init(name: "an empty domain", fields: ["a=b; Domain="], sent: "a=b"),
    .init(name: "the last domain counts", fields: ["a=b; Domain=b.example; Domain=a.example"], sent: "a=b"),
    .init(
      name: "the last domain counts, also when foreign", fields: ["a=b; Domain=a.example; Domain=b.example"], sent: nil),
    .init(name: "an address", fields: ["a=b"], sent: "a=b", from: "https://10.0.0.1/", to: "https://10.0.0.1/"),
    .init(
      name: "part of an address", fields: ["a=b; Domain=0.0.1"], sent: nil, from: "https://10.0.0.1/",
      to: "https://10.0.0.1/"),
    .init(name: "another port", fields: ["a=b"], sent: "a=b", to: "https://www.a.example:8443/folder/"),
    // Path.
    .init(name: "the folder of the page", fields: ["a=b"], sent: "a=b", to: "https://www.a.example/folder/below/x"),
    .init(name: "not above the folder", fields: ["a=b"], sent: nil, to: "https://www.a.example/"),
    .init(name: "not beside the folder", fields: ["a=b"], sent: nil, to: "https://www.a.example/folder2/"),
    .init(name: "the folder itself", fields: ["a=b"], sent: "a=b", to: "https://www.a.example/folder"),
    .init(name: "a page at the top", fields: ["a=b"], sent: "a=b", from: "https://www.a.example/page"),
    .init(name: "a path of its own", fields: ["a=b; Path=/"], sent: "a=b", to: "https://www.a.example/"),
    .init(name: "a path with a slash", fields: ["a=b; Path=/x/"], sent: "a=b", to: "https://www.a.example/x/y"),
    .init(
      name: "a path with a slash is not its name", fields: ["a=b; Path=/x/"], sent: nil, to: "https://www.a.example/x"),
    .init(name: "a relative path is none", fields: ["a=b; Path=x"], sent: "a=b"),
    .init(name: "an empty path is none", fields: ["a=b; Path="], sent: "a=b"),
    .init(name: "case of a path", fields: ["a=b; Path=/Folder"], sent: nil),
    .init(name: "longer paths first", fields: ["a=1; Path=/", "b=2; Path=/folder"], sent: "b=2; a=1"),
    .init(name: "one name, two paths", fields: ["a=1; Path=/", "a=2; Path=/folder"], sent: "a=2; a=1"),
    // Secure.
    .init(name: "Secure over https", fields: ["a=b; Secure"], sent: "a=b"),
    .init(name: "Secure not in clear", fields: ["a=b; SECURE"], sent: nil, to: "http://www.a.example/folder/"),
    .init(name: "others in clear too", fields: ["a=b"], sent: "a=b", to: "http://www.a.example/folder/"),
    .init(name: "HttpOnly does not matter", fields: ["a=b; HttpOnly"], sent: "a=b"),
    .init(name: "Secure from cleartext", fields: ["a=b; Secure"], sent: nil, from: "http://www.a.example/folder/"),
    .init(name: "from cleartext", fields: ["a=b"], sent: "a=b", from: "http://www.a.example/folder/"),
    .init(name: "__Secure- without Secure", fields: ["__Secure-a=b"], sent: nil),
    .init(name: "__Secure- with it", fields: ["__Secure-a=b; Secure"], sent: "__Secure-a=b"),
    .init(name: "__Host- whole", fields: ["__Host-a=b; Secure; Path=/"], sent: "__Host-a=b"),
    .init(name: "__Host- with a domain", fields: ["__Host-a=b; Secure; Path=/; Domain=a.example"], sent: nil),
    .init(name: "__Host- with a folder", fields: ["__Host-a=b; Secure; Path=/folder"], sent: nil),
    // Time.
    .init(name: "Max-Age not over", fields: ["a=b; Max-Age=10"], sent: "a=b", later: 9),
    .init(name: "Max-Age over", fields: ["a=b; Max-Age=10"], sent: nil, later: 10),
    .init(name: "Max-Age 0 deletes", fields: ["a=b", "a=; Max-Age=0"], sent: nil),
    .init(name: "negative Max-Age deletes", fields: ["a=b", "a=c; Max-Age=-5"], sent: nil),
    .init(name: "deletion of another path", fields: ["a=b", "a=; Max-Age=0; Path=/"], sent: "a=b"),
    .init(name: "Max-Age that is no number", fields: ["a=b; Max-Age=1x"], sent: "a=b"),
    .init(name: "a huge Max-Age", fields: ["a=b; Max-Age=9223372036854775807"], sent: "a=b"),
    .init(
      name: "a Max-Age beyond numbers", fields: ["a=b; Max-Age=99999999999999999999"], sent: "a=b", later: 1_000_000),
    .init(name: "Expires in the past", fields: ["a=b", "a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], sent: nil),
    .init(name: "Expires in the future", fields: ["a=b; Expires=Wed, 09 Jun 2038 10:18:14 GMT"], sent: "a=b"),
    .init(name: "Expires at the second", fields: ["a=b; Expires=Tue, 14 Nov 2023 22:13:21 GMT"], sent: "a=b"),
    .init(name: "Expires at the second before", fields: ["a=b; Expires=Tue, 14 Nov 2023 22:13:20 GMT"], sent: nil),
    .init(name: "Expires with dashes", fields: ["a=b; Expires=Tue, 14-Nov-2023 22:13:19 GMT"], sent: nil),
    .init(name: "Expires of two digits", fields: ["a=b; Expires=Tuesday, 14-Nov-23 22:13:19 GMT"], sent: nil),
    .init(name: "Expires of asctime", fields: ["a=b; Expires=Tue Nov 14 22:13:19 2023"], sent: nil),
    .init(name: "Expires that is no date", fields: ["a=b; Expires=never"], sent: "a=b"),
    .init(name: "Expires in 1994 by two digits", fields: ["a=b; Expires=Sun, 06-Nov-94 08:49:37 GMT"], sent: nil),
    .init(name: "Expires at 25 o'clock", fields: ["a=b; Expires=Tue, 14 Nov 2023 25:00:00 GMT"], sent: "a=b"),
    .init(
      name: "Max-Age before Expires", fields: ["a=b; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], sent: "a=b"),
    .init(
      name: "Expires on a leap day", fields: ["a=b; Expires=Thu, 29 Feb 2024 00:00:00 GMT"], sent: "a=b",
      later: 9_164_799),
    .init(
      name: "Expires on a leap day, over", fields: ["a=b; Expires=Thu, 29 Feb 2024 00:00:00 GMT"], sent: nil,
      later: 9_164_800),
  ]
}

@Suite("Cookies of a chain")
struct CookieTests {
  @Test("A cookie is kept, sent and forgotten as RFC 6265 says", arguments: CookieCase.all)
  func cookie(_ test: CookieCase) throws {
    var jar = CookieJar()
    jar.store(test.fields, from: try WebURL(test.from), now: CookieCase.now)
    let header = jar.header(for: try WebURL(test.to), now: CookieCase.now + test.later)
    #expect(header?.value == test.sent)
  }

  @Test("A jar is bounded in number, and its field in bytes")
  func bounded() throws {
    let url = try WebURL("https://a.example/")
    var jar = CookieJar()
    jar.store((0..<1000).map { "n\($0)=v" }, from: url, now: 0)
    #expect(jar.header(for: url, now: 0)?.names.count == 100)
    var fat = CookieJar()
    fat.store((0..<100).map { "n\($0)=" + String(repeating: "v", count: 4000) }, from: url, now: 0)
    let header = try #require(fat.header(for: url, now: 0))
    #expect(header.value.utf8.count <= 16_384 && header.names.count == 4)
  }

  @Test("Names are shown, values are not", arguments: [["a=secret", "b=secret; Path=/"]])
  func names(fields: [String]) throws {
    var jar = CookieJar()
    jar.store(fields, from: try WebURL("https://a.example/"), now: 0)
    #expect(jar.header(for: try WebURL("https://a.example/"), now: 0)?.names == ["a", "b"])
  }
}
