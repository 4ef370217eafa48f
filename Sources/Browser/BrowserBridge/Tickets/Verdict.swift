import JSONTree
import ModemAPIClient

/// How a flow ended, for the backend that asked.
package struct Verdict: Sendable {
  /// A word of `Outcome.result` (org.modemd.Verify).
  package let result: String
  /// Further fields, by ask.
  package let details: [String: JSONValue]

  package init(_ result: String, details: [String: JSONValue] = [:]) {
    self.result = result
    self.details = details
  }

  /// Of modemd's outcome. Neither the modem nor an address of its is the backend's business.
  package init(_ outcome: VerifyInterface.Outcome, details: [String: JSONValue?] = [:]) {
    result = outcome.result.rawValue
    let common: [String: JSONValue?] = [
      "number": outcome.number.map { .string($0.rawValue) }, "proof": outcome.proof.map { .string($0.rawValue) },
      "sim": outcome.sim.map { .string($0.rawValue) },
      "code": outcome.code.map { .string($0) }, "cause": outcome.cause.map { .string($0) },
      "provider": outcome.provider.map { .string($0) }, "kind": outcome.kind.map { .string($0) },
      "retryAfterMilliseconds": outcome.retryAfterMilliseconds.map { .int($0) },
    ]
    self.details = common.merging(details) { $1 }.compactMapValues(\.self)
  }

  /// Steps that a backend is told, at most.
  private static let mostSteps = 64

  /// The same with the steps that led there.
  func with(_ steps: [FlowStep]) -> Verdict {
    let list = steps.prefix(Self.mostSteps).map { step in
      JSONValue.object([
        "index": .int(step.index), "name": .string(step.name), "lane": .string(step.lane.rawValue),
        "start": .double(step.start), "milliseconds": .double(step.milliseconds), "failed": .bool(step.hasFailed),
      ])
    }
    return Verdict(result, details: details.merging(["steps": .array(list)]) { $1 })
  }

  /// The document that the backend gets.
  ///
  /// - Parameter returnCode: what the browser brings back, so that the backend knows that the
  ///   browser before it is the one whose device was asked.
  func document(ticket: String, ask: Ask, returnCode: String) -> String {
    let own: [String: JSONValue] = [
      "ticket": .string(ticket), "ask": .string(ask.rawValue), "result": .string(result),
      "returnCode": .string(returnCode),
    ]
    return JSONValue.object(details.merging(own) { $1 }).text
  }
}
