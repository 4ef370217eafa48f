import Testing
import Web

@testable import RedirectChain

@Suite("Which hosts belong together")
struct SiteTests {
  @Test(
    "Under one registered name",
    arguments: [
      ("a.example", "a.example", true), ("a.example", "www.a.example", true), ("x.a.example", "y.a.example", true),
      ("a.example", "b.example", false), ("a.example", "xa.example", false), ("a.co.uk", "b.co.uk", false),
      ("a.co.uk", "www.a.co.uk", true), ("a.web.id", "b.web.id", false), ("a.web.de", "b.web.de", true),
      ("localhost", "localhost", true), ("localhost", "other", false), ("192.0.2.1", "192.0.2.1", true),
      ("192.0.2.1", "198.0.2.1", false), ("a.example", "192.0.2.1", false),
    ])
  func sites(first: String, second: String, isOne: Bool) throws {
    let urls = (try WebURL("https://\(first)/"), try WebURL("https://\(second):8443/x"))
    #expect(Site.isOne(urls.0, urls.1) == isOne)
    #expect(Site.isOne(urls.1, urls.0) == isOne)
  }

  @Test("A host that is a public suffix keeps its cookies to itself")
  func suffixHost() throws {
    var jar = CookieJar()
    #expect(jar.store(["a=1; Domain=co.uk; Path=/"], from: try WebURL("https://co.uk/"), now: 0) == ["a"])
    #expect(jar.header(for: try WebURL("https://co.uk/"), now: 0)?.value == "a=1")
    #expect(jar.header(for: try WebURL("https://shop.co.uk/"), now: 0) == nil)
  }

  /// Two lists and what both allow; nil for any.
  static let lists: [(Set<String>?, Set<String>?, Set<String>?)] = [
    (nil, nil, nil), (["a.example"], nil, ["a.example"]), (nil, ["a.example"], ["a.example"]),
    (["he.a.example", "b.example"], ["a.example"], ["he.a.example"]),
    (["a.example"], ["he.a.example"], ["he.a.example"]), (["a.example"], ["b.example"], []),
  ]

  @Test("Two lists of cleartext domains allow what both allow", arguments: lists)
  func bothLists(own: Set<String>?, other: Set<String>?, both: Set<String>?) {
    var policy = ChainPolicy()
    policy.cleartextDomains = own
    policy.restrictCleartext(to: other)
    #expect(policy.cleartextDomains == both)
  }
}
