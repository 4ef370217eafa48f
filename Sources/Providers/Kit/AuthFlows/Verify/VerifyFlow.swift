import AuthCore
import JSONTree
import ModemModel
import RedirectChain

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

  /// - Parameter verifiers: the verifiers to ask, in order.
  package init(_ verifiers: [any NumberVerifier]) { self.verifiers = verifiers }

  /// - Parameters:
  ///   - candidates: as `ProviderSet` finds them.
  ///   - obstacle: what is known against a bearer; nil if nothing is.
  /// - Throws: `AuthError` `noProvider` if nobody can be asked by that route.
  package init(
    _ candidates: [VerifyCandidate], by route: VerifyRoute, without obstacle: ChainFailure.Cause? = nil
  ) throws(AuthError) {
    let order = VerifyOrder(
      candidates.map { .init(needsBearer: $0.verifier.needsBearer, namesNetworks: $0.namesNetworks) }, by: route,
      without: obstacle)
    guard !order.positions.isEmpty else {
      let way = route == .network ? "without the SIM's bearer" : "by the SIM's bearer"
      let reasons = candidates.map(route.refusal).joined(separator: "; ")
      throw AuthError(
        .noProvider,
        "no configured provider verifies numbers \(way): \(reasons). Leave the route out, or add a provider for it with `sudo modemctl provider add`"
      )
    }
    self.init(order.positions.map { candidates[$0].verifier })
  }

  /// Asks one provider after the other until one gives an answer. The next provider is only asked
  /// if the present one does not serve the SIM, has no way to it, or takes the number for another
  /// operator's: an answer or any other failure is the result. Without a bearer, no second provider
  /// that needs one is asked. If no other provider knows better, another operator's number is not
  /// that of the SIM.
  ///
  /// - Throws: what the lanes throw.
  package func verify(
    _ number: SubscriberNumber, of subscriber: Subscriber, _ run: FlowRun
  ) async throws -> FlowEnd<Answerer> {
    var mismatch: FlowEnd<Answerer>?
    var withoutBearer: FlowEnd<Answerer>?
    var last = FlowEnd<Answerer>(FlowOutcome(.operatorUnsupported, "no provider serves this SIM"))
    for verifier in verifiers where !(verifier.needsBearer && withoutBearer != nil) {
      last = try await ask(verifier, number, subscriber, run)
      if last.outcome.result == .operatorMismatch, mismatch == nil { mismatch = last }
      switch VerifyOrder.turn(after: last.outcome, needsBearer: verifier.needsBearer) {
      case .over: return last
      case .next: break
      case .nextWithoutBearer: withoutBearer = last
      }
    }
    return mismatch.map(Self.refuted) ?? withoutBearer.map { Self.unreached($0, last) } ?? last
  }

  private func ask(
    _ verifier: any NumberVerifier, _ number: SubscriberNumber, _ subscriber: Subscriber, _ run: FlowRun
  ) async throws -> FlowEnd<Answerer> {
    let asked = verifiers.count > 1 ? try await verifier.coverage(of: subscriber, for: number, run) : nil
    var end: FlowEnd<JSONValue>
    if let asked, asked.result != .covered {
      end = FlowEnd(asked)
    } else {
      end = try await verifier.verify(number, of: subscriber, isCovered: asked != nil, run)
    }
    if end.outcome.number != nil { end.outcome.proof = verifier.proof }
    return FlowEnd(end.outcome, Answerer(name: verifier.name, kind: verifier.kind, serverAnswer: end.answer))
  }

  /// What another operator's number means for the question.
  private static func refuted(_ end: FlowEnd<Answerer>) -> FlowEnd<Answerer> {
    var end = end
    end.outcome.result = .notVerified
    end.outcome.number = .differs
    return end
  }

  /// The missing bearer is the result, for it can be repaired here; the last provider's word is
  /// told with it.
  private static func unreached(_ end: FlowEnd<Answerer>, _ last: FlowEnd<Answerer>) -> FlowEnd<Answerer> {
    guard last.answer != end.answer, let name = last.answer?.name else { return end }
    var end = end
    end.outcome.text += "; without the bearer, \(name) said: \(last.outcome.text)"
    return end
  }
}
