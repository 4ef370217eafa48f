import AuthCore
import AuthFlows

/// Mobile Number Validation as one of several ways to determine whether a number is the SIM's.
struct MobileConnectVerifier: NumberVerifier {
  let name: String
  let settings: MobileConnectSettings
  var kind: String { MobileConnectSettings.kind }

  /// A discovery service can answer this; a configured operator cannot.
  func coverage(of subscriber: Subscriber, _ run: FlowRun) async throws -> FlowOutcome? {
    guard case .discovery(let discovery)? = settings.source else { return nil }
    // Nobody is there to answer a page.
    var quiet = settings
    var asked = discovery
    asked.ways.removeAll { $0 == .page }
    quiet.source = .discovery(asked)
    return try await MobileConnectFlow(quiet, of: subscriber, run).discover(OperatorQuery()).outcome
  }

  func verify(
    _ number: SubscriberNumber, of subscriber: Subscriber, _ run: FlowRun
  ) async throws -> FlowOutcome {
    try await MobileConnectFlow(settings, of: subscriber, run).validate(number).outcome
  }
}
