import ModemModel

/// Chooses for one port how its modem is shared, and notices when that should change.
public actor SharingChooser {
  /// What the chooser reaches the world through.
  public struct Surroundings: Sendable {
    /// What runs now.
    public var facts: @Sendable () async -> SharingFacts
    /// An element for each time that the facts may have changed.
    public var changes: @Sendable () async -> AsyncStream<Void>
    /// Makes a backend that works as decided. Throws `ModemError`.
    public var makeBackend: @Sendable (SharingDecision) async throws -> any ModemBackend

    public init(
      facts: @escaping @Sendable () async -> SharingFacts,
      changes: @escaping @Sendable () async -> AsyncStream<Void>,
      makeBackend: @escaping @Sendable (SharingDecision) async throws -> any ModemBackend
    ) {
      self.facts = facts
      self.changes = changes
      self.makeBackend = makeBackend
    }
  }

  private let policy: SharingPolicy
  private let surroundings: Surroundings
  private var decision: SharingDecision?

  public init(_ policy: SharingPolicy, _ surroundings: Surroundings) {
    self.policy = policy
    self.surroundings = surroundings
  }

  /// What was decided last; nil before the first backend.
  public var sharing: Sharing? { decision?.sharing }

  /// Decides, and makes a backend that works so.
  public func makeBackend() async throws -> any ModemBackend {
    let decision = policy.decide(await surroundings.facts())
    self.decision = decision
    return try await surroundings.makeBackend(decision)
  }

  /// An element for each time that `newWay` may have another answer.
  public nonisolated func changes() async -> AsyncStream<Void> { await surroundings.changes() }

  /// Why the backend has to be made anew; nil while it may stay.
  ///
  /// - Parameter hasBearer: whether the port's bearer is up, or on its way up or down.
  public func newWay(hasBearer: Bool) async -> String? {
    guard let old = decision else { return nil }
    let new = policy.decide(await surroundings.facts())
    // Another backend may have been made meanwhile.
    guard decision == old, SharingPolicy.mustChange(from: old, to: new, hasBearer: hasBearer) else { return nil }
    return new.sharing.reason
  }
}
