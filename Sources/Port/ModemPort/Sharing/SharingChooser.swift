import ModemModel

/// Chooses for one port how its modem is shared, and notices when that should change.
public actor SharingChooser {
  /// What the chooser reaches the world through.
  public struct Surroundings: Sendable {
    /// What runs now; what the chooser itself knows is filled in by it.
    public var facts: @Sendable () async -> SharingFacts
    /// An element for each time that the facts may have changed.
    public var changes: @Sendable () async -> AsyncStream<Void>
    /// Makes a backend that works as decided. Throws `ModemError`.
    public var makeBackend: @Sendable (SharingDecision) async throws -> any ModemBackend
    /// Asks a modem that is not open how many sessions it carries; nil where it does not say. Throws `ModemError`.
    public var sessionLimit: @Sendable () async throws -> Int? = { nil }
    /// Has ModemManager let go of the modem, or lets it have the modem again. Throws `ModemError` where it refuses.
    public var inhibit: @Sendable (Bool) async throws -> Void = { _ in }

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

  /// What the port has to do.
  public enum Change: Hashable, Sendable {
    case stay
    /// What failed may work now, as things are.
    case tryAgain
    /// The backend is closed and made anew, for this reason.
    case reopen(String)
  }

  private let policy: SharingPolicy
  private let surroundings: Surroundings
  private var decision: SharingDecision?
  private var backend: (any ModemBackend)?
  /// What the modem says of its sessions, once it was asked: it does not change while the port runs.
  private var sessionLimit: Int?
  /// Remembered as long as the port runs, so that a session which the modem refuses is not tried again and again.
  private var refusal: String?
  private var takesOver = false

  public init(_ policy: SharingPolicy, _ surroundings: Surroundings) {
    self.policy = policy
    self.surroundings = surroundings
  }

  /// Decides, and makes a backend that works so.
  public func makeBackend() async throws -> any ModemBackend {
    // The one before is closed.
    backend = nil
    let decision = policy.decide(await facts(hasBearer: false))
    self.decision = decision
    do {
      let made = try await surroundings.makeBackend(decision)
      backend = made
      return made
    } catch {
      takesOver = false
      throw error
    }
  }

  /// Tells ModemManager to let go, where that was decided, now that the backend is open: the proxy would close the control port
  /// when its last program leaves, and the next one's messages would meet that on the way.
  ///
  /// - Throws: `ModemError` `busy` when ModemManager refuses; the backend is then to be closed.
  public func backendOpened() async throws {
    guard decision?.inhibits == true else { return }
    do {
      try await surroundings.inhibit(true)
    } catch {
      // The modem stays ModemManager's until a bearer is wanted once more.
      takesOver = false
      throw error
    }
  }

  /// How the modem is shared at this moment; nil before the first backend.
  public func sharing(hasBearer: Bool) async -> Sharing? {
    guard decision != nil else { return nil }
    let new = policy.decide(await facts(hasBearer: hasBearer))
    return decision?.present(new)
  }

  /// An element for each time that `reconsider` may have another answer.
  public nonisolated func changes() async -> AsyncStream<Void> { await surroundings.changes() }

  /// Sees what is to change, and tells ModemManager what it is to be told.
  ///
  /// - Parameters:
  ///   - hasBearer: whether the port's bearer is up, or on its way up or down.
  ///   - isWanted: whether there is one, is kept, or somebody waits for one.
  public func reconsider(hasBearer: Bool, isWanted: Bool) async -> Change {
    guard let old = decision else { return .stay }
    if !isWanted { takesOver = false }
    let facts = await facts(hasBearer: hasBearer)
    let new = policy.decide(facts)
    // Another backend may have been made meanwhile.
    guard decision == old else { return .stay }
    switch old.step(to: new, facts) {
    case .stay: return .stay
    case .reopen: return .reopen(new.sharing.reason)
    case .tellManager:
      do {
        try await surroundings.inhibit(new.inhibits)
      } catch {
        return .stay
      }
      guard decision == old else { return .stay }
      decision = new
      takesOver = new.inhibits && policy.preference == .auto
      return .stay
    }
  }

  /// Sees whether a bearer that did not come up may come up in another way. What was configured is not replaced.
  public func fallBack(after error: ModemError) async -> Change {
    guard policy.preference == .auto, let old = decision else { return .stay }
    switch error.code {
    case .noSession: refusal = error.message
    case .notConnected where old.sharing.way == .follow: takesOver = true
    case .busy where old.sharing.way != .follow: break
    default: return .stay
    }
    let facts = await facts(hasBearer: false)
    let new = policy.decide(facts)
    guard decision == old else { return .tryAgain }
    switch old.step(to: new, facts) {
    case .reopen: return .reopen(new.sharing.reason)
    case .tellManager: return .stay
    // ModemManager has connected meanwhile.
    case .stay: return new.sharing.way == .follow && facts.managed?.isConnected == true ? .tryAgain : .stay
    }
  }

  // MARK: What is known

  private func facts(hasBearer: Bool) async -> SharingFacts {
    var facts = await surroundings.facts()
    if sessionLimit == nil, refusal == nil, policy.wantsSessionLimit(facts) { sessionLimit = await askForSessions() }
    facts.sessionLimit = sessionLimit
    facts.refusal = refusal
    facts.hasBearer = hasBearer
    facts.takesOver = takesOver
    return facts
  }

  private func askForSessions() async -> Int? {
    if let backend, let decision, decision.sharing.way != .follow {
      if let limit = try? await backend.sessionLimit() { return limit }
      // A second reader would steal replies.
      if !decision.usesProxy { return nil }
    }
    return try? await surroundings.sessionLimit()
  }
}
