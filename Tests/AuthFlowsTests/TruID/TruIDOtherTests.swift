import AuthCore
import AuthFlows
import ModemModel
import RedirectChain
import Testing
import Web
import TruIDFlows

private let problem = TruIDStage.problem

@Suite("tru.ID: SIMCheck, coverage, tokens, traces")
struct TruIDOtherTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    var isAPI = false
    let reaction: Reaction
    let result: FlowResult
    var code: String?
    var retryAfter: Int?

    var testDescription: String { name }

    var access: TruIDAccess { isAPI ? .api(TruIDStage.client) : TruIDStage.backend }

    func expect(_ outcome: FlowOutcome, calls: Int) {
      #expect(outcome.result == result, "\(outcome)")
      #expect(outcome.code == code && outcome.retryAfter == retryAfter)
      #expect(calls == 1)
      #expect(!outcome.text.contains("447700900123") && !outcome.text.contains("198.51"))
    }
  }

  static let simChecksRows: [Row] = [
    .init(name: "unchanged", reaction: .reply(200, #"{"no_sim_change":true}"#), result: .simUnchanged),
    .init(
      name: "changed", reaction: .reply(200, #"{"no_sim_change":false,"last_sim_change_at":"2026-11-20T10:00:00Z"}"#),
      result: .simSwapped),
    .init(name: "absent is not unchanged", reaction: .reply(200, "{}"), result: .simUnknown),
    .init(name: "null is not unchanged", reaction: .reply(200, #"{"no_sim_change":null}"#), result: .simUnknown),
    .init(name: "text is not unchanged", reaction: .reply(200, #"{"no_sim_change":"true"}"#), result: .simUnknown),
    .init(
      name: "completed", isAPI: true,
      reaction: .reply(201, #"{"check_id":"s","status":"COMPLETED","no_sim_change":true}"#), result: .simUnchanged),
    .init(
      name: "completed, changed", isAPI: true,
      reaction: .reply(201, #"{"check_id":"s","status":"COMPLETED","no_sim_change":false,"sim_change_within":720}"#),
      result: .simSwapped),
    .init(
      name: "not completed", isAPI: true,
      reaction: .reply(201, #"{"check_id":"s","status":"PENDING","no_sim_change":true}"#), result: .simUnknown),
    .init(
      name: "no data", isAPI: true,
      reaction: .reply(201, #"{"check_id":"s","status":"ERROR","error_code":"mno_no_data_available"}"#),
      result: .operatorError, code: "mno_no_data_available"),
    .init(
      name: "operator silent", isAPI: true, reaction: .reply(201, #"{"status":"ERROR","error_code":"mno_timeout"}"#),
      result: .operatorTimeout, code: "mno_timeout"),
    .init(
      name: "user unknown", isAPI: true,
      reaction: .reply(201, #"{"status":"ERROR","error_code":"mno_user_not_found"}"#), result: .subscriberUnknown,
      code: "mno_user_not_found"),
    .init(
      name: "number", isAPI: true, reaction: .reply(400, problem("phone_format_invalid")), result: .badRequest,
      code: "phone_format_invalid"),
    .init(
      name: "too many", isAPI: true, reaction: .reply(429, problem("too_many_requests"), ["retry-after": "60"]),
      result: .rateLimited, code: "too_many_requests", retryAfter: 60),
    .init(
      name: "passed on", reaction: .reply(400, problem("mno_not_supported")), result: .operatorUnsupported,
      code: "mno_not_supported"),
    .init(name: "not served", reaction: .reply(404, "Cannot POST"), result: .notConfigured),
    .init(name: "no JSON", reaction: .reply(200, "OK"), result: .badAnswer),
    .init(name: "not reached", reaction: .failure(.connect), result: .providerUnavailable),
  ]

  @Test("SIMCheck each way, and each of its ends", arguments: simChecksRows)
  func simCheck(row: Row) {
    let trial = TruIDStage.run(TruIDSIMCheckMachine(TruIDStage.number, period: 60, by: row.access), [row.reaction])
    row.expect(trial.outcome, calls: trial.sent.count)
    #expect(trial.opened.isEmpty && !TruIDSIMCheckMachine.usesBearer)
  }

  static let known =
    #"{"network_id":"23410","network_name":"O2","country_code":"GB","mobile_data_ip":"198.51.100.7","network_aliases":["23411"],"products":[{"product_id":"pck","product_name":"Phone Check"}]}"#

  static let deviceCoverageRows: [Row] = [
    .init(name: "served", reaction: .end(200, known), result: .covered),
    .init(
      name: "another product", reaction: .end(200, known.replacing("pck", with: "sck")), result: .operatorUnsupported),
    .init(
      name: "no product",
      reaction: .end(200, known.replacing(#"{"product_id":"pck","product_name":"Phone Check"}"#, with: "")),
      result: .operatorUnsupported),
    .init(name: "nothing said of products", reaction: .end(200, #"{"network_id":"23410"}"#), result: .covered),
    .init(
      name: "operator", reaction: .end(400, problem("mno_not_supported")), result: .operatorUnsupported,
      code: "mno_not_supported"),
    .init(
      name: "not mobile", reaction: .end(412, problem("not_mobile_ip")), result: .notMobileIP, code: "not_mobile_ip"),
    .init(name: "token", reaction: .end(401, ""), result: .clientRefused),
    .init(
      name: "too many", reaction: .broken(.rateLimited, retryAfter: 5, status: 429), result: .rateLimited, retryAfter: 5
    ),
    .init(name: "portal", reaction: .broken(.possibleCaptivePortal), result: .captivePortal),
    .init(name: "bearer lost", reaction: .broken(.bearerLost), result: .noDataPath),
    .init(name: "page", reaction: .end(200, "<html>", type: "text/html"), result: .badAnswer),
    .init(name: "another object", reaction: .end(200, #"{"hello":1}"#), result: .badAnswer),
  ]

  @Test("Coverage of the bearer's own address", arguments: deviceCoverageRows)
  func deviceCoverage(row: Row) throws {
    let machine = TruIDDeviceCoverageMachine(
      try WebURL("https://eu.api.tru.id/coverage/v0.1/device_ip"), token: Secret("token-1"), product: .phoneCheck)
    let trial = TruIDStage.run(machine, [row.reaction])
    row.expect(trial.outcome, calls: trial.opened.count)
    #expect(trial.opened[0].request.policy.staysOnFirstSite && trial.sent.isEmpty)
  }

  static let listedRows: [Row] = [
    .init(name: "API", isAPI: true, reaction: .reply(200, known), result: .covered),
    .init(name: "backend", reaction: .reply(200, known), result: .covered),
    .init(
      name: "not mobile", reaction: .reply(412, problem("not_mobile_ip")), result: .notMobileIP, code: "not_mobile_ip"),
    .init(
      name: "operator", isAPI: true, reaction: .reply(400, problem("mno_not_supported")), result: .operatorUnsupported,
      code: "mno_not_supported"),
    .init(name: "no path", reaction: .reply(404, "Cannot GET"), result: .notConfigured),
  ]

  @Test("Coverage of an address that is named", arguments: listedRows)
  func addressCoverage(row: Row) {
    let trial = TruIDStage.run(TruIDListedCoverageMachine(.address("2001:db8::7"), by: row.access), [row.reaction])
    row.expect(trial.outcome, calls: trial.sent.count)
    #expect(
      trial.sent[0].url.requestTarget
        == (row.isAPI ? "/coverage/v0.1/device_ips/2001%3Adb8%3A%3A7" : "/demo/device?id_address=2001%3Adb8%3A%3A7"))
  }

  static let countriesRows: [Row] = [
    .init(
      name: "full", isAPI: true,
      reaction: .reply(
        200,
        #"{"country_code":"GB","dialing_code":44,"products":[{"product_id":"pck","coverage":"FULL","networks":[{"network_id":"23410"}]}]}"#
      ), result: .covered),
    .init(
      name: "partial",
      reaction: .reply(200, #"{"country_code":"GB","products":[{"product_id":"suk","coverage":"PARTIAL"}]}"#),
      result: .covered),
    .init(
      name: "soon is not now", isAPI: true,
      reaction: .reply(200, #"{"country_code":"GB","products":[{"product_id":"pck","coverage":"COMING_SOON"}]}"#),
      result: .operatorUnsupported),
    .init(name: "none", isAPI: true, reaction: .reply(404, ""), result: .operatorUnsupported),
  ]

  @Test("Coverage of a country", arguments: countriesRows)
  func countryCoverage(row: Row) {
    let trial = TruIDStage.run(TruIDListedCoverageMachine(.country("GB"), by: row.access), [row.reaction])
    row.expect(trial.outcome, calls: trial.sent.count)
    #expect(
      trial.sent[0].url.requestTarget
        == (row.isAPI ? "/coverage/v0.1/countries/GB" : "/demo/country?country_code=GB"))
  }

  // MARK: Tokens

  static let credentials = TruIDCredentials(clientID: "id", clientSecret: Secret("client-secret"))
  static let source = TruIDTokenMachine.Source.api(TruIDStage.api, credentials, scope: "phone_check coverage", .host)

  static let tokensRows: [Row] = [
    .init(
      name: "given", isAPI: true,
      reaction: .reply(200, #"{"access_token":"a","expires_in":3600,"token_type":"bearer"}"#), result: .authorized),
    .init(
      name: "client", isAPI: true, reaction: .reply(401, #"{"error":"invalid_client"}"#), result: .clientRefused,
      code: "invalid_client"),
    .init(
      name: "scope", isAPI: true, reaction: .reply(400, #"{"error":"invalid_scope"}"#), result: .clientRefused,
      code: "invalid_scope"),
    .init(name: "none", isAPI: true, reaction: .reply(200, #"{"token_type":"bearer"}"#), result: .badAnswer),
    .init(
      name: "too many", isAPI: true, reaction: .reply(429, "", ["Retry-After": "2"]), result: .rateLimited,
      retryAfter: 2),
    .init(name: "server", isAPI: true, reaction: .reply(503, ""), result: .providerUnavailable),
    .init(name: "not reached", isAPI: true, reaction: .failure(.tls), result: .tlsError),
    .init(
      name: "of a backend",
      reaction: .reply(200, #"{"token":"a","url":"https://eu.api.tru.id/coverage/v0.1/device_ip"}"#),
      result: .authorized),
    .init(name: "of a backend without it", reaction: .reply(404, "Cannot GET"), result: .notConfigured),
  ]

  @Test("Access tokens, and what may go wrong with them", arguments: tokensRows)
  func tokens(row: Row) throws {
    let backend = TruIDBackend(try Endpoint("https://app.example/demo"))
    let trial = TruIDStage.run(TruIDTokenMachine(row.isAPI ? Self.source : .backend(backend)), [row.reaction])
    row.expect(trial.outcome, calls: trial.sent.count)
    #expect((trial.answer != nil) == (row.result == .authorized))
    guard row.isAPI else { return }
    let body = String(decoding: trial.sent[0].body?.bytes ?? [], as: UTF8.self)
    #expect(body == "grant_type=client_credentials&scope=phone_check%20coverage")
    #expect(TruIDCallTests.header("Authorization", trial.sent[0].headers) == "Basic aWQ6Y2xpZW50LXNlY3JldA==")
  }

  @Test(
    "A token is used until a minute before its end",
    arguments: [(3600, 3538, false), (3600, 3540, true), (60, 0, true), (0, 0, true)])
  func tokenAge(life: Int, age: Int64, isAskedAnew: Bool) throws {
    let reply = Reaction.reply(200, #"{"access_token":"a","expires_in":\#(life)}"#)
    let token = try #require(TruIDStage.run(TruIDTokenMachine(Self.source), [reply]).answer)
    var machine = TruIDTokenMachine(Self.source, kept: token)
    let later = Timestamp(milliseconds: TruIDStage.start.milliseconds + age * 1000)
    switch machine.start(at: later) {
    case .send: #expect(isAskedAnew)
    case .finish(_, let kept): #expect(!isAskedAnew && kept == token)
    default: Issue.record("a token needs one call")
    }
  }

  // MARK: Traces

  static let tracesRows: [Row] = [
    .init(
      name: "a collection", isAPI: true,
      reaction: .reply(
        200,
        #"{"_embedded":{"traces":[{"trace_id":"t","logs":[{"timestamp":"2026-11-22T06:00:00Z","message":"m","attributes":{"a":1}}]}]}}"#
      ), result: .authorized),
    .init(
      name: "one", isAPI: true, reaction: .reply(200, #"{"trace_id":"t","logs":[{"timestamp":"x","message":"m"}]}"#),
      result: .authorized),
    .init(
      name: "gone", isAPI: true, reaction: .reply(410, problem("trace_gone")), result: .expired, code: "trace_gone"),
    .init(
      name: "no such trace", isAPI: true, reaction: .reply(404, problem("trace_not_found")), result: .badRequest,
      code: "trace_not_found"),
    .init(
      name: "no such check", isAPI: true, reaction: .reply(404, problem("check_not_found")), result: .expired,
      code: "check_not_found"),
    .init(name: "no JSON", isAPI: true, reaction: .reply(200, "x"), result: .badAnswer),
  ]

  @Test("Traces, and that they are gone after a week", arguments: tracesRows)
  func traces(row: Row) {
    let machine = TruIDTracesMachine(of: "c/1", .phoneCheck, .v2, trace: "t", by: TruIDStage.client)
    let trial = TruIDStage.run(machine, [row.reaction])
    row.expect(trial.outcome, calls: trial.sent.count)
    #expect(trial.sent[0].url.requestTarget == "/phone_check/v0.2/checks/c%2F1/traces/t")
    if row.result == .authorized { #expect(trial.answer?.map(\.id) == ["t"] && trial.answer?[0].entries.count == 1) }
  }
}
