// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import CAMARACommonalities
import JSONTree
import ModemModel
@_spi(Exchange) import RedirectChain
import Testing
import TokenSigning
@_spi(Exchange) import Web

@testable import NumberRecyclingConfiguration
@testable import NumberRecyclingFlows

/// CAMARA's Number Recycling: what is asked, and what is made of the answer.
@Suite struct NumberRecyclingTests {
  private static let now = Timestamp(rfc3339: "2026-11-22T06:00:00Z")!
  private static let number = try! SubscriberNumber("+447700900123")
  private static let tools = OpenIDTools(random: { Array(repeating: 7, count: $0) }, sha256: { Digest.sha256($0) })
  private static let day = CalendarDay("2026-10-31")!

  private static func settings(_ change: (inout NumberRecyclingSettings) -> Void = { _ in }) -> NumberRecyclingSettings
  {
    var settings = NumberRecyclingSettings(
      CAMARAServer(
        root: try! Endpoint("https://api.operator.example/open"), authorizationEndpoint: nil,
        tokenEndpoint: try! WebURL("https://auth.operator.example/token"),
        client: OpenIDClient(id: "app-1", .basic(Secret("s3cret"))), tools))
    change(&settings)
    return settings
  }

  /// Asks about the number and answers both calls.
  private static func ask(
    _ status: Int, _ body: String, _ settings: NumberRecyclingSettings = settings()
  ) async throws -> (calls: [BackendCall], outcome: FlowOutcome, answer: NumberRecyclingMachine.Answer?) {
    var machine = try await NumberRecyclingProvider(settings).machine(
      for: number, since: day, of: Subscriber(modem: "m0"), at: now)
    var calls: [BackendCall] = []
    var action = machine.start(at: now)
    let replies = [(200, #"{"access_token":"the-token","token_type":"Bearer","expires_in":300}"#), (status, body)]
    for (status, body) in replies {
      guard case .send(let call) = action else { break }
      calls.append(call)
      action = machine.receive(.answered(BackendReply(status: status, headers: [], body: Array(body.utf8))), at: now)
    }
    guard case .finish(let outcome, let answer) = action else {
      Issue.record("the machine wants more than two calls")
      return (calls, FlowOutcome(.badAnswer, ""), nil)
    }
    return (calls, outcome, answer)
  }

  @Test func theNumberAndTheDayAreSentWithTheClientsOwnToken() async throws {
    let (calls, _, _) = try await Self.ask(200, #"{"phoneNumChanged":false}"#)
    #expect(calls.map(\.step) == ["clientToken", "checkNumberRecycling"])
    #expect(calls.last?.url.text == "https://api.operator.example/open/number-recycling/v0.2/check")
    let body = try #require(calls.last?.body.flatMap { JSONValue(parsing: $0.bytes) })
    #expect(body == .object(["phoneNumber": .string("+447700900123"), "specifiedDate": .string("2026-10-31")]))
    let form = String(decoding: calls.first?.body?.bytes ?? [], as: UTF8.self)
    #expect(form.contains("scope=number-recycling%3Acheck"))
  }

  @Test(arguments: NumberRecyclingSettings.Version.allCases) func aVersionIsAPartOfThePath(
    _ version: NumberRecyclingSettings.Version
  ) async throws {
    let (calls, _, _) = try await Self.ask(200, "{}", Self.settings { $0.version = version })
    #expect(calls.last?.url.path == "/open/number-recycling/\(version.rawValue)/check")
    let (others, _, _) = try await Self.ask(200, "{}", Self.settings { $0.path = "/nr" })
    #expect(others.last?.url.path == "/open/nr/check")
  }

  typealias Row = (status: Int, body: String, result: FlowResult, isChanged: Bool?, code: String?)
  private static let rows: [Row] = [
    (200, #"{"phoneNumChanged":true}"#, .answered, true, nil),
    (200, #"{"phoneNumChanged":false}"#, .answered, false, nil),
    (200, #"{"phoneNumChanged":"false"}"#, .badAnswer, nil, nil),
    (200, #"{"phoneNumChanged":null}"#, .badAnswer, nil, nil),
    (200, #"{"phoneNumChanged":0}"#, .badAnswer, nil, nil), (200, "{}", .badAnswer, nil, nil),
    (200, "false", .badAnswer, nil, nil), (200, "<html>", .badAnswer, nil, nil), (200, "", .badAnswer, nil, nil),
    (302, #"{"phoneNumChanged":false}"#, .badAnswer, nil, nil),
    (400, #"{"code":"OUT_OF_RANGE"}"#, .badRequest, nil, "OUT_OF_RANGE"),
    (401, #"{"code":"UNAUTHENTICATED"}"#, .expired, nil, "UNAUTHENTICATED"),
    (403, #"{"code":"PERMISSION_DENIED"}"#, .clientRefused, nil, "PERMISSION_DENIED"),
    (404, #"{"code":"IDENTIFIER_NOT_FOUND"}"#, .subscriberUnknown, nil, "IDENTIFIER_NOT_FOUND"),
    (422, #"{"code":"SERVICE_NOT_APPLICABLE"}"#, .operatorUnsupported, nil, "SERVICE_NOT_APPLICABLE"),
    (422, #"{"code":"MISSING_IDENTIFIER"}"#, .badRequest, nil, "MISSING_IDENTIFIER"),
    (429, #"{"code":"TOO_MANY_REQUESTS"}"#, .rateLimited, nil, "TOO_MANY_REQUESTS"),
    (503, "", .providerUnavailable, nil, nil),
  ]

  @Test(arguments: rows.indices) func anAnswerIsReadAsItIsAndNeverGuessed(_ index: Int) async throws {
    let row = Self.rows[index]
    let (_, outcome, answer) = try await Self.ask(row.status, row.body)
    #expect(outcome.result == row.result && outcome.code == row.code && answer?.isChanged == row.isChanged)
    // It is no verdict on the SIM's number, nor on a change of SIM.
    #expect(outcome.number == nil && outcome.sim == nil && !outcome.text.contains("900123"))
    if let answer { #expect(!answer.correlator.isEmpty) }
  }

  @Test func withoutANumberTheSubscriberIsAskedOverTheBearer() async throws {
    let settings = Self.settings {
      $0.server.authorizationEndpoint = try! WebURL("https://auth.operator.example/authorize")
      $0.server.redirect = .intercepted(try! RedirectURI("app:/back"), text: "app:/back")
    }
    var machine = try await NumberRecyclingProvider(settings).machine(
      for: nil, since: Self.day, of: Subscriber(modem: "m0"), at: Self.now)
    guard case .open(let call) = machine.start(at: Self.now) else {
      Issue.record("nothing is opened over the bearer")
      return
    }
    #expect(call.request.url.host == "auth.operator.example")
    #expect(call.request.url.text.contains("dpv%3AFraudPreventionAndDetection%20number-recycling%3Acheck"))
  }

  @Test func aTokenOfTheOtherKindIsRefusedBeforeAnythingIsSent() async throws {
    let provider = NumberRecyclingProvider(Self.settings { $0.token = .client })
    await #expect(throws: AuthError.self) {
      _ = try await provider.machine(for: nil, since: Self.day, of: Subscriber(modem: "m0"), at: Self.now)
    }
    let other = NumberRecyclingProvider(Self.settings { $0.token = .subscriber })
    await #expect(throws: AuthError.self) {
      _ = try await other.machine(for: Self.number, since: Self.day, of: Subscriber(modem: "m0"), at: Self.now)
    }
  }

  @Test(arguments: [
    "2026-02-29", "2026-13-01", "2026-1-1", "31.10.2026", "2026-10-31T00:00:00Z", "", "20261031", "2026-10-3x",
  ]) func aDayHasOneForm(_ text: String) {
    #expect(CalendarDay(text) == nil)
  }

  @Test func leapDaysAreDays() {
    let day = CalendarDay("2028-02-29")
    #expect(day?.text == "2028-02-29")
  }
}
