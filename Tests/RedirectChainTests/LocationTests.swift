import RedirectChain
import Testing
import Web

struct LocationCase: Sendable, CustomTestStringConvertible {
  let location: String
  /// The URL that is fetched next; nil where there is none.
  let target: String?
  var base = "https://a.example/b/c/d;p?q"
  var testDescription: String { "\(location) from \(base)" }

  static let all: [LocationCase] = [
    // The examples of RFC 3986, 5.4, on a base with a host.
    .init(location: "g", target: "https://a.example/b/c/g"), .init(location: "./g", target: "https://a.example/b/c/g"),
    .init(location: "g/", target: "https://a.example/b/c/g/"), .init(location: "/g", target: "https://a.example/g"),
    .init(location: "//g.example", target: "https://g.example/"),
    .init(location: "?y", target: "https://a.example/b/c/d;p?y"),
    .init(location: "g?y", target: "https://a.example/b/c/g?y"),
    .init(location: "#s", target: "https://a.example/b/c/d;p?q"),
    .init(location: "g#s", target: "https://a.example/b/c/g"),
    .init(location: "g?y#s", target: "https://a.example/b/c/g?y"),
    .init(location: ";x", target: "https://a.example/b/c/;x"),
    .init(location: "g;x", target: "https://a.example/b/c/g;x"),
    .init(location: "g;x?y#s", target: "https://a.example/b/c/g;x?y"),
    .init(location: ".", target: "https://a.example/b/c/"),
    .init(location: "./", target: "https://a.example/b/c/"), .init(location: "..", target: "https://a.example/b/"),
    .init(location: "../", target: "https://a.example/b/"), .init(location: "../g", target: "https://a.example/b/g"),
    .init(location: "../..", target: "https://a.example/"), .init(location: "../../", target: "https://a.example/"),
    .init(location: "../../g", target: "https://a.example/g"),
    .init(location: "../../../g", target: "https://a.example/g"),
    .init(location: "../../../../g", target: "https://a.example/g"),
    .init(location: "/./g", target: "https://a.example/g"),
    .init(location: "/../g", target: "https://a.example/g"), .init(location: "g.", target: "https://a.example/b/c/g."),
    .init(location: ".g", target: "https://a.example/b/c/.g"),
    .init(location: "g..", target: "https://a.example/b/c/g.."),
    .init(location: "..g", target: "https://a.example/b/c/..g"),
    .init(location: "./../g", target: "https://a.example/b/g"),
    .init(location: "./g/.", target: "https://a.example/b/c/g/"),
    .init(location: "g/./h", target: "https://a.example/b/c/g/h"),
    .init(location: "g/../h", target: "https://a.example/b/c/h"),
    .init(location: "g;x=1/./y", target: "https://a.example/b/c/g;x=1/y"),
    .init(location: "g;x=1/../y", target: "https://a.example/b/c/y"),
    .init(location: "g?y/./x", target: "https://a.example/b/c/g?y/./x"),
    .init(location: "g?y/../x", target: "https://a.example/b/c/g?y/../x"),
    .init(location: "g#s/../x", target: "https://a.example/b/c/g"),
    // Hosts and ports.
    .init(location: "http://C.Example", target: "http://c.example/"),
    .init(location: "HTTPS://c.example/x", target: "https://c.example/x"),
    .init(location: "https://c.example:443/", target: "https://c.example/"),
    .init(location: "http://c.example:443/", target: "http://c.example:443/"),
    .init(location: "https://c.example:/x", target: "https://c.example/x"),
    .init(location: "https://c.example:8443?x", target: "https://c.example:8443/?x"),
    .init(location: "https://c.example.", target: "https://c.example/"),
    .init(location: "https://10.1.2.3/x", target: "https://10.1.2.3/x"),
    .init(location: "https://[2001:DB8:0::1]:8443/x", target: "https://[2001:db8::1]:8443/x"),
    .init(location: "/x", target: "https://a.example:8443/x", base: "https://a.example:8443/y"),
    .init(location: "//b.example/x", target: "http://b.example/x", base: "http://a.example:8080/y"),
    .init(location: "x", target: "https://[::2]/x", base: "https://[::2]/"),
    .init(location: "https://my_host.example/", target: "https://my_host.example/"),
    .init(location: "https://xn--bcher-kva.example/", target: "https://xn--bcher-kva.example/"),
    // Kept as received.
    .init(location: "/%7e%2F%2f%41", target: "https://a.example/%7e%2F%2f%41"),
    .init(location: "/a?b=%2B+%20&c=d%3D", target: "https://a.example/a?b=%2B+%20&c=d%3D"),
    .init(location: "/a//b///c", target: "https://a.example/a//b///c"),
    .init(location: "/%2e%2e/x", target: "https://a.example/%2e%2e/x"),
    .init(location: "/a?b?c??", target: "https://a.example/a?b?c??"),
    .init(location: "/a?", target: "https://a.example/a?"),
    .init(location: "/{a}|b?\"<>^`", target: "https://a.example/{a}|b?\"<>^`"),
    // Repaired as browsers do.
    .init(location: "  /x\t ", target: "https://a.example/x"),
    .init(location: "/a b?c d", target: "https://a.example/a%20b?c%20d"),
    .init(location: "/ä", target: "https://a.example/%C3%A4"),
    // A URL in a query is no scheme.
    .init(location: "/x?u=http://b.example/", target: "https://a.example/x?u=http://b.example/"),
    .init(location: "x/http://b.example/", target: "https://a.example/b/c/x/http://b.example/"),
    // Nothing to fetch.
    .init(location: "", target: nil), .init(location: "   ", target: nil), .init(location: "https://", target: nil),
    .init(location: "https:///x", target: nil), .init(location: "https:x", target: nil),
    .init(location: "//", target: nil),
    .init(location: "https://a b.example/", target: nil), .init(location: "https://a.example:0/", target: nil),
    .init(location: "https://a.example:65536/", target: nil), .init(location: "https://a.example:80x/", target: nil),
    .init(location: "https://a.example:-1/", target: nil), .init(location: "https://a.example:+1/", target: nil),
    .init(location: "https://u@b.example/", target: nil),
    .init(location: "https://a.example\\@b.example/", target: nil),
    .init(location: "https://a.example%00.b.example/", target: nil),
    .init(location: "https://bücher.example/", target: nil),
    .init(location: "https://127.1/", target: nil), .init(location: "https://0x7f.0.0.1/", target: nil),
    .init(location: "https://2130706433/", target: nil), .init(location: "https://256.1.1.1/", target: nil),
    .init(location: "https://[::1/", target: nil), .init(location: "https://[::1]x/", target: nil),
    .init(location: "https://[fe80::1%25eth0]/", target: nil),
    .init(location: "https://[127.0.0.1]/", target: nil), .init(location: "https://a..example/", target: nil),
    .init(location: "https://.example/", target: nil),
    .init(location: "https://\(String(repeating: "a", count: 64)).example/", target: nil),
    .init(location: "/x\r\nSet-Cookie: a=b", target: nil), .init(location: "/x\u{0}", target: nil),
    .init(location: "/x\u{7f}", target: nil),
  ]
}

@Suite("Where a Location points")
struct LocationTests {
  @Test("A Location is resolved as RFC 3986 says, or refused", arguments: LocationCase.all)
  func resolves(_ test: LocationCase) throws {
    let target = try? LocationTarget(test.location, from: WebURL(test.base))
    let expected = try test.target.map { LocationTarget.web(try WebURL($0)) }
    #expect(target == expected)
    if case .web(let url)? = target { #expect(url.text == test.target) }
  }

  @Test(
    "Another scheme is kept byte for byte",
    arguments: [
      "com.example.app://callback?code=1", "com.example.App:/cb", "intent://x#Intent;scheme=y;end",
      "mailto:a@b.example", "data:,x",
      "javascript:alert(1)", "a+b-c.1:x%2f../ y",
    ])
  func otherScheme(uri: String) throws {
    let target = try LocationTarget("  \(uri) ", from: WebURL("https://a.example/"))
    #expect(target == .other(scheme: uri.prefix { $0 != ":" }.lowercased(), uri: uri))
  }

  @Test(
    "An error never holds the URL",
    arguments: ["https://secret:1x/", "https://u:secret@b.example/", "ftp:secret", "secret"])
  func errorsHideTheURL(text: String) {
    let error = #expect(throws: WebURL.Invalid.self) { try WebURL(text) }
    #expect(error?.description.contains("secret") == false)
  }

  @Test(
    "The Host field holds the port only where it is not the scheme's",
    arguments: [
      ("https://a.example/", "a.example"), ("https://a.example:443/", "a.example"),
      ("https://a.example:80/", "a.example:80"),
      ("http://a.example:80/", "a.example"), ("http://[::1]:8080/", "[::1]:8080"), ("https://[::1]/", "[::1]"),
    ])
  func hostField(url: String, field: String) throws {
    #expect(try WebURL(url).hostField == field)
  }
}

struct RedirectURICase: Sendable, CustomTestStringConvertible {
  let registered: String
  let location: String
  let isReached: Bool
  var testDescription: String { "\(location) for \(registered)" }

  private static func yes(_ registered: String, _ locations: String...) -> [RedirectURICase] {
    locations.map { .init(registered: registered, location: $0, isReached: true) }
  }
  private static func no(_ registered: String, _ locations: String...) -> [RedirectURICase] {
    locations.map { .init(registered: registered, location: $0, isReached: false) }
  }

  static let all =
    yes(
      "app://cb", "app://cb", "app://cb?code=1", "app://cb#code=1", "app://cb/", "app://cb/?code=1", "APP://cb",
      "app://CB", " app://cb ", "app://cb?")
    + no(
      "app://cb", "app://cbx", "app://cb.evil", "app://cb/x", "app:cb", "app:/cb", "app:///cb", "appx://cb",
      "app://x@cb", "app://cb:1", "http://cb", "app://cb//")
    + yes("app:/cb", "app:/cb", "app:/cb?code=1", "App:/cb")
    + no("app:/cb", "app:/CB", "app:/cb/", "app:/cb/x", "app://cb", "app:cb")
    + yes(
      "https://app.example/cb", "https://app.example/cb?code=1", "https://APP.example:443/cb",
      "https://app.example:/cb", "//app.example/cb", "https://app.example/x/../cb", "https://app.example./cb")
    + no(
      "https://app.example/cb", "http://app.example/cb", "https://app.example/cb/", "https://app.example/CB",
      "https://app.example:8443/cb", "https://app.example.evil.test/cb", "https://evil.test/cb",
      "https://app.example/cb%2f", "https://app.example/cbx", "https://app.example/")
    + yes("https://app.example", "https://app.example", "https://app.example/", "https://app.example?x")
    + no("https://app.example", "https://app.example/x")
    + yes("https://app.example:8443/cb?fixed=1", "https://app.example:8443/cb?code=2")
    + yes("http://127.0.0.1:9000/cb", "http://127.0.0.1:9000/cb")
}

@Suite("The registered redirect URI")
struct RedirectURITests {
  @Test("Scheme, authority and path are compared, nothing less and nothing more", arguments: RedirectURICase.all)
  func matches(_ test: RedirectURICase) throws {
    let target = try LocationTarget(test.location, from: WebURL("https://gate.example/x"))
    #expect(try RedirectURI(test.registered).matches(target) == test.isReached)
  }

  @Test(
    "What has no scheme or holds control characters is refused",
    arguments: ["", "cb", "//app/cb", "/cb", "1app://cb", "app://c\nb", ":x"])
  func refused(text: String) {
    #expect(throws: WebURL.Invalid.self) { try RedirectURI(text) }
  }

  @Test(
    "Parameters come decoded from query and fragment, the first of a name",
    arguments: [
      ("app://cb?a=1&b=2", ["a": "1", "b": "2"]), ("app://cb#a=1", ["a": "1"]),
      ("app://cb?a=1#a=2&b=3", ["a": "1", "b": "3"]),
      ("app://cb?a=x%20y+z%2B", ["a": "x y z+"]), ("app://cb?a&b=&=c&&", ["a": "", "b": ""]), ("app://cb", [:]),
      ("app://cb?a=b=c", ["a": "b=c"]), ("app://cb?%61=%C3%A4", ["a": "ä"]), ("app://cb?a=%zz%4", ["a": "%zz%4"]),
      ("app:/cb?a=1?b=2", ["a": "1?b=2"]),
    ])
  func parameters(uri: String, expected: [String: String]) {
    #expect(RedirectURI.parameters(of: uri) == expected)
  }
}
