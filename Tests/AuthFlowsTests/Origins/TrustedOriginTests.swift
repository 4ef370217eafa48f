import AuthCore
@_spi(Exchange) import RedirectChain
import Testing
@_spi(Exchange) import Web

@Suite("Whose word counts, and which URLs of answers are asked")
struct TrustedOriginTests {
  static let configured = "https://api.shop.example"

  /// A URL, whether it counts by the configured URL alone, with the domain `shop.example`, with the
  /// sites of the configured one.
  static let rows: [(String, Bool, Bool, Bool)] = [
    ("https://api.shop.example/x?y=z", true, true, true), ("https://API.Shop.Example:443/", true, true, true),
    ("https://api.shop.example./", true, true, true), ("https://shop.example/", false, true, true),
    ("https://www.shop.example/", false, true, true), ("https://a.b.shop.example/", false, true, true),
    ("http://api.shop.example/", false, false, false), ("http://api.shop.example:443/", false, false, false),
    ("https://api.shop.example:8443/", false, false, false), ("https://evil-shop.example/", false, false, false),
    ("https://evilshop.example/", false, false, false), ("https://api-shop.example/", false, false, false),
    ("https://shop.example.evil/", false, false, false),
    ("https://api.shop.example.evil.example/", false, false, false),
    ("https://example/", false, false, false), ("https://198.51.100.1/", false, false, false),
    ("https://[2001:db8::1]/", false, false, false), ("https://127.0.0.1/", false, false, false),
  ]

  @Test("Scheme, host and port count; look-alikes, a dot at the end and capitals change nothing", arguments: rows)
  func origins(text: String, byURL: Bool, byDomain: Bool, bySite: Bool) throws {
    let url = try WebURL(Self.configured)
    let origin = try WebURL(text).origin
    #expect(TrustedOrigins(url).contains(origin) == byURL)
    #expect(TrustedOrigins([url], domains: ["Shop.Example"]).contains(origin) == byDomain)
    #expect(TrustedOrigins(url).withSites(of: [url]).contains(origin) == bySite)
  }

  @Test("What is configured in clear or on this machine counts as it is, and nothing beside it does")
  func clear() throws {
    let trusted = TrustedOrigins([try WebURL("http://localhost:9099"), try WebURL("https://127.0.0.1:8443")])
      .withSites(of: [try WebURL("http://localhost:9099"), try WebURL("https://127.0.0.1:8443")])
    #expect(trusted.contains(try WebURL("http://localhost:9099/x").origin))
    #expect(trusted.contains(try WebURL("https://127.0.0.1:8443/x").origin))
    for other in ["https://localhost:9099/", "http://localhost/", "http://127.0.0.1:8443/", "https://127.0.0.1/"] {
      #expect(!trusted.contains(try WebURL(other).origin), "\(other)")
    }
  }

  @Test("Domains under which strangers get names count for nothing")
  func shared() throws {
    let rented = try WebURL("https://shop.herokuapp.com")
    let trusted = TrustedOrigins([rented], domains: ["com", "co.uk", "herokuapp.com", "azurewebsites.net"])
      .withSites(of: [rented])
    #expect(trusted.contains(rented.origin))
    for other in [
      "https://evil.herokuapp.com/", "https://evil.com/", "https://evil.co.uk/", "https://evil.azurewebsites.net/",
      "https://herokuapp.com/",
    ] { #expect(!trusted.contains(try WebURL(other).origin), "\(other)") }
    let london = try WebURL("https://shop.co.uk")
    #expect(!TrustedOrigins(london).withSites(of: [london]).contains(try WebURL("https://evil.co.uk").origin))
    #expect(TrustedOrigins(london).withSites(of: [london]).contains(try WebURL("https://api.shop.co.uk").origin))
  }

  /// What an answer gave, and why it is not asked.
  static let urls: [(String, AnsweredURL.Fault?)] = [
    ("https://api.shop.example/token", nil), ("https://login.shop.example/", nil), ("http://localhost:9099/token", nil),
    ("", .malformed), ("/token", .malformed), ("app:/back", .malformed),
    ("https://good.example@evil.example/", .malformed),
    ("https://api.shop.example\u{0}/", .malformed), ("https://b\u{fc}cher.example/", .malformed),
    ("http://api.shop.example/", .inClear(host: "api.shop.example")),
    ("http://localhost/", .inClear(host: "localhost")),
    ("https://localhost:9099/", .notPublic(host: "localhost")), ("https://127.0.0.1/", .notPublic(host: "127.0.0.1")),
    ("https://10.0.0.1/", .notPublic(host: "10.0.0.1")), ("https://[::1]/", .notPublic(host: "::1")),
    ("https://[fe80::1]/", .notPublic(host: "fe80::1")),
    ("https://169.254.169.254/", .notPublic(host: "169.254.169.254")),
    ("https://8.8.8.8/", .notPublic(host: "8.8.8.8")), ("https://router/", .notPublic(host: "router")),
    ("https://nas.local/", .notPublic(host: "nas.local")), ("https://x.internal./", .notPublic(host: "x.internal")),
    ("https://foo.localhost/", .notPublic(host: "foo.localhost")),
    ("https://evil.example/", .stranger(host: "evil.example")),
    ("https://evil-shop.example/", .stranger(host: "evil-shop.example")),
    ("https://api.shop.example:8443/", .stranger(host: "api.shop.example")),
    ("https://shop.example.evil.example/", .stranger(host: "shop.example.evil.example")),
  ]

  @Test("A URL of an answer is https, public and of the provider", arguments: urls)
  func answered(text: String, fault: AnsweredURL.Fault?) throws {
    let provider = TrustedOrigins(
      [try WebURL(Self.configured), try WebURL("http://localhost:9099")], domains: ["shop.example"])
    do throws(AnsweredURL.Fault) {
      _ = try AnsweredURL(text, within: provider)
      #expect(fault == nil)
    } catch {
      #expect(error == fault)
    }
  }

  @Test("An answer is read for the origins whose word counts; else as a refusal alone")
  func verified() throws {
    let url = try WebURL(Self.configured)
    let body = Array(#"{"match":true}"#.utf8)
    let own = ChainAnswer(status: 200, contentType: "application/json", body: body, from: AnswerSource(asked: url))
    #expect(own.verified(from: TrustedOrigins(url))?.body == body)
    #expect(own.verified(from: TrustedOrigins(url))?.header("content-type") == "application/json")
    #expect(own.verified(from: TrustedOrigins([])) == nil && own.hearsay.body.isEmpty)
    let nobody = ChainAnswer(status: 200, contentType: nil, body: body)
    #expect(nobody.verified(from: TrustedOrigins(url)) == nil && nobody.hearsay.body.isEmpty)
    let refusal = ChainAnswer(status: 400, contentType: "text/html; charset=utf-8", body: body)
    #expect(refusal.hearsay.body == body && refusal.hearsay.isPage)
  }
}
