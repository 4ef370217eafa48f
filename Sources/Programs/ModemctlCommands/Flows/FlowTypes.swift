import ModemAPI
import Varlink

// Every interface of a provider has the same types Step, Hop and Outcome. These protocols are what modemctl reads of them.

/// `Step` of an interface.
protocol ShownStep: Sendable {
  associatedtype Lane: RawRepresentable<String>
  var index: Int { get }
  var name: String { get }
  var lane: Lane { get }
  var host: String? { get }
  var status: Int? { get }
  var start: Double { get }
  var milliseconds: Double { get }
  var failure: String? { get }
}

/// `Hop` of an interface.
protocol ShownHop: Sendable {
  associatedtype Scheme: RawRepresentable<String>
  var step: Int { get }
  var index: Int { get }
  var scheme: Scheme { get }
  var host: String { get }
  var address: String? { get }
  var status: Int? { get }
  var next: String? { get }
  var start: Double { get }
  var milliseconds: Double? { get }
}

/// `Outcome` of an interface.
protocol ShownOutcome: Sendable {
  associatedtype Result: RawRepresentable<String>
  associatedtype Number: RawRepresentable<String>
  associatedtype Sim: RawRepresentable<String>
  var result: Result { get }
  var number: Number? { get }
  var sim: Sim? { get }
  var code: String? { get }
  var status: Int? { get }
  var cause: String? { get }
  var retryAfterMilliseconds: Int? { get }
  var text: String { get }
  var provider: String? { get }
  var kind: String? { get }
  var modem: String? { get }
  var source: String? { get }
  var milliseconds: Double { get }
}

/// A reply of a flow's stream.
protocol FlowReply: Codable, Sendable {
  associatedtype Step: ShownStep
  associatedtype Hop: ShownHop
  associatedtype Outcome: ShownOutcome
  var step: Step? { get }
  var hop: Hop? { get }
  var outcome: Outcome? { get }

  /// What the provider gave beside the outcome, for people: label and value.
  var findings: [(String, String?)] { get }
  /// The reply with what identifies a subscriber or opens a door hidden.
  func masked() -> Self
}

extension FlowReply {
  var findings: [(String, String?)] { [] }
  func masked() -> Self { self }
}

extension VerifyInterface.Step: ShownStep {}
extension VerifyInterface.Hop: ShownHop {}
extension VerifyInterface.Outcome: ShownOutcome {}
extension VerifyInterface.Number.Reply: FlowReply {}

extension IPificationInterface.Step: ShownStep {}
extension IPificationInterface.Hop: ShownHop {}
extension IPificationInterface.Outcome: ShownOutcome {}
