import JournalLog
import ModemModel

/// The SIM: its state as the modem reports it, checked again where needed, and unlocked with a
/// deposited PIN if there is one.
extension ModemPort {
  /// The port's work on the SIM of the open control port.
  struct SIMWork {
    var machine: SIMMachine
    /// The next question to a modem whose report is in doubt, and the question in progress.
    var nextQuestion: Task<Void, Never>?
    var presentQuestion: Task<Void, Never>?
    /// The PIN entry in progress; there is only one at a time.
    var entry: Task<Void, Never>?
    var isSwitchingSlot = false
  }

  /// Starts again with an unknown SIM, because the control port was opened or the slot changed.
  func restartSIM() {
    simWork.nextQuestion?.cancel()
    simWork.nextQuestion = nil
    _ = simWork.machine.handle(.started)
  }

  /// Asks the modem for the SIM's state, and does what follows from the answer.
  func refreshSIM(from backend: any ModemBackend) async {
    let answer: Result<SIMStatus, any Error>
    do { answer = .success(try await backend.simStatus()) } catch { answer = .failure(error) }
    await takeSIM(answer, from: backend)
  }

  /// Applies the modem's answer, and does what follows from it.
  func takeSIM(_ answer: Result<SIMStatus, any Error>, from backend: any ModemBackend) async {
    let status: SIMStatus
    do {
      status = try answer.get()
    } catch {
      logger.warning("SIM state could not be read: \(error)")
      if state.fault != nil { note(fault: "SIM state could not be read: \(error)") }
      return
    }
    guard case .open(let present) = controlPort, present === backend else { return }
    simWork.nextQuestion?.cancel()
    simWork.nextQuestion = nil
    let before = state.sim
    let actions = simWork.machine.handle(.reported(status))
    change("SIM") { $0.sim = configuration.settings.completing(simWork.machine.shown) }
    if state.sim.state != before.state { log(state.sim.state) }
    for action in actions {
      switch action {
      case .askAgain(let delay): ask(backend, after: delay)
      case .offerPIN: await offerPIN(to: backend)
      }
    }
  }

  private func ask(_ backend: any ModemBackend, after delay: Duration) {
    simWork.nextQuestion = Task { [weak self, dependencies] in
      guard (try? await dependencies.waitForRetry(delay)) != nil, !Task.isCancelled else { return }
      await self?.askAgain(backend)
    }
  }

  private func askAgain(_ backend: any ModemBackend) async {
    guard case .open(let present) = controlPort, present === backend else { return }
    // This very task is the question, so what follows must not cancel it.
    simWork.presentQuestion = simWork.nextQuestion
    simWork.nextQuestion = nil
    defer { simWork.presentQuestion = nil }
    let before = state.sim.state
    await refreshSIM(from: backend)
    if state.sim.state == .ready, before != .ready { await refreshRegistration(from: backend) }
  }

  /// Waits until the modem's report on its SIM is reliable.
  func waitWhileSIMSettles() async {
    while simWork.machine.isSettling, let question = simWork.nextQuestion ?? simWork.presentQuestion {
      await question.value
      // A question that nobody asks any more is over, and settles nothing.
      if simWork.nextQuestion == question { return }
    }
  }

  /// Asks the modem again about a SIM that was not ready, and throws if it still is not.
  ///
  /// - Parameter mayBeUnknown: whether a SIM is enough of which the modem reports nothing.
  func requireSIM(of backend: any ModemBackend, mayBeUnknown: Bool = false) async throws {
    if state.sim.state != .ready {
      await refreshSIM(from: backend)
      await waitWhileSIMSettles()
    }
    guard !simWork.isSwitchingSlot else { throw ModemError.slotIsSwitched }
    switch state.sim.state {
    case .ready: break
    case .unknown where mayBeUnknown: break
    case .unknown: throw ModemError(.simNotReady, "the modem does not report its SIM; try again in a few seconds")
    case .absent: throw ModemError(.simAbsent, "there is no SIM in the modem; insert one")
    case .pinRequired: throw ModemError(.simLocked, "the SIM waits for its PIN; enter it with `modemctl unlock`")
    case .pukRequired: throw ModemError(.simLocked, "the SIM is blocked and waits for its PUK; unblock it in a phone")
    case .initialising: throw ModemError(.simNotReady, "the SIM is still starting; try again in a few seconds")
    case .notActivated: throw ModemError(.simNotReady, "the SIM is not activated; ask its operator")
    case .failed: throw ModemError(.simNotReady, "the SIM does not work; try another one")
    }
  }

  // MARK: PIN

  /// Enters PIN1 once and returns the new state.
  ///
  /// - Parameter mayBeLast: whether this may be the last attempt, or an attempt for which the modem
  ///   does not report how many are left.
  /// - Throws: `ModemError`, including `wrongPIN` with the attempts left, and `lastAttempt`.
  package func unlock(with pin: PIN, mayBeLast: Bool = false) async throws -> ModemState {
    await waitWhileOpening()
    let backend = try openBackend()
    do {
      try await inTurn {
        // Counted after the earlier entries, each of which may have used an attempt.
        if !mayBeLast { try await self.keepLastAttempt(backend) }
        try await self.enter(pin, to: backend, isAsked: true)
      }
    } catch {
      if (error as? ModemError)?.code == .wrongPIN { logRefusal(of: "a caller's PIN", error) }
      await refreshSIM(from: backend)
      throw error
    }
    await refreshAll(from: backend)
    return state
  }

  /// Throws if a wrong PIN would or may block the SIM for good.
  private func keepLastAttempt(_ backend: any ModemBackend) async throws {
    let sim = try await backend.simStatus()
    switch sim.state {
    case .pinRequired:
      guard let left = sim.retriesLeft, left > 1 else { throw ModemError.lastAttempt(left: sim.retriesLeft) }
    case .unknown, .initialising:
      throw ModemError(.simNotReady, "the modem does not report yet whether the SIM asks for its PIN; try again")
    // No attempt is made in these states: the backend explains why.
    case .absent, .pukRequired, .notActivated, .failed, .ready: return
    }
  }

  /// Enters the deposited PIN, if that is safe.
  private func offerPIN(to backend: any ModemBackend) async {
    do {
      let pin = try dependencies.deposit.pin(for: state.sim.iccid)
      let isRefused = pin.map { dependencies.refusedPINs.contains($0, for: cardName) } ?? false
      switch PINPolicy.decide(pin, retriesLeft: state.sim.retriesLeft, isRefused: isRefused) {
      case .enter(let pin):
        try await inTurn { try await self.enter(pin, to: backend, isAsked: false) }
        logger.info("the SIM accepted the deposited PIN")
        await refreshSIM(from: backend)
        await refreshRegistration(from: backend)
      case .withhold(let reason):
        logger.event(.simLocked, level: .warning, "\(reason.words); enter the PIN with `modemctl unlock`")
      }
    } catch {
      logRefusal(of: "the deposited PIN", error)
      await refreshSIM(from: backend)
    }
  }

  /// Enters a PIN, and remembers it until the SIM has accepted it.
  ///
  /// - Parameter isAsked: whether a caller, who counts the attempts, asked for it. It is then
  ///   entered even if it cannot be remembered.
  private func enter(_ pin: PIN, to backend: any ModemBackend, isAsked: Bool) async throws {
    let card = cardName
    let memory = dependencies.refusedPINs
    do {
      // Recorded first: whatever happens to this process, the PIN is not entered a second time
      // automatically.
      try memory.note(pin, for: card)
    } catch {
      guard isAsked else { throw error }
      logger.warning("\(error)")
    }
    do {
      try await backend.unlock(with: pin)
      memory.forget(pin, for: card)
    } catch {
      if let error = error as? ModemError, error.leavesPINUnseen { memory.forget(pin, for: card) }
      throw error
    }
  }

  /// The SIM's name in the memory of refused PINs; the modem's id if the SIM is not identified.
  private var cardName: String { state.sim.iccid?.revealed ?? state.id }

  /// Runs PIN entries one after the other.
  ///
  /// Each waits for the previous one. Waiters must not check the same state in a loop: waiting for
  /// a finished task does not leave the actor, so nothing else could change the state and the loop
  /// would never end.
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
  /// Nothing was entered, because it might have blocked the SIM.
  fileprivate static func lastAttempt(left: Int?) -> ModemError {
    let words =
      left.map { "\($0) attempt\($0 == 1 ? " is" : "s are") left" }
      ?? "the modem does not report how many attempts are left, and this may be the last"
    return ModemError(
      .lastAttempt,
      "\(words); a wrong PIN then blocks the SIM until its PUK is entered in another device. Nothing was entered: make sure of the PIN, and let root allow the last attempt",
      retriesLeft: left)
  }

  /// Whether the SIM was certainly not given the PIN.
  fileprivate var leavesPINUnseen: Bool {
    [.simAbsent, .simLocked, .simNotReady, .pinNotRequired, .deviceUnavailable, .busy, .notSupported].contains(code)
  }
}

extension PINPolicy.Reason {
  /// For the log.
  fileprivate var words: String {
    switch self {
    case .none: "the SIM asks for its PIN, and none is deposited"
    case .refusedBefore: "this SIM has refused the deposited PIN before, and it is not tried again"
    case .lastAttempt: "the SIM has one attempt left, and the deposited PIN is not tried"
    case .attemptsUnknown: "the modem does not report how many attempts are left, and the deposited PIN is not tried"
    }
  }
}
