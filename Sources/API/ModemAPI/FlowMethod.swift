import Varlink

/// A method whose stream tells how a flow of authentication goes: `ready`, then steps and hops, and at last the outcome.
///
/// varlink-generate declares this of each method that takes `modem` and `provider` and answers with `event`, `step`, `hop` and
/// `outcome`, whose types are those of org.modemd.Verify.
public protocol FlowMethod: VarlinkMethod where Parameters: FlowMethodParameters, Reply: FlowMethodReply {}

/// What the parameters of all flows have in common.
public protocol FlowMethodParameters: VarlinkParameters {
  /// Id, device or interface; nil for the only modem.
  var modem: String? { get }
  /// A provider's name in the configuration; nil for the one that is meant for the SIM's network.
  var provider: String? { get }
}

/// What the replies of all flows have in common.
public protocol FlowMethodReply: Codable, Hashable, Sendable {
  /// The words of `event`, with `ready`, `step`, `hop` and `outcome` among them.
  associatedtype Event: OpenWord
  var event: Event { get set }
  var step: VerifyInterface.Step? { get set }
  var hop: VerifyInterface.Hop? { get set }
  var outcome: VerifyInterface.Outcome? { get set }

  /// A reply that says what happened, and nothing else.
  init(event: Event)
}

/// A reply of a flow that may ask its caller for something, who answers by another call.
///
/// varlink-generate declares this of each reply of a flow that has `flow`.
public protocol AskingMethodReply: FlowMethodReply {
  /// The flow's id, by which the answer names it.
  var flow: String? { get set }
}
