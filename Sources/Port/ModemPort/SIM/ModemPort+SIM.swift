import ModemModel

/// The SIM: what the modem says of it, doubted where that is needed, and opened with a deposited PIN where there is one.
extension ModemPort {
  /// What the port does about the SIM of the open control port.
  struct SIMWork {
    var machine: SIMMachine
    /// The next question to a modem whose word is doubted, and the one that is being asked.
    var nextQuestion: Task<Void, Never>?
    var presentQuestion: Task<Void, Never>?
    /// The PIN being entered; there is one at a time.
    var entry: Task<Void, Never>?
    var isSwitchingSlot = false
  }

  /// Begins anew with a SIM of which nothing is known: the control port was opened, or the slot changed.
  func restartSIM() {
    simWork.nextQuestion?.cancel()
    simWork.nextQuestion = nil
    _ = simWork.machine.handle(.started)
  }

  /// Asks the modem for the SIM's state, and does what is due after the answer.
  func refreshSIM(from backend: any ModemBackend) async {
    let status: SIMStatus
    do {
      status = try await backend.simStatus()
    } catch {
      surroundings.logger.warning("SIM state could not be read: \(error)")
      if state.fault != nil { note(fault: "SIM state could not be read: \(error)") }
      return
    }
    guard case .open(let present) = controlPort, present === backend else { return }
    simWork.nextQuestion?.cancel()
    simWork.nextQuestion = nil
    let before = state.sim
    let actions = simWork.machine.handle(.reported(status))
    change("SIM") { $0.sim = configuration.settings.completing(simWork.machine.shown) }
    if state.sim.state != before.state { surroundings.logger.info("SIM \(state.sim.state.rawValue)") }
    for action in actions {
      switch action {
      case .askAgain(let delay): ask(backend, after: delay)
      case .offerPIN: await offerPIN(to: backend)
      }
    }
  }

  private func ask(_ backend: any ModemBackend, after delay: Duration) {
    simWork.nextQuestion = Task { [weak self, surroundings] in
      guard (try? await surroundings.sleep(delay)) != nil, !Task.isCancelled else { return }
      await self?.askAgain(backend)
    }
  }

  private func askAgain(_ backend: any ModemBackend) async {
    guard case .open(let present) = controlPort, present === backend else { return }
    // This very task is the question: what follows must not cancel it.
    simWork.presentQuestion = simWork.nextQuestion
    simWork.nextQuestion = nil
    defer { simWork.presentQuestion = nil }
    let before = state.sim.state
    await refreshSIM(from: backend)
    if state.sim.state == .ready, before != .ready { await refreshRegistration(from: backend) }
  }

  /// Waits until the modem's word on its SIM counts.
  func waitWhileSIMSettles() async {
    while simWork.machine.isSettling, let question = simWork.nextQuestion ?? simWork.presentQuestion {
      await question.value
      // One that had nobody to ask any more is over, and settles nothing.
      if simWork.nextQuestion == question { return }
    }
  }

  // MARK: PIN

  /// Enters PIN1 once and returns the state after it.
  ///
  /// - Parameter mayBeLast: whether it may be the last attempt, or one of which the modem does not say whether it is.
  /// - Throws: `ModemError`, `wrongPIN` with the attempts left and `lastAttempt` among them.
  public func unlock(with pin: PIN, mayBeLast: Bool = false) async throws -> ModemState {
    await waitWhileOpening()
    let backend = try openBackend()
    do {
      try await inTurn {
        // Counted behind the entries before this one, of which each may have cost an attempt.
        if !mayBeLast { try await self.keepLastAttempt(backend) }
        try await self.enter(pin, to: backend, isAsked: true)
      }
    } catch {
      await refreshSIM(from: backend)
      throw error
    }
    await refreshAll(from: backend)
    return state
  }

  /// Throws where a wrong PIN would block the SIM for good, or may do so.
  private func keepLastAttempt(_ backend: any ModemBackend) async throws {
    let sim = try await backend.simStatus()
    switch sim.state {
    case .pinRequired:
      guard let left = sim.retriesLeft, left > 1 else { throw ModemError.lastAttempt(left: sim.retriesLeft) }
    case .unknown, .initialising:
      throw ModemError(.simNotReady, "the modem does not say yet whether the SIM asks for its PIN; try again")
    // No attempt is made on these: the backend says why.
    case .absent, .pukRequired, .notActivated, .failed, .ready: return
    }
  }

  /// Enters the deposited PIN, where that is wise.
  private func offerPIN(to backend: any ModemBackend) async {
    let log = surroundings.logger
    do {
      let pin = try surroundings.deposit.pin(for: state.sim.iccid)
      let isRefused = pin.map { surroundings.refusedPINs.contains($0, for: cardName) } ?? false
      switch PINPolicy.decide(pin, retriesLeft: state.sim.retriesLeft, isRefused: isRefused) {
      case .enter(let pin):
        try await inTurn { try await self.enter(pin, to: backend, isAsked: false) }
        log.info("the SIM took the deposited PIN")
        await refreshSIM(from: backend)
        await refreshRegistration(from: backend)
      case .withhold(let reason): log.notice("\(reason.words); enter the PIN with `modemctl unlock`")
      }
    } catch {
      log.warning("the SIM stays locked: \(error)")
      await refreshSIM(from: backend)
    }
  }

  /// Enters a PIN, and remembers it for as long as the SIM has not taken it.
  ///
  /// - Parameter isAsked: whether somebody asked for it, who counts the attempts: then it is entered even if it cannot be
  ///   remembered.
  private func enter(_ pin: PIN, to backend: any ModemBackend, isAsked: Bool) async throws {
    let card = cardName
    let memory = surroundings.refusedPINs
    do {
      // Noted before: whatever becomes of this process, the PIN is not entered a second time by itself.
      try memory.note(pin, for: card)
    } catch {
      guard isAsked else { throw error }
      surroundings.logger.warning("\(error)")
    }
    do {
      try await backend.unlock(with: pin)
      memory.forget(pin, for: card)
    } catch {
      if let error = error as? ModemError, error.leavesPINUnseen { memory.forget(pin, for: card) }
      throw error
    }
  }

  /// Names the SIM for the memory of refused PINs; the modem where it does not tell which SIM it has.
  private var cardName: String { state.sim.iccid?.revealed ?? state.id }

  /// Runs one entry of a PIN behind the other.
  ///
  /// Each waits for the one that came before it. Waiters that look at the same state in a loop would go round it without end: who waits
  /// for a task that is over does not leave the actor, and nobody else could change the state.
  private func inTurn(_ work: @escaping @Sendable () async throws -> Void) async throws {
    let earlier = simWork.entry
    let task = Task {
      await earlier?.value
      try await work()
    }
    simWork.entry = Task { _ = try? await task.value }
    try await task.value
  }
}

extension ModemError {
  /// Nothing was entered, as it might have blocked the SIM.
  fileprivate static func lastAttempt(left: Int?) -> ModemError {
    let words =
      left.map { "\($0) attempt\($0 == 1 ? " is" : "s are") left" }
      ?? "the modem does not say how many attempts are left, and this may be the last"
    return ModemError(
      .lastAttempt,
      "\(words); a wrong PIN then blocks the SIM until its PUK is entered in another device. Nothing was entered: be sure of the PIN, and let root say that it may be the last attempt",
      retriesLeft: left)
  }

  /// Whether the SIM was not given the PIN for certain.
  fileprivate var leavesPINUnseen: Bool {
    [.simAbsent, .simLocked, .simNotReady, .pinNotRequired, .deviceUnavailable, .busy, .notSupported].contains(code)
  }
}

extension PINPolicy.Reason {
  /// For the log.
  fileprivate var words: String {
    switch self {
    case .none: "the SIM asks for its PIN, and none is deposited"
    case .refusedBefore: "this SIM has not taken the deposited PIN before, and it is not tried again"
    case .lastAttempt: "the SIM has one attempt left, and the deposited PIN is not tried"
    case .attemptsUnknown: "the modem does not say how many attempts are left, and the deposited PIN is not tried"
    }
  }
}
