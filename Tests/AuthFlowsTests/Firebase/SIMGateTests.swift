import AuthCore
import AuthFlows
import ModemModel
import RedirectChain
import Testing
import Web
import FirebaseFlows

@Suite("The gate of the phone sign-in")
struct SIMGateTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var reply: SignInStage.Reply
    var result: FlowResult
    var sim: SIMChange?
    var code: String?
    var retryAfter: Int?
    /// What `proceed` makes of it: whether the message is sent.
    var proceeds = false

    var testDescription: String { "\(reply.status) \(reply.failure?.kind.rawValue ?? reply.json)" }
  }

  private static func problem(_ status: Int, _ fragment: String) -> SignInStage.Reply {
    .init(status: status, json: #"{"type":"https://tru.id/docs/api-errors#\#(fragment)","title":"t","detail":"d"}"#)
  }

  static let cases: [Case] = [
    Case(reply: .init(json: #"{"no_sim_change":false}"#), result: .simSwapped, sim: .changed),
    Case(
      reply: .init(json: #"{"no_sim_change":false,"last_sim_change_at":"2026-11-20T08:00:00Z"}"#), result: .simSwapped,
      sim: .changed),
    // What is absent, or is no boolean, says nothing.
    Case(reply: .init(json: "{}"), result: .simUnknown, sim: .unknown, proceeds: true),
    Case(reply: .init(json: #"{"no_sim_change":null}"#), result: .simUnknown, sim: .unknown, proceeds: true),
    Case(reply: .init(json: #"{"no_sim_change":"true"}"#), result: .simUnknown, sim: .unknown, proceeds: true),
    Case(reply: .init(json: #"{"no_sim_change":1}"#), result: .simUnknown, sim: .unknown, proceeds: true),
    Case(
      reply: .init(json: #"{"status":"ERROR","error_code":"mno_timeout"}"#), result: .operatorTimeout, sim: .unknown,
      code: "mno_timeout", proceeds: true),
    Case(reply: .init(json: "[true]"), result: .simUnknown, sim: .unknown, proceeds: true),
    Case(reply: .init(json: "<html>"), result: .badAnswer, sim: .unknown, proceeds: true),
    // What the provider refuses stays refused, whatever the policy.
    Case(
      reply: .init(status: 400, json: #"{"error_message":"phone_number parameter is required"}"#), result: .badRequest,
      sim: .unknown),
    Case(
      reply: problem(400, "phone_format_invalid"), result: .badRequest, sim: .unknown, code: "phone_format_invalid"),
    Case(reply: .init(status: 401, json: ""), result: .clientRefused, sim: .unknown),
    Case(reply: problem(403, "forbidden"), result: .clientRefused, sim: .unknown, code: "forbidden"),
    Case(reply: .init(status: 404, json: ""), result: .notConfigured, sim: .unknown),
    // An operator that cannot tell.
    Case(
      reply: problem(400, "mno_not_supported"), result: .operatorUnsupported, sim: .unknown, code: "mno_not_supported",
      proceeds: true),
    Case(
      reply: problem(409, "ip_msisdn_mismatch"), result: .operatorMismatch, sim: .unknown, code: "ip_msisdn_mismatch",
      proceeds: true),
    Case(
      reply: problem(412, "not_mobile_ip"), result: .notMobileIP, sim: .unknown, code: "not_mobile_ip", proceeds: true),
    Case(
      reply: .init(
        status: 429, json: #"{"type":"x#too_many_requests"}"#, headers: [.init(name: "Retry-After", value: "17")]),
      result: .rateLimited, sim: .unknown, code: "too_many_requests", retryAfter: 17, proceeds: true),
    Case(reply: .init(status: 500, json: ""), result: .providerUnavailable, sim: .unknown, proceeds: true),
    Case(
      reply: .init(failure: BackendFailure(.connect, "app.example does not answer")), result: .providerUnavailable,
      sim: .unknown, proceeds: true),
    Case(reply: .init(failure: BackendFailure(.dns, "no such host")), result: .dnsError, sim: .unknown, proceeds: true),
    Case(reply: .init(failure: BackendFailure(.timeout, "too late")), result: .timeout, sim: .unknown, proceeds: true),
    Case(
      reply: .init(failure: BackendFailure(.noDataPath, cause: .bearerLost, "the bearer was lost")),
      result: .noDataPath, sim: .unknown, proceeds: true),
  ]

  @Test("A changed SIM and one that nobody knows of stop it before any message is sent", arguments: cases)
  func stops(_ row: Case) async throws {
    let stage = SignInStage([row.reply, SignInStage.sent, SignInStage.signedIn], codes: [.message("123456")])
    let end = try await stage.signIn(.project)
    #expect(end.outcome.result == row.result)
    #expect(end.outcome.sim == row.sim)
    #expect(end.outcome.code == row.code)
    #expect(end.outcome.retryAfter == row.retryAfter)
    #expect(end.outcome.text.contains("no message was sent"))
    #expect(end.answer == nil)
    #expect(stage.record.steps == ["simCheck"])
    #expect(stage.record.calls.map(\.url.host) == ["app.example"])
  }

  @Test("By the policy to proceed, only what is unknown lets pass, and the outcome says that it is", arguments: cases)
  func policy(_ row: Case) async throws {
    var settings = FirebaseSettings.project
    settings.gate?.unknown = .proceed
    let stage = SignInStage([row.reply, SignInStage.sent, SignInStage.signedIn], codes: [.message("123456")])
    let end = try await stage.signIn(settings)
    #expect(end.outcome.result == (row.proceeds ? .signedIn : row.result))
    #expect(end.outcome.sim == (row.proceeds ? .unknown : row.sim))
    #expect(stage.record.steps.contains("sendVerificationCode") == row.proceeds)
  }

  @Test("The backend gets the number, its password, and one POST by its own route")
  func request() async throws {
    var settings = FirebaseSettings.project
    settings.gate?.source = .backend(
      SIMCheckBackend(try Endpoint("https://app.example/api/"), user: "app", password: Secret("pw")))
    let stage = SignInStage([.init(json: #"{"no_sim_change":false}"#)])
    _ = try await stage.signIn(SignInRequest(try SubscriberNumber("+44 7700 900000")), settings)
    let call = try #require(stage.record.calls.first)
    #expect(call.method == .post)
    #expect(call.url.text == "https://app.example/api/sim-check")
    #expect(call.field("phone_number") == "447700900000")
    #expect(call.headers.first { $0.name == "Authorization" }?.value == "Basic YXBwOnB3")
    #expect(call.route == .host)
  }

  @Test("Without anything that tells of SIM changes nobody is signed in")
  func noGate() async throws {
    var settings = FirebaseSettings.project
    settings.gate = nil
    let stage = SignInStage([SignInStage.sent])
    #expect(try await stage.signIn(settings).outcome.result == .notConfigured)
    settings.gate = SIMGate(.provider(name: "camara"))
    #expect(try await stage.signIn(settings).outcome.result == .notConfigured)
    #expect(stage.record.calls.isEmpty)
  }

  /// A provider whose machine ends with what it is told.
  struct Checker: SIMChangeChecker {
    struct Machine: FlowMachine {
      let outcome: FlowOutcome
      let call: BackendCall
      func start(at now: Timestamp) -> FlowAction<SIMChangeAnswer> { .send(call) }
      func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<SIMChangeAnswer> { .finish(outcome, nil) }
    }

    let name = "operator"
    let outcome: FlowOutcome

    func machine(for question: SIMChangeQuestion, at now: Timestamp) async throws -> any FlowMachine<SIMChangeAnswer> {
      let url = try WebURL("https://operator.example/sim-swap/check")
      #expect(question.number == SignInStage.number)
      return Machine(outcome: outcome, call: BackendCall("checkSwap", .post, url, route: .host))
    }
  }

  @Test(
    "A configured provider opens and shuts the gate as a backend does",
    arguments: [
      (FlowOutcome.simChange(.unchanged), FlowResult.signedIn), (.simChange(.changed), .simSwapped),
      (.simChange(.unknown), .simUnknown), (FlowOutcome(.operatorUnsupported, "no"), .operatorUnsupported),
      (FlowOutcome(.verified, "an answer to another question"), .simUnknown),
    ])
  func provider(outcome: FlowOutcome, result: FlowResult) async throws {
    var settings = FirebaseSettings.project
    settings.gate?.source = .provider(name: "operator")
    let stage = SignInStage([.init(), SignInStage.sent, SignInStage.signedIn], codes: [.message("123456")])
    let flow = PhoneSignInFlow(settings, checker: Checker(outcome: outcome), now: { stage.now() })
    let end = try await flow.signIn(SignInRequest(SignInStage.number), of: SignInStage.subscriber, stage.run)
    #expect(end.outcome.result == result)
    #expect(stage.record.steps.contains("sendVerificationCode") == (result == .signedIn))
  }
}
