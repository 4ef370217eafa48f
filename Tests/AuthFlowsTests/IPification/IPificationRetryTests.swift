import AuthCore
import AuthFlows
import RedirectChain
import Testing
import IPificationFlows

@Suite("IPification: one retry, and only of what nobody received")
struct IPificationRetryTests {
  typealias Reply = IPificationSession.Reply

  static let good = Reply.redirect("\(IPificationSession.uri)?code=c-1&state=STATE")

  @Test(
    "A request that nobody received is sent once more after a second",
    arguments: [ChainFailure.Cause.dnsFailed, .connectFailed, .timeout])
  func again(cause: ChainFailure.Cause) throws {
    let end = try IPificationSession(replies: [.failed(cause, isUnsent: true), Self.good]).run()
    #expect(end.calls == ["authorize", "waitBeforeRetry 1.0 seconds", "authorize"])
    #expect(end.outcome?.result == .authorized)
    #expect(end.requests[0] == end.requests[1])
    let twice = try IPificationSession(replies: [.failed(cause, isUnsent: true), .failed(cause, isUnsent: true)]).run()
    #expect(twice.outcome?.cause == cause && twice.calls.count == 3)
  }

  @Test(
    "What may have been received, or would fail again, is not repeated",
    arguments: [
      Reply.failed(.connectFailed), .failed(.timeout), .failed(.dnsFailed, hop: 2, isUnsent: true),
      .failed(.connectFailed, hop: 3, isUnsent: true), .failed(.tlsFailed, isUnsent: true),
      .failed(.possibleCaptivePortal, isUnsent: true), .failed(.refusedByPolicy, isUnsent: true),
      .failed(.bearerLost, isUnsent: true), .failed(.cancelled, isUnsent: true),
      .failed(.noModem, hop: nil, isUnsent: true), .answer(503), .failed(.rateLimited),
    ])
  func once(reply: Reply) throws {
    for task in [IPificationQuestion.Task.authorize, .coverage] {
      let end = try IPificationSession(question: IPificationSession.question(task), replies: [reply]).run()
      #expect(end.calls.count == 1 && end.outcome != nil)
    }
  }

  @Test("Each call of a verification has its own retry, and a code's exchange has none")
  func verification() throws {
    let settings = IPificationSession.settings { $0.completion = .secret(Secret("s3cret")) }
    let session = IPificationSession(
      settings: settings, question: IPificationSession.question(.verify),
      replies: [
        .failed(.connectFailed, isUnsent: true), .answer(200, #"{"available":true}"#),
        .failed(.dnsFailed, isUnsent: true), Self.good, .unanswered(.connect),
      ])
    let end = try session.run()
    #expect(
      end.calls == [
        "checkCoverage", "waitBeforeRetry 1.0 seconds", "checkCoverage", "authorize", "waitBeforeRetry 1.0 seconds",
        "authorize", "POST exchangeCode host",
      ])
    #expect(end.outcome?.result == .providerUnavailable)
  }
}
