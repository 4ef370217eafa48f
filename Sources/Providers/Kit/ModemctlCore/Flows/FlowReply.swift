import ModemAPI

/// A reply of a flow's stream. Every interface of a provider has the types Step, Hop and Outcome of org.modemd.Verify.
package protocol FlowReply: Codable, Sendable {
  var step: VerifyInterface.Step? { get }
  var hop: VerifyInterface.Hop? { get }
  var outcome: VerifyInterface.Outcome? { get }

  /// The provider's results besides the outcome, for people: label and value.
  var findings: [(String, String?)] { get }
  /// The reply with identifying and secret values masked.
  func masked() -> Self
}

extension FlowReply {
  package var findings: [(String, String?)] { [] }
  package func masked() -> Self { self }
}
