import AuthCore
import ModemModel
import NetworkAddress
import RedirectChain
import Testing

@testable import AuthFlows
@testable import MobileConnectFlows

@Suite("Mobile Connect: discovery")
struct MobileConnectDiscoveryTests {
  typealias Stage = MobileConnectStage
  static let replies = ["readMetadata": [Stage.metadata()], "discoverByNetwork": [Stage.found()]]

  // MARK: What is asked

  @Test("By the network's codes: GET, Basic with the discovery application, all parameters")
  func network() async throws {
    let stage = Stage(Self.replies)
    let end = try await stage.flow(Stage.discovery()).discover(OperatorQuery())
    let call = try #require(stage.call("discoverByNetwork"))
    #expect(end.outcome.result == .covered && end.answer?.discovered?.way == .network)
    #expect(call.method == .get && call.route == .host && call.body == nil)
    #expect(
      Stage.query(call) == [
        "Redirect_URL": "https://app.example/found", "Using-Mobile-Data": "1", "Identified-MCC": "234",
        "Identified-MNC": "10", "correlation_id": Stage.uuid,
      ])
    #expect(Stage.header("Authorization", call.headers) == "Basic ZGlzY286ZDFzY28=")
    #expect(Stage.header("Accept", call.headers) == "application/json")
    #expect(Stage.header("X-Redirect", call.headers) == "APP")
    #expect(Stage.header("X-Source-IP", call.headers) == nil && stage.opened.withLock { $0.isEmpty })
  }

  @Test("What discovery tells of the operator and the client")
  func told() async throws {
    let end = try await Stage(Self.replies).flow(Stage.discovery()).discover(OperatorQuery())
    let discovered = try #require(end.answer?.discovered)
    let found = try #require(discovered.found)
    #expect(found.name == "Example" && found.country == "UK" && found.currency == "GBP" && found.clientName == "shop")
    #expect(found.client == Stage.client && found.applicationShortName == "shop" && found.scope == "openid mc_authn")
    #expect(discovered.subscriberID == Secret("ab12") && discovered.isCorrelated && !discovered.isKept)
    // Metadata counts in place of links; what it does not have stays.
    #expect(found.endpoints[.authorization]?.path == "/authorize" && found.endpoints[.token]?.path == "/token")
    #expect(found.endpoints[.refresh]?.path == "/refresh" && found.issuer == Stage.issuer)
    #expect(found.metadata?.versions == ["mc_v1.1", "mc_di_r2_v2.3"])
  }

  @Test("By number: POST, digits without +, and no number in the URL")
  func number() async throws {
    let stage = Stage(["discoverByNumber": [Stage.found()], "readMetadata": [Stage.metadata()]])
    let end = try await stage.flow(Stage.discovery()).discover(OperatorQuery(way: .number))
    let call = try #require(stage.call("discoverByNumber"))
    #expect(end.answer?.discovered?.way == .number && call.method == .post && call.url.query == nil)
    #expect(call.body?.contentType == "application/x-www-form-urlencoded")
    #expect(Stage.form(call)["MSISDN"] == "447700900123" && Stage.form(call)["Redirect_URL"] != nil)
    let other = Stage(["discoverByNumber": [Stage.found()], "readMetadata": [Stage.metadata()]])
    _ = try await other.flow(Stage.discovery())
      .discover(OperatorQuery(way: .number, number: try SubscriberNumber("+447700900999")))
    #expect(Stage.form(other.call("discoverByNumber"))["MSISDN"] == "447700900999")
  }

  @Test("By address: over the bearer alone, with nothing but the redirect URL")
  func address() async throws {
    let stage = Stage([
      "discoverByAddress": [.end(200, Self.body(Stage.found()))], "readMetadata": [Stage.metadata()],
    ])
    let end = try await stage.flow(Stage.discovery()).discover(OperatorQuery(way: .address))
    let call = try #require(stage.chain("discoverByAddress"))
    #expect(
      end.outcome.result == .covered && end.answer?.discovered?.way == .address
        && stage.call("discoverByAddress") == nil)
    #expect(Stage.query(call).keys.sorted() == ["Redirect_URL", "Using-Mobile-Data", "correlation_id"])
    #expect(Stage.header("Authorization", call.request.headers)?.hasPrefix("Basic ") == true)
    #expect(call.request.policy.requiresSecureStart && call.request.policy.maximumRedirects == 0)
  }

  @Test("Without a bearer, by address asks nobody")
  func noBearer() async throws {
    let stage = Stage([:], noBearer: ChainFailure(.simLocked, "the SIM waits for its PIN"))
    let end = try await stage.flow(Stage.discovery()).discover(OperatorQuery(way: .address))
    #expect(end.outcome.result == .noDataPath && end.outcome.cause == .simLocked && stage.asked.isEmpty)
  }

  @Test(
    "By X-Source-IP: the bearer's address where servers can see it, else the configured one",
    arguments: [
      ("198.51.100.7", String?.none, "198.51.100.7"), ("10.64.0.2", "203.0.113.9", "203.0.113.9"),
      ("100.64.3.2", "203.0.113.9", "203.0.113.9"), ("2001:db8::1", nil, "2001:db8::1"), ("10.64.0.2", nil, nil),
    ] as [(String, String?, String?)])
  func sourceAddress(bearer: String, configured: String?, sent: String?) async throws {
    let stage = Stage(
      ["discoverByAddress": [Stage.found()], "readMetadata": [Stage.metadata()]],
      addresses: [try #require(IPAddress(bearer))])
    let settings = Stage.discovery {
      $0.addressForm = .header
      $0.ways = [.address]
      $0.sourceAddress = configured.flatMap { IPAddress($0) }
    }
    let end = try await stage.flow(settings).discover(OperatorQuery())
    #expect(end.outcome.result == (sent == nil ? .badRequest : .covered))
    #expect(Stage.header("X-Source-IP", stage.call("discoverByAddress")?.headers) == sent)
    #expect(stage.opened.withLock { $0.isEmpty })
  }

  @Test("Each switch of the configuration is heard")
  func switches() async throws {
    let stage = Stage(Self.replies, addresses: [try #require(IPAddress("10.64.0.2"))])
    let settings = Stage.discovery {
      $0.networkForm = .selected
      $0.usingMobileData = .word
      $0.suppressesPage = false
      $0.sendsLocalAddress = true
      $0.libraryVersion = "Java-2.4.7"
      $0.clientVersion = "Android-4.1.2"
      $0.serverVersion = "Java-3.5.0"
      $0.keepsCookies = false
    }
    _ = try await stage.flow(settings).discover(OperatorQuery())
    let call = try #require(stage.call("discoverByNetwork"))
    let query = Stage.query(call)
    #expect(query["Selected-MCC"] == "234" && query["Selected-MNC"] == "10" && query["Identified-MCC"] == nil)
    #expect(query["Using-Mobile-Data"] == "true" && query["Local-Client-IP"] == "10.64.0.2")
    #expect(query["Ignore-Cookies"] == "true" && Stage.header("X-Redirect", call.headers) == nil)
    #expect(Stage.header("SDK-Version", call.headers) == "Java-2.4.7")
    #expect(Stage.header("Client-Side-Version", call.headers) == "Android-4.1.2")
    #expect(Stage.header("Server-Side-Version", call.headers) == "Java-3.5.0")
    let none = Stage(Self.replies)
    _ = try await none.flow(Stage.discovery { $0.usingMobileData = .none }).discover(OperatorQuery())
    #expect(Stage.query(none.call("discoverByNetwork"))["Using-Mobile-Data"] == nil)
  }

  @Test("The network that serves a roaming SIM is told where that is configured")
  func serving() async throws {
    let stage = Stage(Self.replies)
    var settings = Stage.discovery()
    settings.usesServingNetwork = true
    _ = try await stage.flow(settings).discover(OperatorQuery())
    #expect(Stage.query(stage.call("discoverByNetwork"))["Identified-MCC"] == "208")
  }

  // MARK: Answers

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let reaction: Reaction
    let result: FlowResult
    var code: String?
    var retryAfter: Int?
    var testDescription: String { name }
  }

  static let rows = [
    Row(name: "200 without links", reaction: .reply(200, #"{"response":{}}"#), result: .badAnswer),
    Row(name: "200 without JSON", reaction: .reply(200, "<html>"), result: .badAnswer),
    Row(
      name: "200 with an error", reaction: .reply(200, #"{"error":"invalid_request"}"#), result: .badRequest,
      code: "invalid_request"),
    Row(name: "another correlation id", reaction: Stage.found(correlation: "other"), result: .stateMismatch),
    Row(
      name: "202 without the page", reaction: .reply(202, #"{"links":[{"rel":"x","href":"y"}]}"#), result: .badAnswer),
    Row(name: "302 without Location", reaction: .reply(302, ""), result: .badAnswer),
    Row(
      name: "400", reaction: .reply(400, #"{"error":"invalid_request","description":"d"}"#), result: .badRequest,
      code: "invalid_request"),
    Row(name: "401 is the client's", reaction: .reply(401, ""), result: .clientRefused),
    Row(
      name: "403", reaction: .reply(403, #"{"error":"access_denied"}"#), result: .clientRefused, code: "access_denied"),
    Row(name: "429", reaction: .reply(429, "", ["Retry-After": "9"]), result: .rateLimited, retryAfter: 9),
    Row(name: "500", reaction: .reply(500, ""), result: .providerUnavailable),
    Row(name: "503", reaction: .reply(503, #"{"error":"server_error"}"#), result: .operatorError, code: "server_error"),
    Row(name: "no answer in time", reaction: .failure(.timeout), result: .timeout),
    Row(name: "no such name", reaction: .failure(.dns), result: .dnsError),
  ]

  @Test("Every status has its meaning, and ends the search", arguments: rows)
  func statuses(row: Row) async throws {
    let stage = Stage(["discoverByNetwork": [row.reaction]])
    let end = try await stage.flow(Stage.discovery()).discover(OperatorQuery())
    #expect(end.outcome.result == row.result, "\(end.outcome)")
    #expect(end.outcome.code == row.code && end.outcome.retryAfter == row.retryAfter)
    #expect(stage.asked == ["discoverByNetwork"] && end.answer?.discovered == nil)
  }

  @Test("An answer without the correlation id is tolerated")
  func uncorrelated() async throws {
    let stage = Stage(["discoverByNetwork": [Stage.found(correlation: nil)], "readMetadata": [Stage.metadata()]])
    let end = try await stage.flow(Stage.discovery()).discover(OperatorQuery())
    #expect(end.outcome.result == .covered && end.answer?.discovered?.isCorrelated == false)
  }

  static let notFound = Reaction.reply(404, #"{"error":"Not_Found_Entity","description":"Unsupported operator"}"#)

  @Test("404 leads to the next way, as far as its data is known")
  func next() async throws {
    let stage = Stage([
      "discoverByNetwork": [Self.notFound], "discoverByNumber": [Self.notFound],
      "discoverByAddress": [.end(404, "")], "askForPage": [Self.page],
    ])
    let end = try await stage.flow(Stage.discovery()).discover(OperatorQuery())
    #expect(stage.asked == ["discoverByNetwork", "discoverByNumber", "discoverByAddress", "askForPage"])
    #expect(end.outcome.result == .interactionRequired)
    let bare = Stage(["askForPage": [Self.page], "discoverByAddress": [.end(404, "")]])
    _ = try await bare.flow(Stage.discovery(), of: Subscriber(modem: "m0")).discover(OperatorQuery())
    #expect(bare.asked == ["discoverByAddress", "askForPage"])
  }

  @Test(
    "Where no way is left, the last 404 tells an unknown number from an operator that is not served",
    arguments: [
      (#"{"error":"Not_Found_Entity","description":"Unknown MSISDN"}"#, FlowResult.subscriberUnknown),
      (#"{"error":"Not_Found_Entity","description":"Unsupported operator"}"#, .operatorUnsupported),
      (#"{"error":"Not_Found_Entity","error_description":"MSISDN not found"}"#, .subscriberUnknown),
      ("", .operatorUnsupported),
    ])
  func unknown(body: String, result: FlowResult) async throws {
    let stage = Stage(["discoverByNumber": [.reply(404, body)]])
    let settings = Stage.discovery { $0.ways = [.number] }
    let end = try await stage.flow(settings).discover(OperatorQuery())
    #expect(end.outcome.result == result && end.outcome.status == 404)
    #expect(end.outcome.code == (body.isEmpty ? nil : "Not_Found_Entity"))
  }

  @Test("Without anything that is known, nobody is asked")
  func nothingKnown() async throws {
    let stage = Stage([:])
    let settings = Stage.discovery { $0.ways = [.network, .number] }
    let end = try await stage.flow(settings, of: Subscriber(modem: "m0")).discover(OperatorQuery())
    #expect(end.outcome.result == .badRequest && stage.asked.isEmpty)
  }

  // MARK: The page

  static let page = Reaction.reply(
    202, #"{"links":[{"rel":"operatorSelection","href":"https://exchange.example/select?s=1"}]}"#)

  @Test(
    "A page for people is told with its URL: by 202, by 302, and over the bearer",
    arguments: [
      ("askForPage", page), ("askForPage", .reply(302, "", ["Location": "https://exchange.example/select?s=1"])),
      (
        "askForPage",
        .reply(200, #"{"links":[{"rel":"operatorSelection","href":"https://exchange.example/select?s=1"}]}"#)
      ),
    ])
  func pages(step: String, reaction: Reaction) async throws {
    let stage = Stage([step: [reaction]])
    let end = try await stage.flow(Stage.discovery { $0.asksForHTML = true }).discover(OperatorQuery(way: .page))
    #expect(end.outcome.result == .interactionRequired)
    #expect(end.answer?.page == Secret("https://exchange.example/select?s=1"))
    #expect(Stage.query(stage.call("askForPage"))["Manually-Select"] == "true")
    #expect(Stage.header("X-Redirect", stage.call("askForPage")?.headers) == nil)
    #expect(Stage.header("Accept", stage.call("askForPage")?.headers) == "text/html")
    #expect(!end.outcome.text.contains("select?s=1"))
  }

  @Test("A page that nobody may be shown leads to the next way")
  func noPage() async throws {
    let stage = Stage([
      "discoverByNetwork": [Self.page], "discoverByNumber": [Stage.found()], "readMetadata": [Stage.metadata()],
    ])
    let settings = Stage.discovery { $0.ways = [.network, .number] }
    #expect(try await stage.flow(settings).discover(OperatorQuery()).answer?.discovered?.way == .number)
    let alone = Stage(["discoverByNetwork": [Self.page]])
    let end = try await alone.flow(Stage.discovery { $0.ways = [.network] }).discover(OperatorQuery())
    #expect(end.outcome.result == .operatorUnsupported && end.answer?.page == nil)
  }

  @Test("After the page the selected operator is asked for, and whose number it is goes on to the operator")
  func callback() async throws {
    let stage = Stage([
      "discoverByNetwork": [
        .reply(200, Self.body(Stage.found()).replacing(#""subscriber_id":"ab12","#, with: ""))
      ], "readMetadata": [Stage.metadata()], "authorize": [Stage.code], "exchangeCode": [Stage.tokens()],
      "readKeys": [Stage.keys],
    ])
    let selection = try OperatorSelection(
      callback: Secret("https://app.example/found?mcc_mnc=901_01&subscriber_id=cafe01&subscriber_id_token=t"))
    let end = try await stage.flow(Stage.discovery()).login(Stage.request(), OperatorQuery(selection: selection))
    let query = Stage.query(stage.call("discoverByNetwork"))
    #expect(query["Selected-MCC"] == "901" && query["Selected-MNC"] == "01" && query["Identified-MCC"] == nil)
    #expect(end.outcome.result == .signedIn && end.answer?.discovered?.subscriberID == Secret("cafe01"))
    #expect(Stage.query(stage.chain("authorize"))["login_hint"] == "ENCR_MSISDN:cafe01")
  }

  @Test(
    "A URL that is no callback is refused, without being told",
    arguments: [
      "", "no url", "https://app.example/found", "https://app.example/found?mcc_mnc=90101",
      "https://app.example/found?mcc_mnc=901_1", "https://app.example/found?mcc_mnc=901_01&mcc_mnc=901_02",
      "https://app.example/found?error=access_denied&subscriber_id=cafe",
    ])
  func noCallback(text: String) {
    let error = #expect(throws: AuthError.self) { try OperatorSelection(callback: Secret(text)) }
    #expect(error?.message.contains("callback") == true && error?.message.contains("cafe") == false)
  }

  /// The text of a reaction.
  static func body(_ reaction: Reaction) -> String {
    guard case .reply(_, let body, _) = reaction else { return "" }
    return body
  }
}
