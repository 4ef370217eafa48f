import AuthCore
import ModemModel

/// A provider that can determine whether a number recently moved to another SIM: CAMARA's SIM Swap,
/// tru.ID's SIMCheck.
///
/// It only supplies a machine. A `FlowRun` runs the machine alone (`check`), or before the machines
/// of another flow.
package protocol SIMChangeChecker: Sendable {
  /// The provider's name in the configuration.
  var name: String { get }

  /// Makes the machine for one question. Its outcome is `simSwapped`, `simUnchanged` or
  /// `simUnknown`, or explains why there is no answer. Only `simUnchanged` may let somebody pass.
  ///
  /// - Parameter now: when the machine is about to start; signatures for it are valid from then on.
  /// - Throws: `AuthError` if the question or the provider's configuration is insufficient.
  func machine(for question: SIMChangeQuestion, at now: Timestamp) async throws -> any FlowMachine<SIMChangeAnswer>
}

extension SIMChangeChecker {
  /// Asks once.
  ///
  /// - Parameter now: the time of day.
  /// - Throws: `AuthError` before anything is sent, and any error of the lanes.
  package func check(
    _ question: SIMChangeQuestion, at now: Timestamp, _ run: FlowRun
  ) async throws -> FlowEnd<SIMChangeAnswer> {
    try await run(SIMChangeMachine(try await machine(for: question, at: now)))
  }
}

/// The SIM whose change is in question.
package struct SIMChangeQuestion: Hashable, Sendable {
  /// The number of the SIM; nil for the bearer's SIM, which a provider recognises by a token from
  /// the SIM's user.
  package var number: SubscriberNumber?
  /// How far back a change counts. Providers round it up to their unit; each has its own bounds.
  package var maximumAge: Duration
  /// The SIM in this machine, which may differ from the SIM in question.
  package var subscriber: Subscriber

  package init(number: SubscriberNumber?, maximumAge: Duration = .seconds(240 * 3600), subscriber: Subscriber) {
    self.number = number
    self.maximumAge = maximumAge
    self.subscriber = subscriber
  }
}

/// A provider's data about a change, besides the outcome.
package struct SIMChangeAnswer: Hashable, Sendable {
  /// When the SIM was last changed; nil if the provider does not give it.
  package var changedAt: Timestamp?
  /// The period that the answer covers: "not changed" means "not within this".
  package var period: Duration?

  package init(changedAt: Timestamp? = nil, period: Duration? = nil) {
    self.changedAt = changedAt
    self.period = period
  }
}

/// Wraps any machine for a question about a change, so that a run can take it.
package struct SIMChangeMachine: FlowMachine {
  private var machine: any FlowMachine<SIMChangeAnswer>

  package init(_ machine: any FlowMachine<SIMChangeAnswer>) { self.machine = machine }

  /// Most providers are asked by number, over the machine's own network. A provider that needs the
  /// bearer opens it with its first step.
  package static var usesBearer: Bool { false }

  package mutating func start(at now: Timestamp) -> FlowAction<SIMChangeAnswer> { machine.start(at: now) }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<SIMChangeAnswer> {
    machine.receive(event, at: now)
  }
}
