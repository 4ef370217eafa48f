import AuthCore
import JSONTree

/// A provider that can determine whether a number is that of the SIM.
package protocol NumberVerifier: Sendable {
  /// The provider's name in the configuration.
  var name: String { get }
  /// The provider's kind.
  var kind: String { get }
  /// How it proves a number, and so what it needs.
  var proof: NumberProof { get }
  /// Whether it sends anything over the SIM's bearer.
  var needsBearer: Bool { get }

  /// Asks whether the provider serves the SIM, before anything costs money.
  ///
  /// - Parameter number: the number that is to be verified, for a provider that can tell whether it
  ///   belongs to the operator; nil for the question about the SIM alone.
  /// - Returns: `covered`, or the reason why not; nil for a provider without such a question.
  func coverage(
    of subscriber: Subscriber, for number: SubscriberNumber?, _ run: FlowRun
  ) async throws -> FlowOutcome?

  /// Asks whether a number is the SIM's.
  ///
  /// - Parameter isCovered: whether `coverage` has just said that the provider serves the SIM, so
  ///   that it is not asked again.
  /// - Returns: the outcome. With a verdict of an app's server also that server's answer, if it is
  ///   an object.
  func verify(
    _ number: SubscriberNumber, of subscriber: Subscriber, isCovered: Bool, _ run: FlowRun
  ) async throws -> FlowEnd<JSONValue>
}

extension NumberVerifier {
  package var proof: NumberProof { .bearer }
  package var needsBearer: Bool { proof == .bearer }
}
