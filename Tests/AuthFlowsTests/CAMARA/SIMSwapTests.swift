import AuthCore
import AuthFlows
import CAMARACommonalities
import JSONTree
import ModemModel
import RedirectChain
import Testing
import CAMARAFlows

@Suite("CAMARA SIM Swap")
struct SIMSwapTests {
  static func machine(
    _ question: SIMSwapMachine.Question, isSubscribers: Bool = false, _ settings: CAMARASettings = CAMARAKit.settings()
  ) -> SIMSwapMachine {
    let proof = ClientProof.basic(Secret("s3cret"))
    guard isSubscribers else {
      return SIMSwapMachine(question, about: CAMARAKit.number, settings, proof: proof, correlator: "corr-1")
    }
    return SIMSwapMachine(question, settings, ticket: CAMARAKit.ticket, proof: proof, correlator: "corr-1")
  }

  typealias Check = (CAMARAReply, FlowResult, SIMChange?, code: String?)
  static let checks: [Check] = [
    (.http(200, #"{"swapped":true}"#), .simSwapped, .changed, nil),
    (.http(200, #"{"swapped":false}"#), .simUnchanged, .unchanged, nil),
    (.http(200, #"{"simSwapped":true}"#), .simSwapped, .changed, nil),
    (.http(200, #"{"simSwapped":false}"#), .simUnchanged, .unchanged, nil),
    (.http(200, #"{"swapped":null}"#), .simUnknown, .unknown, nil),
    (.http(200, #"{"swapped":"false"}"#), .simUnknown, .unknown, nil),
    (.http(200, "{}"), .simUnknown, .unknown, nil), (.http(200, "false"), .badAnswer, nil, nil),
    (.http(200, "<html>"), .badAnswer, nil, nil),
    (.refusal(400, "INVALID_ARGUMENT"), .badRequest, nil, "INVALID_ARGUMENT"),
    (.refusal(400, "OUT_OF_RANGE"), .badRequest, nil, "OUT_OF_RANGE"),
    (.refusal(401, "UNAUTHENTICATED"), .expired, nil, "UNAUTHENTICATED"),
    (.refusal(403, "PERMISSION_DENIED"), .clientRefused, nil, "PERMISSION_DENIED"),
    (.refusal(404, "NOT_FOUND"), .subscriberUnknown, nil, "NOT_FOUND"),
    (.refusal(404, "IDENTIFIER_NOT_FOUND"), .subscriberUnknown, nil, "IDENTIFIER_NOT_FOUND"),
    (.http(404, ""), .notConfigured, nil, nil),
    (.refusal(422, "SERVICE_NOT_APPLICABLE"), .operatorUnsupported, nil, "SERVICE_NOT_APPLICABLE"),
    (.refusal(422, "MISSING_IDENTIFIER"), .badRequest, nil, "MISSING_IDENTIFIER"),
    (.refusal(422, "UNNECESSARY_IDENTIFIER"), .badRequest, nil, "UNNECESSARY_IDENTIFIER"),
    (.refusal(429, "QUOTA_EXCEEDED"), .rateLimited, nil, "QUOTA_EXCEEDED"),
    (.refusal(429, "TOO_MANY_REQUESTS"), .rateLimited, nil, "TOO_MANY_REQUESTS"),
    (.http(503, ""), .providerUnavailable, nil, nil), (.failure(.timeout), .timeout, nil, nil),
    (.failure(.noDataPath, .bearerLost), .noDataPath, nil, nil),
  ]

  @Test("A check's answer is read as it stands, by number", arguments: checks.indices, SIMSwapVersion.allCases)
  func check(index: Int, version: SIMSwapVersion) {
    let (reply, result, change, code) = Self.checks[index]
    let walk = CAMARAWalk(
      Self.machine(.check(hours: 240), CAMARAKit.settings { $0.simSwap = version }), [.token(), reply])
    #expect(walk.outcome?.result == result && walk.outcome?.sim == change && walk.outcome?.code == code)
    #expect(walk.steps == ["clientToken", "checkSIMSwap"] && walk.opened.isEmpty)
    #expect(walk.sent.last?.url.path == "/sim-swap/\(version.rawValue)/check")
    #expect(walk.outcome?.text.contains("900123") == false)
    if change != nil { #expect(walk.answer?.period == .seconds(240 * 3600)) }
  }

  @Test("With the client's token the number is sent, with the subscriber's none", arguments: [false, true])
  func legs(isSubscribers: Bool) {
    let replies: [CAMARAReply] = (isSubscribers ? [.code] : []) + [.token(), .http(200, #"{"swapped":false}"#)]
    let walk = CAMARAWalk(Self.machine(.check(hours: 24), isSubscribers: isSubscribers), replies)
    #expect(walk.outcome?.result == .simUnchanged)
    let body = JSONValue(parsing: walk.sent.last?.body?.bytes ?? [])
    #expect(body?["phoneNumber"]?.string == (isSubscribers ? nil : "+447700900123"))
    #expect(body?["maxAge"]?.integer == 24)
    let form = NumberVerificationCallTests.fields(walk.sent[0])
    #expect(form["grant_type"] == (isSubscribers ? "authorization_code" : "client_credentials"))
    #expect(form["scope"] == (isSubscribers ? nil : "sim-swap:check"))
    #expect(walk.opened.count == (isSubscribers ? 1 : 0))
    if isSubscribers {
      let query = NumberVerificationCallTests.query(walk.opened.first)
      #expect(query["scope"] == "openid dpv:FraudPreventionAndDetection sim-swap:check")
      #expect(query["login_hint"] == nil)
    }
  }

  @Test(
    "A refused client token ends the flow",
    arguments: [
      (CAMARAReply.http(401, #"{"error":"invalid_client"}"#), FlowResult.clientRefused),
      (.http(400, #"{"error":"invalid_scope"}"#), .badRequest), (.http(429, "", retryAfter: 9), .rateLimited),
      (.http(200, "{}"), .badAnswer), (.failure(.connect), .providerUnavailable),
    ])
  func refused(reply: CAMARAReply, result: FlowResult) {
    let walk = CAMARAWalk(Self.machine(.check(hours: 1)), [reply])
    #expect(walk.outcome?.result == result && walk.steps == ["clientToken"])
  }

  /// What is told, the result within 240 hours before 2026-11-22T06:00Z, and the moment and the
  /// days that are watched.
  typealias Told = (String, FlowResult, at: String?, days: Int?)
  static let dates: [Told] = [
    (#"{"latestSimChange":"2026-11-20T06:00:00Z"}"#, .simSwapped, "2026-11-20T06:00:00.000Z", nil),
    (#"{"latestSimChange":"2026-11-20T08:00:00.5+02:00"}"#, .simSwapped, "2026-11-20T06:00:00.500Z", nil),
    (#"{"latestSimChange":"2026-11-12T06:00:00Z"}"#, .simSwapped, "2026-11-12T06:00:00.000Z", nil),
    (#"{"latestSimChange":"2026-11-12T05:59:59.999Z"}"#, .simUnchanged, "2026-11-12T05:59:59.999Z", nil),
    (
      #"{"latestSimChange":"2019-01-01T00:00:00Z","monitoredPeriod":120}"#, .simUnchanged, "2019-01-01T00:00:00.000Z",
      120
    ),
    (#"{"latestSimChange":"2030-01-01T00:00:00Z"}"#, .simSwapped, "2030-01-01T00:00:00.000Z", nil),
    (#"{"latestSimChange":null,"monitoredPeriod":120}"#, .simUnchanged, nil, 120),
    (#"{"latestSimChange":null,"monitoredPeriod":10}"#, .simUnchanged, nil, 10),
    (#"{"latestSimChange":null,"monitoredPeriod":9}"#, .simUnknown, nil, 9),
    (#"{"latestSimChange":null}"#, .simUnknown, nil, nil),
    (#"{"latestSimChange":null,"monitoredPeriod":-1}"#, .simUnknown, nil, nil),
    (#"{"monitoredPeriod":120}"#, .badAnswer, nil, nil), ("{}", .badAnswer, nil, nil), ("[]", .badAnswer, nil, nil),
    (#"{"latestSimChange":""}"#, .badAnswer, nil, nil), (#"{"latestSimChange":"lately"}"#, .badAnswer, nil, nil),
    (#"{"latestSimChange":1700000000}"#, .badAnswer, nil, nil),
    (#"{"latestSimChange":"2026-02-30T00:00:00Z"}"#, .badAnswer, nil, nil),
  ]

  @Test("A date is told, and whether it is within the time; null is not a date, and not a no", arguments: dates.indices)
  func date(index: Int) {
    let (body, result, moment, days) = Self.dates[index]
    let walk = CAMARAWalk(Self.machine(.date(within: .seconds(240 * 3600))), [.token(), .http(200, body)])
    #expect(walk.outcome?.result == result)
    #expect(walk.answer?.changedAt?.description == moment)
    #expect(walk.answer?.period == days.map { .seconds(Int64($0) * 86_400) })
    #expect(walk.steps == ["clientToken", "retrieveSIMSwapDate"])
    #expect(walk.sent.last?.url.path == "/sim-swap/v2/retrieve-date")
    #expect(NumberVerificationCallTests.fields(walk.sent[0])["scope"] == "sim-swap:retrieve-date")
    #expect(JSONValue(parsing: walk.sent.last?.body?.bytes ?? [])?["maxAge"] == nil)
  }

  /// Setting, number given, number in the SIM; whose token is used, nil for a refusal.
  typealias Leg = (CAMARATokenChoice, given: Bool, held: Bool, step: String?)
  static let legCases: [Leg] = [
    (.byNumber, true, false, "clientToken"), (.byNumber, false, false, "authorize"),
    (.client, true, false, "clientToken"), (.client, false, true, nil), (.subscriber, false, false, "authorize"),
    (.subscriber, true, true, "authorize"), (.subscriber, true, false, nil),
  ]

  @Test(
    "Whose token is used follows number and settings; what does not fit is refused before anything is sent",
    arguments: legCases.indices)
  func choice(index: Int) async throws {
    let (token, given, held, step) = Self.legCases[index]
    let provider = CAMARAProvider(name: "op", settings: CAMARAKit.settings { $0.simSwapToken = token })
    let subscriber = Subscriber(modem: "m0", number: held ? CAMARAKit.number : nil)
    let question = SIMChangeQuestion(number: given ? CAMARAKit.number : nil, subscriber: subscriber)
    guard let step else {
      await #expect(throws: AuthError.self) { try await provider.machine(for: question, at: CAMARAKit.now) }
      return
    }
    let machine = SIMChangeMachine(try await provider.machine(for: question, at: CAMARAKit.now))
    #expect(CAMARAWalk(machine, []).steps == [step])
  }

  @Test(
    "Periods are whole hours, rounded up, 1 to 2400",
    arguments: [
      (1, 1), (3600, 1), (3601, 2), (864_000, 240), (8_640_000, 2400), (8_640_001, nil), (0, nil), (-5, nil),
    ] as [(Int, Int?)])
  func hours(seconds: Int, hours: Int?) {
    #expect((try? CAMARAProvider.hours(.seconds(seconds))) == hours)
  }
}
