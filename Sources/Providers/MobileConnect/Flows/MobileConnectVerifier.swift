import AuthCore
import AuthFlows
import JSONTree

/// Mobile Number Validation as one of several ways to determine whether a number is the SIM's.
struct MobileConnectVerifier: NumberVerifier {
  let name: String
  let settings: MobileConnectSettings
  var kind: String { MobileConnectSettings.kind }

  /// A discovery service that is asked by network can answer this, and its answer is kept for the
  /// validation. Any other way is the validation's own first step, and a configured operator cannot
  /// tell.
  func coverage(
    of subscriber: Subscriber, for number: SubscriberNumber?, _ run: FlowRun
  ) async throws -> FlowOutcome? {
    guard case .discovery(let discovery)? = quiet.source, discovery.ways.first == .network,
      subscriber.home != nil || subscriber.serving != nil
    else { return nil }
    return try await MobileConnectFlow(quiet, of: subscriber, run).discover(OperatorQuery()).outcome
  }

  func verify(
    _ number: SubscriberNumber, of subscriber: Subscriber, isCovered: Bool, _ run: FlowRun
  ) async throws -> FlowEnd<JSONValue> {
    FlowEnd(try await MobileConnectFlow(quiet, of: subscriber, run).validate(number).outcome)
  }

  /// Nobody is there to answer a page.
  private var quiet: MobileConnectSettings {
    guard case .discovery(var discovery)? = settings.source else { return settings }
    discovery.ways.removeAll { $0 == .page }
    var quiet = settings
    quiet.source = .discovery(discovery)
    return quiet
  }
}
