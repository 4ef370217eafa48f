import AuthCore
import RedirectChain
import Testing

@Suite("Outcomes")
struct OutcomeTests {
  @Test(
    "A check's answer is read as it stands, and what is absent is never read as false or unchanged",
    arguments: [
      (Bool?.none, SIMChange?.none, FlowResult.badAnswer), (nil, .unchanged, .badAnswer), (false, nil, .notVerified),
      (false, .unchanged, .notVerified), (false, .changed, .notVerified), (true, nil, .verified),
      (true, .unchanged, .verified), (true, .unknown, .verified), (true, .changed, .simSwapped),
    ])
  func check(matches: Bool?, change: SIMChange?, result: FlowResult) {
    let outcome = FlowOutcome.check(matches: matches, change: change)
    #expect(outcome.result == result)
    #expect(outcome.sim == change)
    #expect(outcome.number == matches.map { $0 ? .matches : .differs })
  }

  @Test("Every cause of a chain has a result, and none of them is an answer", arguments: ChainFailure.Cause.allCases)
  func causes(cause: ChainFailure.Cause) {
    let outcome = FlowOutcome(ChainFailure(cause, retryAfter: 7, "a sentence"))
    #expect(!outcome.result.isAnswer && !outcome.result.isSuccess)
    #expect(outcome.cause == cause && outcome.retryAfter == 7 && outcome.text == "a sentence")
  }

  @Test(
    "A provider's code is shown where it is a word, and left out where it may be a number or a sentence",
    arguments: [
      ("ip_msisdn_mismatch", true), ("INVALID_ARGUMENT", true), ("4915112345678", false), ("", false),
      ("no good sentence", false), (String(repeating: "x", count: 129), false),
    ])
  func codes(code: String, isShown: Bool) {
    #expect(FlowOutcome(.badRequest, code: code, "text").code == (isShown ? code : nil))
  }
}
