import ModemAPI

/// A reply of a flow's stream. Every interface of a provider has the types Step, Hop and Outcome of
/// org.modemd.Verify.
package protocol FlowReply: Codable, Sendable {
  var step: VerifyInterface.Step? { get }
  var hop: VerifyInterface.Hop? { get }
  var outcome: VerifyInterface.Outcome? { get }

  /// The provider's results besides the outcome, for people: label and value.
  var findings: [(String, String?)] { get }
  /// Whether the provider's answer is the opposite of what an application hopes for, although the
  /// outcome's result does not say so.
  var refutes: Bool { get }
  /// The reply with identifying and secret values masked.
  func masked() -> Self
}

extension FlowReply {
  package var findings: [(String, String?)] { [] }
  package var refutes: Bool { false }
  package func masked() -> Self { self }
}
