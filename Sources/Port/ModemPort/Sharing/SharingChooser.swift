import ModemModel

/// Chooses for one port how its modem is shared, and notices when that should change.
package actor SharingChooser {
  /// The chooser's interfaces to the outside.
  package struct Dependencies: Sendable {
    /// What runs now. The chooser fills in what it knows itself.
    package var facts: @Sendable () async -> SharingFacts
    /// Yields each time that the facts may have changed.
    package var changes: @Sendable () async -> AsyncStream<Void>
    /// Makes a backend that follows the decision. Throws `ModemError`.
    package var makeBackend: @Sendable (SharingDecision) async throws -> any ModemBackend
    /// Asks a modem that is not open how many sessions it carries; nil if it does not report it.
    /// Throws `ModemError`.
    package var sessionLimit: @Sendable () async throws -> Int? = { nil }
    /// Makes ModemManager release the modem, or lets it use the modem again. Throws `ModemError` if
    /// it refuses.
    package var inhibit: @Sendable (Bool) async throws -> Void = { _ in }

    package init(
      facts: @escaping @Sendable () async -> SharingFacts,
      changes: @escaping @Sendable () async -> AsyncStream<Void>,
      makeBackend: @escaping @Sendable (SharingDecision) async throws -> any ModemBackend
    ) {
      self.facts = facts
      self.changes = changes
      self.makeBackend = makeBackend
    }
  }

  /// What the port must do.
  package enum Change: Hashable, Sendable {
    case stay
    /// A failed attempt may succeed in the present situation.
    case tryAgain
    /// Close the backend and make another, for this reason.
    case reopen(String)
  }

  private let policy: SharingPolicy
  private let dependencies: Dependencies
  private var decision: SharingDecision?
  private var backend: (any ModemBackend)?
  /// The modem's limit of sessions, once it was asked. It does not change while the port runs.
  private var sessionLimit: Int?
  /// Remembered while the port runs, so that a session that the modem refuses is not tried again
  /// and again.
  private var refusal: String?
  private var takesOver = false

  package init(_ policy: SharingPolicy, _ dependencies: Dependencies) {
    self.policy = policy
    self.dependencies = dependencies
  }

  /// Decides, and makes a backend that follows the decision.
  package func makeBackend() async throws -> any ModemBackend {
    // The one before is closed.
    backend = nil
    let decision = policy.decide(await facts(hasBearer: false))
    self.decision = decision
    do {
      let made = try await dependencies.makeBackend(decision)
      backend = made
      return made
    } catch {
      takesOver = false
      throw error
    }
  }

  /// Asks ModemManager to release the modem, if that was decided, now that the backend is open.
  /// Otherwise, the proxy would close the control port after its last program left, just when the
  /// next program's messages arrive.
  ///
  /// - Throws: `ModemError` `busy` if ModemManager refuses; close the backend then.
  package func backendOpened() async throws {
    guard decision?.inhibits == true else { return }
    do {
      try await dependencies.inhibit(true)
    } catch {
      // ModemManager keeps the modem until a bearer is wanted again.
      takesOver = false
      throw error
    }
  }

  /// How the modem is shared at present; nil before the first backend.
  package func sharing(hasBearer: Bool) async -> Sharing? {
    guard decision != nil else { return nil }
    let new = policy.decide(await facts(hasBearer: hasBearer))
    return decision?.present(new)
  }

  /// Yields each time that the answer of `reconsider` may have changed.
  package nonisolated func changes() async -> AsyncStream<Void> { await dependencies.changes() }

  /// Decides what must change, and tells ModemManager what it needs to know.
  ///
  /// - Parameters:
  ///   - hasBearer: whether the port's bearer is up, or coming up or going down.
  ///   - isWanted: whether there is a bearer, one is kept, or a caller waits for one.
  package func reconsider(hasBearer: Bool, isWanted: Bool) async -> Change {
    guard let old = decision else { return .stay }
    if !isWanted { takesOver = false }
    let facts = await facts(hasBearer: hasBearer)
    let new = policy.decide(facts)
    // Another backend may have been made in the meantime.
    guard decision == old else { return .stay }
    switch old.step(to: new, facts) {
    case .stay: return .stay
    case .reopen: return .reopen(new.sharing.reason)
    case .tellManager:
      do {
        try await dependencies.inhibit(new.inhibits)
      } catch {
        return .stay
      }
      guard decision == old else { return .stay }
      decision = new
      takesOver = new.inhibits && policy.preference == .auto
      return .stay
    }
  }

  /// Checks whether a bearer that did not come up may come up in another way. A configured way is
  /// not replaced.
  package func fallBack(after error: ModemError) async -> Change {
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
    var facts = await dependencies.facts()
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
      // A second reader would take replies away.
      if !decision.usesProxy { return nil }
    }
    return try? await dependencies.sessionLimit()
  }
}
