import AuthCore
import JSONTree
import ModemModel

/// Asks the first provider that serves the SIM whether a number is that of the SIM.
package struct VerifyFlow: Sendable {
  /// The provider that answered last.
  package struct Answerer: Hashable, Sendable {
    /// The name in the configuration.
    package let name: String
    package let kind: String
    /// The answer of the app's server that decided, if one did, and it is an object.
    package let serverAnswer: JSONValue?
  }

  private let verifiers: [any NumberVerifier]

  /// - Parameter verifiers: the verifiers to ask, in order, as `ProviderSet` finds them.
  package init(_ verifiers: [any NumberVerifier]) { self.verifiers = verifiers }

  /// Asks one provider after the other until one gives an answer. The next provider is only asked
  /// if the present one does not serve the SIM or takes the number for another operator's: an
  /// answer or any other failure is the result. If no other provider knows better, another
  /// operator's number is not that of the SIM.
  ///
  /// - Throws: what the lanes throw.
  package func verify(
    _ number: SubscriberNumber, of subscriber: Subscriber, _ run: FlowRun
  ) async throws -> FlowEnd<Answerer> {
    var mismatch: FlowEnd<Answerer>?
    var last = FlowEnd<Answerer>(FlowOutcome(.operatorUnsupported, "no provider serves this SIM"))
    for verifier in verifiers {
      let asked = verifiers.count > 1 ? try await verifier.coverage(of: subscriber, for: number, run) : nil
      let end: FlowEnd<JSONValue>
      if let asked, asked.result != .covered {
        end = FlowEnd(asked)
      } else {
        end = try await verifier.verify(number, of: subscriber, isCovered: asked != nil, run)
      }
      last = FlowEnd(
        end.outcome, Answerer(name: verifier.name, kind: verifier.kind, serverAnswer: end.answer))
      if end.outcome.result == .operatorMismatch, mismatch == nil { mismatch = last }
      guard Self.isAnothersTurn(end.outcome.result) else { return last }
    }
    return mismatch.map(Self.refuted) ?? last
  }

  /// What another operator's number means for the question.
  private static func refuted(_ end: FlowEnd<Answerer>) -> FlowEnd<Answerer> {
    var end = end
    end.outcome.result = .notVerified
    end.outcome.number = .differs
    return end
  }

  /// Whether another provider might serve the SIM.
  private static func isAnothersTurn(_ result: FlowResult) -> Bool {
    switch result {
    case .operatorUnsupported, .operatorMismatch, .subscriberUnknown, .headerMissing, .notConfigured, .clientRefused:
      true
    default: false
    }
  }
}
