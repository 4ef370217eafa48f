import AuthCore
import AuthFlows
import JSONTree
import ModemModel
import RedirectChain
import SettingsFile
import Testing
import Web
import TruIDFlows

@testable import ProviderSettings

@Suite("Providers' files of tru.ID")
struct TruIDDocumentTests {
  static func read(_ text: String) throws -> TruIDSettings {
    var providers = ProviderSet()
    let tree = try #require(JSONValue(parsing: Array(text.utf8)))
    try ProviderFolder.add(tree, ProviderSecrets(name: "t", credentials: nil), to: &providers)
    return try providers.find(TruIDSettings.self, named: nil, for: nil).settings
  }

  @Test("A file with little in it has the provider's defaults")
  func defaults() throws {
    let settings = try Self.read(#"{ "kind": "truID", "backend": { "url": "https://app.example/demo" } }"#)
    #expect(settings.api == TruIDResidency.eu.endpoint && settings.version == .v1 && settings.product == .phoneCheck)
    #expect(settings.chosenWay == .backend && settings.backend?.route == .host && settings.redirect == nil)
    #expect(settings.checkDomains == ["api.tru.id"] && settings.patience == .seconds(30))
    #expect(!settings.sendsAddress && !settings.sendsSDKHeaders && !settings.isSandbox && !settings.usesPublicCoverage)
  }

  @Test("Every key has its place")
  func all() throws {
    let settings = try Self.read(
      #"""
      { "kind": "truID", "region": "us", "route": "bearer", "version": "v0.2", "product": "subscriberCheck", "way": "backend",
        "backend": { "url": "http://app.example:8080", "resultForm": "query", "exchange": "get", "route": "host" },
        "redirect": { "url": "app://back", "signature": "verified" }, "callback": "https://app.example/callback",
        "checkDomains": ["tru.example"], "sendsAddress": true, "publicCoverage": true, "sdkHeaders": true, "sandbox": true,
        "patienceSeconds": 5 }
      """#)
    #expect(settings.api.host == "us.api.tru.id" && settings.apiRoute == .bearer && settings.backend?.route == .host)
    #expect(settings.version == .v2 && settings.product == .subscriberCheck && settings.way == .backend)
    #expect(settings.backend?.resultForm == .query && settings.backend?.exchange == .get)
    #expect(settings.redirect == TruIDRedirect("app://back", signature: .verified) && settings.keyCheck != nil)
    #expect(settings.callback?.host == "app.example" && settings.checkDomains == ["tru.example"])
    #expect(settings.sendsAddress && settings.usesPublicCoverage && settings.sendsSDKHeaders && settings.isSandbox)
    #expect(settings.patience == .seconds(5))
  }

  @Test(
    "A mistake is named by its key",
    arguments: [
      (#""region": "mars""#, "region is not one of eu, in, us"),
      (#""api": "http://api.tru.id""#, "api is not an https"),
      (#""clientID": "c""#, "clientID has no secret; give the credential t.client-secret"),
      (#""backend": { "user": "u" }"#, "backend.url is not the backend's"),
      (#""backend": { "url": "https://a.example", "user": "u" }"#, "backend.user has no password"),
      (#""backend": { "url": "https://a.example", "exchange": "put" }"#, "backend.exchange is not one of post, get"),
      (#""way": "api""#, "way is not backend"), (#""way": "backend""#, "way is not api"),
      (#""version": "0.2""#, "version is not one of v0.1, v0.2"), (#""product": "sim""#, "product is not one of"),
      (#""redirect": { }"#, "redirect.url is not the absolute URL"),
      (#""redirect": { "url": "app://x", "fetch": true }"#, "redirect.url is not https"),
      (#""redirect": { "url": "app://x", "signature": "none" }"#, "redirect.signature is not one of dated, verified"),
      (#""callback": "http://a.example""#, "callback is not an https URL"),
      (#""patienceSeconds": 121"#, "patienceSeconds is not 1 to 120"),
      (#""clientSecret": "x""#, "there is no key clientSecret"),
      (#""region": "eu""#, "there is neither clientID nor backend"),
      (#""version": "v0.3""#, "version is not one of v0.1, v0.2; did you mean v0.1?"),
    ])
  func mistakes(members: String, message: String) {
    let error = #expect(throws: SettingsError.self) { try Self.read("{ \"kind\": \"truID\", \(members) }") }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "no error")")
  }

  @Test("Check URLs are the provider's by whole labels, and the API's own host always is one")
  func domains() throws {
    let settings = try Self.read(
      #"{ "kind": "truID", "api": "https://api.other.example", "publicCoverage": true, "checkDomains": ["Tru.Example"] }"#
    )
    let limits = TruIDCheckMachine.Limits(settings, .phoneCheck)
    for (url, isOwn) in [
      ("https://tru.example/", true), ("https://eu.tru.example/c", true), ("https://api.other.example/c", true),
      ("https://eviltru.example/", false), ("https://tru.example.evil.example/", false),
      ("https://x.api.other.example/", false),
    ] {
      #expect(limits.isOfProvider(try WebURL(url)) == isOwn, "\(url)")
    }
  }
}
