import JSONTree
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

/// A reply that may hold what an app's server answered.
package protocol ServerAnswerReply: FlowReply {
  var serverAnswer: JSONValue? { get set }
}

extension ServerAnswerReply {
  package var findings: [(String, String?)] { [serverFinding] }
  package func masked() -> Self { withMaskedAnswer() }

  /// The server's answer, for people.
  package var serverFinding: (String, String?) {
    ("server's answer", serverAnswer.map { ForeignText.visible($0.text) })
  }

  /// The reply without the secrets of the server's answer.
  package func withMaskedAnswer() -> Self {
    var reply = self
    reply.serverAnswer = serverAnswer.map { Mask.json($0) }
    return reply
  }
}
