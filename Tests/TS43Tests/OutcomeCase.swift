import AuthCore
import Testing

@testable import TS43Flows

/// One row of a table: what the server and the SIM say, and what the flow ends with.
struct OutcomeCase: Sendable, CustomTestStringConvertible {
  let name: String
  var operation = TS43Operation.phoneNumber
  let reactions: [Reaction]
  let result: FlowResult
  var code: String?
  var status: Int?
  var retryAfter: Int?
  /// Requests to the server.
  var requests: Int?
  /// What the sentence has to say.
  var says = ""
  var change: @Sendable (inout TS43Settings) -> Void = { _ in }

  var testDescription: String { name }

  func check(_ outcome: FlowOutcome, _ sent: Int) {
    #expect(outcome.result == result, "\(outcome.text)")
    #expect(outcome.code == code)
    #expect(outcome.status == status)
    #expect(outcome.retryAfter == retryAfter)
    if let requests { #expect(sent == requests) }
    #expect(outcome.text.contains(says), "\(outcome.text)")
  }
}
