import AuthCore
import AuthFlows
import JSONTree

/// Verifies a number by the SIM's answer to its operator, over any network.
struct TS43Verifier: NumberVerifier {
  let name: String
  let settings: TS43Settings

  var kind: String { TS43Settings.kind }
  var proof: NumberProof { .sim }
  var needsBearer: Bool { settings.route == .bearer }

  /// Nothing tells before the login.
  func coverage(
    of subscriber: Subscriber, for number: SubscriberNumber?, _ run: FlowRun
  ) async throws -> FlowOutcome? { nil }

  func verify(
    _ number: SubscriberNumber, of subscriber: Subscriber, isCovered: Bool, _ run: FlowRun
  ) async throws -> FlowEnd<JSONValue> {
    let end = try await TS43Provider(settings).run(.verify(number), of: subscriber, run)
    return FlowEnd(end.outcome, at: end.place)
  }
}
