import AuthCore
import ModemModel

/// A provider that can tell whether a number moved to another SIM lately: CAMARA's SIM Swap, tru.ID's SIMCheck.
///
/// It gives a machine and does nothing itself: a `FlowRun` runs that alone (`check`), or before the machines of another flow.
public protocol SIMChangeChecker: Sendable {
  /// As the provider is named in the configuration.
  var name: String { get }

  /// Makes the machine for one question. Its outcome is `simSwapped`, `simUnchanged` or `simUnknown`, or says why there is no answer;
  /// only `simUnchanged` may let somebody pass.
  ///
  /// - Parameter now: when the machine is about to start; what is signed for it is valid from then on.
  /// - Throws: `AuthError` where the question or the provider's configuration is not enough.
  func machine(for question: SIMChangeQuestion, at now: Timestamp) async throws -> any FlowMachine<SIMChangeAnswer>
}

extension SIMChangeChecker {
  /// Asks once.
  ///
  /// - Parameter now: the time of day.
  /// - Throws: `AuthError` before anything is sent, and what the lanes throw.
  public func check(
    _ question: SIMChangeQuestion, at now: Timestamp, _ run: FlowRun
  ) async throws -> FlowEnd<SIMChangeAnswer> {
    try await run(SIMChangeMachine(try await machine(for: question, at: now)))
  }
}

/// Which SIM's change is asked about.
public struct SIMChangeQuestion: Hashable, Sendable {
  /// The number whose SIM is meant; nil for that of the bearer, which a provider knows by a token that the SIM's user gave.
  public var number: SubscriberNumber?
  /// How long ago a change still counts. Providers round it up to their unit; each has its own bounds.
  public var maximumAge: Duration
  /// The SIM in this machine, which need not be the one asked about.
  public var subscriber: Subscriber

  public init(number: SubscriberNumber?, maximumAge: Duration = .seconds(240 * 3600), subscriber: Subscriber) {
    self.number = number
    self.maximumAge = maximumAge
    self.subscriber = subscriber
  }
}

/// What a provider tells of a change, beside the outcome.
public struct SIMChangeAnswer: Hashable, Sendable {
  /// When the SIM was last changed; nil where the provider does not tell.
  public var changedAt: Timestamp?
  /// The period that the answer speaks of: "not changed" means "not within this".
  public var period: Duration?

  public init(changedAt: Timestamp? = nil, period: Duration? = nil) {
    self.changedAt = changedAt
    self.period = period
  }
}

/// Any machine for a question about a change, as a run takes it.
public struct SIMChangeMachine: FlowMachine {
  private var machine: any FlowMachine<SIMChangeAnswer>

  public init(_ machine: any FlowMachine<SIMChangeAnswer>) { self.machine = machine }

  /// Most providers are asked by number, over the machine's own network. One that needs the bearer opens it with its first step.
  public static var usesBearer: Bool { false }

  public mutating func start(at now: Timestamp) -> FlowAction<SIMChangeAnswer> { machine.start(at: now) }

  public mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<SIMChangeAnswer> {
    machine.receive(event, at: now)
  }
}
