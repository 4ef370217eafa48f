// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import ModemModel
@_spi(Exchange) import RedirectChain
import Testing
@_spi(Exchange) import Web
import TruIDFlows

/// Machines that do not end by themselves, and events that belong to nothing.
@Suite struct EndlessFlowTests {
  /// Does the same again until it has done it so often.
  struct Again: FlowMachine {
    let action: FlowAction<Int>
    var left: Int

    mutating func start(at now: Timestamp) -> FlowAction<Int> { action }

    mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Int> {
      left -= 1
      guard left > 0 else { return .finish(FlowOutcome(.verified, "done"), 1) }
      return action
    }
  }

  @Test(.timeLimit(.minutes(1))) func aMachineThatGoesOnEndsWithAnOutcome() async throws {
    let send = FlowAction<Int>.send(BackendCall("ask", .get, DriverTests.url, route: .host))
    let end = try await DriverTests.driver(DriverTests.answering).run(Again(action: send, left: .max))
    #expect(end.outcome.result == .badAnswer)
    #expect(end.answer == nil)
  }

  @Test(.timeLimit(.minutes(1))) func pausesWithoutLengthCountAsActions() async throws {
    let end = try await DriverTests.driver(DriverTests.answering).run(
      Again(action: .pause(step: "wait", .zero), left: .max))
    #expect(end.outcome.result == .badAnswer)
  }

  @Test(.timeLimit(.minutes(1))) func whoWaitsMayGoOnForAsLongAsItTakes() async throws {
    let end = try await DriverTests.driver(DriverTests.answering).run(
      Again(action: .pause(step: "wait", .seconds(1)), left: 1000), within: .seconds(1001))
    #expect(end.outcome.result == .verified)
    let late = try await DriverTests.driver(DriverTests.answering).run(
      Again(action: .pause(step: "wait", .seconds(1)), left: 1000), within: .milliseconds(998_500))
    #expect(late.outcome.result == .timeout)
  }

  @Test(
    .timeLimit(.minutes(1)), arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .zero])
  func pausesOfAnyLengthAreTaken(_ time: Duration) async throws {
    let end = try await DriverTests.driver(DriverTests.answering).run(
      Again(action: .pause(step: "wait", time), left: 2), within: .seconds(Int64.max))
    // Two pauses of a hundred years are longer than a limit of as many.
    #expect(end.outcome.result == (time > .zero ? .timeout : .verified))
  }

  @Test func anEventThatBelongsToNothingEndsTheFlow() throws {
    var machine = TruIDTracesMachine(
      of: "id", nil, .v2, trace: nil,
      by: TruIDClient(api: try Endpoint("https://api.example"), token: Secret("t"), route: .host))
    _ = machine.start(at: Timestamp(milliseconds: 0))
    for event in [FlowEvent.resumed, .code(Secret("1234")), .noCode(CodeFailure(.late, "late"))] {
      guard case .finish(let outcome, nil) = machine.receive(event, at: Timestamp(milliseconds: 0)) else {
        Issue.record("it goes on")
        continue
      }
      #expect(outcome.result == .badAnswer)
    }
  }

  @Test(arguments: [Int.min, -1, 0, 30, 604_800, 604_801, Int.max]) func delaysAreBounded(_ seconds: Int) {
    let outcome = FlowOutcome(.rateLimited, retryAfter: seconds, "later")
    #expect(outcome.retryAfter == min(max(seconds, 0), 604_800))
    let failure = ChainFailure(.rateLimited, retryAfter: seconds, "later")
    #expect(failure.retryAfter == outcome.retryAfter)
  }

  @Test(
    arguments: [
      ("9223372036854775807", 604_800), ("99999999999999999999", 604_800), ("-1", 0), ("-9223372036854775808", 0),
      ("0", 0),
      (" 12 ", 12), ("1e308", nil), ("NaN", nil), ("", nil), ("Wed, 21 Oct 2015 07:28:00 GMT", nil),
    ] as [(String, Int?)]) func retryAfterIsRead(_ field: String, _ seconds: Int?)
  {
    let reply = BackendReply(status: 429, headers: [.init(name: "Retry-After", value: field)])
    #expect(reply.retryAfter == seconds)
  }

  /// Parts of paths come from settings that a platform gives its clients.
  @Test(arguments: ["", "/", "/a", "a", "/\u{1}\u{0}\n", "/ü 𝄞", "/a?b=c#d", "//host/x", "https://other/", "/%zz"])
  func whateverStandsBelowAnEndpointIsAURL(_ path: String) throws {
    for base in ["https://api.example", "https://api.example:8443/base/", "https://[2001:db8::1]/x"] {
      let endpoint = try Endpoint(base)
      let url = endpoint.appending(path, FormFields(["q": "\u{1} ü"]))
      #expect(url.origin == endpoint.url.origin)
      #expect(try WebURL(url.text) == url)
      #expect(url.adding(FormFields(["more": "1"])).text.hasSuffix("more=1"))
    }
  }
}
