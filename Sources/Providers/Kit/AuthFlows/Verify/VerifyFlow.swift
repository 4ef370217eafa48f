import AuthCore
import ModemModel

/// Asks the first provider that serves the SIM whether a number is that of the SIM.
public struct VerifyFlow: Sendable {
  /// The result and the provider that gave it.
  public struct End: Sendable {
    public let outcome: FlowOutcome
    /// Name and kind of the provider that answered last.
    public let provider: String?
    public let kind: String?
  }

  private let providers: ProviderSet

  public init(_ providers: ProviderSet) { self.providers = providers }

  /// Asks one provider after the other until one gives an answer. The next provider is only asked
  /// if the present one does not serve the SIM: an answer or any other failure is the result.
  ///
  /// - Parameter name: the provider; nil for all that serve the SIM's network.
  /// - Throws: `AuthError` `noProvider`, and any error of the lanes.
  public func verify(
    _ number: SubscriberNumber, of subscriber: Subscriber, with name: String?, _ run: FlowRun
  ) async throws -> End {
    let verifiers = try providers.numberVerifiers(named: name, for: subscriber.home)
    var last = End(outcome: FlowOutcome(.operatorUnsupported, "no provider serves this SIM"), provider: nil, kind: nil)
    for verifier in verifiers {
      let asked = verifiers.count > 1 ? try await verifier.coverage(of: subscriber, run) : nil
      let outcome: FlowOutcome
      if let asked, asked.result != .covered {
        outcome = asked
      } else {
        outcome = try await verifier.verify(number, of: subscriber, run)
      }
      last = End(outcome: outcome, provider: verifier.name, kind: verifier.kind)
      guard Self.isAnothersTurn(outcome.result) else { return last }
    }
    return last
  }

  /// Whether another provider might serve the SIM.
  private static func isAnothersTurn(_ result: FlowResult) -> Bool {
    switch result {
    case .operatorUnsupported, .subscriberUnknown, .headerMissing, .notConfigured, .clientRefused: true
    default: false
    }
  }
}
