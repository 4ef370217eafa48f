import Varlink

/// A method whose replies report how an authentication flow goes: `ready`, then steps and hops, and
/// finally the outcome.
///
/// varlink-generate declares this conformance for each method that takes `modem`, `provider` and
/// `traceparent`, and replies with `event`, `step`, `hop` and `outcome`, whose types are those of
/// org.modemd.Verify.
public protocol FlowMethod: VarlinkMethod where Parameters: FlowMethodParameters, Reply: FlowMethodReply {}

/// What the parameters of all flows have in common.
public protocol FlowMethodParameters: VarlinkParameters {
  /// Id, device or interface; nil for the only modem.
  var modem: String? { get }
  /// A provider's name in the configuration; nil for the only one configured for the SIM's network.
  var provider: String? { get }
  /// The caller's trace (W3C Trace Context); nil for a new one.
  var traceparent: String? { get set }
}

/// What the replies of all flows have in common.
public protocol FlowMethodReply: Codable, Hashable, Sendable {
  /// The values of `event`, including `ready`, `step`, `hop` and `outcome`.
  associatedtype Event: OpenWord
  var event: Event { get set }
  var step: VerifyInterface.Step? { get set }
  var hop: VerifyInterface.Hop? { get set }
  var outcome: VerifyInterface.Outcome? { get set }

  /// A reply that reports an event and nothing else.
  init(event: Event)
}

/// A reply of a flow that may ask its caller for something. The caller answers with another call.
///
/// varlink-generate declares this conformance for each reply of a flow that has `flow`.
public protocol AskingMethodReply: FlowMethodReply {
  /// The flow's id, which the caller gives with the answer.
  var flow: String? { get set }
}
