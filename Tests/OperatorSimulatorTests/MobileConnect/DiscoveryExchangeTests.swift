import JSONTree
import OperatorSimulator
import MobileConnectSimulation
import Testing

/// The simulated exchange: the four ways to an operator, and what it refuses.
@Suite struct DiscoveryExchangeTests {
  static let redirect = "Redirect_URL=app://back"
  let stage = MobileConnectStage.shared

  @Test func `a number, a network, a chosen network and an address lead to the operator`() async throws {
    let server = ["x-source-ip": "10.64.0.2"]
    for (name, response, knowsNumber) in [
      ("number", await stage.discover("", form: Self.redirect + "&MSISDN=4915112345678"), true),
      ("network", await stage.discover(Self.redirect + "&Identified-MCC=262&Identified-MNC=01"), false),
      ("chosen", await stage.discover(Self.redirect + "&Selected-MCC=262&Selected-MNC=01"), false),
      ("address", await stage.discover(Self.redirect, from: MobileConnectStage.bearer), true),
      ("address of a server's word", await stage.discover(Self.redirect, headers: server), true),
    ] {
      #expect(response.status == 200, "\(name): \(response.body)")
      let found = response.json["response"]
      #expect(found?["client_id"]?.string == "plain" && found?["client_secret"]?.string == "plain-secret", "\(name)")
      let links = found?["apis"]?["operatorid"]?["link"]?.items ?? []
      #expect(links.contains { $0["rel"]?.string == "token" && $0["href"]?.string == "https://op.example/token" })
      #expect(response.json["ttl"]?.integer == 1_790_086_400_000, "\(name): absolute, in milliseconds")
      let subscriber = response.json["subscriber_id"]?.string
      #expect((subscriber != nil) == knowsNumber, "\(name)")
      if let subscriber {
        #expect(subscriber.utf8.count == 512 && subscriber.allSatisfy(\.isHexDigit), "\(name): 2048 bits")
        #expect(stage.notes.kind(of: subscriber) == "subscriber id")
      }
    }
  }

  struct Refusal: Sendable, CustomStringConvertible {
    let description: String
    var query = ""
    var form: String?
    var headers: [String: String] = [:]
    let status: Int
    var error = "invalid_request"
  }

  @Test(arguments: [
    Refusal(description: "no redirect URL", query: "Identified-MCC=262&Identified-MNC=01", status: 400),
    Refusal(description: "a redirect URL that is not registered", query: "Redirect_URL=app://other", status: 400),
    Refusal(description: "a number in the query", query: redirect + "&MSISDN=4915112345678", status: 400),
    Refusal(description: "a number with its plus", form: redirect + "&MSISDN=%2B4915112345678", status: 400),
    Refusal(
      description: "a form without a number", form: redirect + "&Identified-MCC=262&Identified-MNC=01", status: 400),
    Refusal(
      description: "a body that is no form", form: redirect + "&MSISDN=4915112345678",
      headers: ["content-type": "application/json"], status: 415),
    Refusal(description: "half a network", query: redirect + "&Identified-MCC=262", status: 400),
    Refusal(description: "a network of letters", query: redirect + "&Selected-MCC=abc&Selected-MNC=01", status: 400),
    Refusal(description: "a parameter twice", query: redirect + "&" + redirect, status: 400),
    Refusal(description: "a parameter that is not known", query: redirect + "&MCC=262", status: 400),
    Refusal(description: "an address that is none", query: redirect + "&Local-Client-IP=here", status: 400),
    Refusal(description: "a flag that is none", query: redirect + "&Using-Mobile-Data=yes", status: 400),
    Refusal(description: "a correlation id that is no UUID", query: redirect + "&correlation_id=7", status: 400),
    Refusal(description: "no type that it answers in", query: redirect, headers: ["accept": "*/*"], status: 406),
    Refusal(
      description: "the operator's credentials", query: redirect,
      headers: MobileConnectStage.basic("plain", "plain-secret"), status: 401, error: "invalid_client"),
    Refusal(
      description: "an unknown number", form: redirect + "&MSISDN=4917700000000", status: 404, error: "Not_Found_Entity"
    ),
    Refusal(
      description: "a number of another operator, for an app", form: redirect + "&MSISDN=4915299999999",
      headers: ["x-redirect": "APP"], status: 404, error: "Not_Found_Entity"),
    Refusal(
      description: "another operator, for an app", query: redirect + "&Identified-MCC=262&Identified-MNC=02",
      headers: ["x-redirect": "APP"], status: 404, error: "Not_Found_Entity"),
  ])
  func `a request that is not as it must be is refused`(refusal: Refusal) async {
    let response = await stage.discover(refusal.query, form: refusal.form, headers: refusal.headers)
    #expect(response.status == refusal.status, "\(response.body)")
    #expect(response.json["error"]?.string == refusal.error)
  }

  @Test func `without data a person chooses, and the button leads back with network and number`() async throws {
    for (query, pressed, hasNumber) in [
      (Self.redirect, "&mcc_mnc=262_01", false), (Self.redirect, "&msisdn=4915112345678", true),
      (Self.redirect + "&Manually-Select=true&Identified-MCC=262&Identified-MNC=01", "&mcc_mnc=262_01", false),
      (Self.redirect + "&Identified-MCC=262&Identified-MNC=02", "&mcc_mnc=262_01", false),
    ] {
      let asked = await stage.discover(query)
      #expect(asked.status == 202)
      let link = try #require(asked.json["links"]?.items.first { $0["rel"]?.string == "operatorSelection" })
      let url = try #require(link["href"]?.string)
      let page = try #require(await stage.send(url))
      #expect(
        page.status == 200 && page.body.contains("262_01")
          && page.header("Content-Type")?.hasPrefix("text/html") == true)
      let wrong = try #require(await stage.send(url.replacing("/select", with: "/select/done") + "&mcc_mnc=262_02"))
      #expect(wrong.status == 200, "the page again")
      let done = try #require(await stage.send(url.replacing("/select", with: "/select/done") + pressed))
      let location = try #require(done.header("Location"))
      #expect(location.hasPrefix("app://back?mcc_mnc=262_01"))
      #expect(location.contains("&subscriber_id=") == hasNumber)
      #expect(await stage.send(url)?.status == 404, "a page is answered once")
    }
  }

  @Test func `a browser is redirected to the page`() async throws {
    let response = await stage.discover(Self.redirect, headers: ["accept": "text/html"])
    #expect(response.status == 302 && response.header("Location")?.hasPrefix("https://ex.example/select?") == true)
  }

  @Test(arguments: [
    ("plain", "123e4567-e89b-42d3-a456-426614174000"), ("missingCorrelation", nil),
    ("discoveryCorrelation", "00000000-0000-4000-8000-000000000000"),
  ])
  func `a correlation id comes back`(application: String, answered: String?) async {
    let query = Self.redirect + "&Selected-MCC=262&Selected-MNC=01&correlation_id=123e4567-e89b-42d3-a456-426614174000"
    #expect(await stage.discover(query, as: application).json["correlation_id"]?.string == answered)
  }

  @Test func `links may be old or lead to no metadata, and the exchange may be away`() async throws {
    func links(_ application: String) async -> [String: String] {
      let response = await stage.discover(Self.redirect + "&Selected-MCC=262&Selected-MNC=01", as: application)
      return Dictionary(
        (response.json["response"]?["apis"]?["operatorid"]?["link"]?.items ?? []).map {
          ($0["rel"]?.string ?? "", $0["href"]?.string ?? "")
        }, uniquingKeysWith: { first, _ in first })
    }
    let old = try #require(await links("oldLinks")["token"])
    #expect(await stage.send(old, form: "") == nil)
    #expect(await links("missingMetadata")["openid-configuration"] == nil)
    let gone = try #require(await links("metadataError")["openid-configuration"])
    #expect(await stage.send(gone) == nil)
    let there = try #require(await links("plain")["openid-configuration"])
    let metadata = try #require(await stage.send(there))
    #expect(metadata.json["issuer"]?.string == "https://op.example")
    let own = MobileConnectStage()
    own.notes.say("mobileConnect.exchange", "unavailable")
    #expect(await own.discover(Self.redirect).status == 503)
  }
}
