import AuthCore
import AuthFlows
import JSONTree
import ModemModel
import RedirectChain
import Testing
import Web
import TruIDFlows

@Suite("tru.ID: what is sent")
struct TruIDCallTests {
  static let result = Reaction.reply(200, #"{"check_id":"c-1","status":"COMPLETED","match":true}"#)

  static func members(_ call: BackendCall) -> JSONValue? { call.body.flatMap { JSONValue(parsing: $0.bytes) } }

  static func header(_ name: String, _ headers: [WebHeader]) -> String? {
    headers.first { $0.name == name }?.value
  }

  @Test("At the API: number without its +, address, period, own URLs of the answer, and the token on API calls alone")
  func api() throws {
    var settings = TruIDSettings()
    settings.sendsSDKHeaders = true
    let client = TruIDClient(
      api: TruIDStage.api, token: Secret("token-1"), route: .bearer, callback: try WebURL("https://app.example/cb"))
    let trial = TruIDStage.check(
      .subscriberCheck, .v2, by: .api(client), redirect: TruIDRedirect("app://back"),
      [
        .reply(201, TruIDStage.createdAtAPI), .end(200, #"{"check_id":"c-1","code":"code-1","reference_id":"r"}"#),
        .reply(200, #"{"status":"PENDING"}"#), Self.result,
      ]
    ) { request in
      request.address = "198.51.100.7"
      request.family = .ipv4
      request.reference = "r"
      request.period = 60
      request.headers = [.init(name: "x-tru-sdk-request", value: "u")]
    }
    #expect(trial.outcome.result == .verified)
    #expect(trial.steps == ["createCheck", "openCheckURL", "exchangeCode", "waitForResult", "readResult"])
    let create = trial.sent[0]
    #expect(create.url.text == "https://eu.api.tru.id/subscriber_check/v0.2/checks" && create.method == .post)
    #expect(
      Self.members(create)
        == .object([
          "phone_number": .string("447700900123"), "phone_ip": .string("198.51.100.7"), "reference_id": .string("r"),
          "period": .int(60), "redirect_url": .string("app://back"), "callback_url": .string("https://app.example/cb"),
        ]))
    let exchange = trial.sent[1]
    #expect(exchange.method == .patch && exchange.url.text == "https://eu.api.tru.id/x/phone_checks/c-1")
    #expect(exchange.body?.contentType == "application/json-patch+json")
    #expect(
      Self.members(exchange)?.text == #"[{"op":"add","path":"/code","value":"code-1"}]"#)
    #expect(
      trial.sent.allSatisfy { Self.header("Authorization", $0.headers) == "Bearer token-1" && $0.route == .bearer })
    let open = trial.opened[0].request
    #expect(open.url.text == TruIDStage.checkURL && open.method == .get)
    #expect(open.headers == [.init(name: "x-tru-sdk-request", value: "u")])
    #expect(open.policy.family == .ipv4)
    #expect(open.redirectURI == (try RedirectURI("app://back")))
  }

  @Test("A self link of another host does not get the token")
  func selfLink() {
    let created = TruIDStage.createdAtAPI.replacing("https://eu.api.tru.id/x/", with: "https://evil.example/x/")
    let trial = TruIDStage.check(
      .phoneCheck, .v1, by: .api(TruIDStage.client), [.reply(201, created), .end(200, "", type: nil), Self.result])
    #expect(trial.sent[1].url.text == "https://eu.api.tru.id/phone_check/v0.1/checks/c-1")
  }

  @Test("The chain has what is left of the check's life, and a minute at most")
  func chainTime() {
    for (ttl, seconds) in [(120, 60), (40, 39), (90, 60)] {
      let created = TruIDStage.createdAtAPI.replacing(#""ttl":120"#, with: #""ttl":\#(ttl)"#)
      let trial = TruIDStage.check(
        .phoneCheck, .v1, by: .api(TruIDStage.client), [.reply(201, created), .broken(.timeout)])
      #expect(trial.opened[0].request.policy.totalTime == .seconds(seconds))
    }
  }

  @Test("Paths of a backend, by product, version and form")
  func paths() throws {
    var backend = TruIDBackend(try Endpoint("https://app.example/demo/"), user: "u", password: Secret("p"))
    let urls = { (product: TruIDProduct, version: TruIDVersion, reactions: [Reaction]) in
      TruIDStage.check(product, version, by: .backend(backend), reactions).sent.map {
        "\($0.method.rawValue) \($0.url.text.dropFirst("https://app.example/demo".count))"
      }
    }
    let opened: [Reaction] = [.reply(200, TruIDStage.created), .end(200, "", type: nil)]
    let end = Reaction.reply(200, #"{"match":true}"#)
    #expect(urls(.subscriberCheck, .v1, opened + [end]) == ["POST /subscriber-check", "GET /subscriber-check/c-1"])
    #expect(urls(.phoneCheck, .v1, opened + [end]) == ["POST /phone-check", "GET /phone-check?check_id=c-1"])
    backend.resultForm = .query
    #expect(
      urls(.subscriberCheck, .v1, opened + [end]) == [
        "POST /subscriber-check", "GET /v0.1/subscriber-check?check_id=c-1",
      ])
    let coded: [Reaction] = [.reply(200, TruIDStage.created), .end(200, #"{"check_id":"c-1","code":"a b"}"#)]
    #expect(
      urls(.phoneCheck, .v2, coded + [end]) == ["POST /v0.2/phone-check", "POST /v0.2/phone-check/exchange-code"])
    backend.exchange = .get
    #expect(
      urls(.subscriberCheck, .v2, coded + [end])
        == ["POST /v0.2/subscriber-check", "GET /v0.2/subscriber-check/exchange-code?check_id=c-1&code=a%20b"])
    let trial = TruIDStage.check(.phoneCheck, .v1, by: .backend(backend), opened + [end])
    #expect(trial.sent.allSatisfy { Self.header("Authorization", $0.headers) == "Basic dTpw" && $0.route == .host })
    #expect(trial.opened[0].request.headers.isEmpty)
  }

  @Test("What a check tells beside its outcome")
  func answer() throws {
    let trial = TruIDStage.check(
      .subscriberCheck, .v1, by: .api(TruIDStage.client),
      [
        .reply(201, TruIDStage.createdAtAPI), .end(200, "", type: nil),
        .reply(
          200,
          #"{"status":"COMPLETED","match":true,"no_sim_change":false,"sim_change_within":43201,"network_id":"23410"}"#,
          ["X-RateLimit-Limit": "100", "x-ratelimit-remaining": "7"]),
      ])
    let answer = try #require(trial.answer)
    #expect(answer.checkID == "c-1" && answer.network == "23410" && answer.simChangeWithin == 43_201)
    #expect(answer.rate?.limit == 100 && answer.rate?.remaining == 7)
  }

  @Test("Regions have hosts that can be reached", arguments: TruIDResidency.allCases)
  func regions(region: TruIDResidency) {
    #expect(region.endpoint.url.text == "https://\(region.rawValue).api.tru.id/")
  }
}
