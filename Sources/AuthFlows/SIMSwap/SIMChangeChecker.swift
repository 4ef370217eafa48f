import AuthCore
import ModemModel

/// A provider that can tell whether a number moved to another SIM lately: CAMARA's SIM Swap, tru.ID's SIMCheck.
///
/// It gives a machine and does nothing itself: the machine runs alone (`check`), or as the first part of another flow, whose
/// steps then go on where its end (`FlowAction.within`).
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
  /// - Parameters:
  ///   - now: the time of day.
  ///   - onProgress: called for each step that ended. It must not block.
  /// - Throws: `AuthError` before anything is sent, and what `FlowDriver.run` throws.
  public func check(
    _ question: SIMChangeQuestion, at now: Timestamp, by driver: FlowDriver,
    onProgress: @escaping @Sendable (FlowProgress) -> Void = { _ in }
  ) async throws -> FlowEnd<SIMChangeAnswer> {
    let machine = SIMChangeMachine(try await machine(for: question, at: now))
    return try await driver.run(machine, onProgress: onProgress)
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

/// Any machine for a question about a change, as the driver takes it.
public struct SIMChangeMachine: FlowMachine {
  private var machine: any FlowMachine<SIMChangeAnswer>

  public init(_ machine: any FlowMachine<SIMChangeAnswer>) { self.machine = machine }

  public mutating func start(at now: Timestamp) -> FlowAction<SIMChangeAnswer> { machine.start(at: now) }

  public mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<SIMChangeAnswer> {
    machine.receive(event, at: now)
  }
}
