import EAPAKA
import LimitClock
import ModemModel

/// Logins of the SIM over EAP. Packets of a server come in, and answers go out. What the SIM
/// answers to a challenge, and every key that is made from it, stays here: whoever has RES, CK and
/// IK can log in as this subscriber to Wi-Fi and to calls over the Internet.
extension ModemPort {
  /// The port's work for logins.
  struct AuthenticationWork {
    var logins = EAPLogins()
    /// The last call of the SIM that was begun or waits for its turn; there is only one at a time.
    var cardCall: Task<Void, Never>?
    /// Group Identifier Level 1 of the SIM in the modem, once it was read.
    var groupIdentifier: GroupIdentifier?
  }

  /// An answer about one SIM, also that it has none.
  struct GroupIdentifier: Hashable {
    var sim: SIMIdentity
    var bytes: [UInt8]?
  }

  /// Begins a login. The SIM is not asked yet.
  ///
  /// - Throws: `EAPFault`; `ModemError` if the SIM's state or the modem prevents it. A request with
  ///   a `flaw` is refused as `failed`.
  package func beginEAP(_ request: EAPLoginRequest) async throws -> EAPLogin {
    if let flaw = request.flaw {
      throw ModemError(.failed, "SIM authentication: the \(flaw) of the login cannot be used")
    }
    await waitWhileOpening()
    let backend = try openBackend()
    try await requireSIM(of: backend)
    let sim = SIMIdentity(state.sim)
    let identity = try EAPIdentity(of: state.sim, request)
    let group = await groupIdentifier(of: sim, from: backend)
    guard case .open(let present) = controlPort, present === backend, sim == SIMIdentity(state.sim) else {
      throw ModemError(.simNotReady, "SIM authentication: the SIM was changed just now; try again")
    }

    let name = request.reauthenticates ? EAPLogins.KeptName(method: request.method, realm: request.realm) : nil
    let kept = name.flatMap { authentication.logins.takeKept($0) }
    // A login that needs no call of the SIM may begin at any time.
    if kept == nil { try refuseIfUsedUp() }
    let id = Hexadecimal.text(of: dependencies.random(EAPLogin.idCount))
    let peer = EAPPeer(
      EAPPeer.Configuration(
        request.method, permanent: identity, networkName: request.networkName,
        reauthenticates: request.reauthenticates),
      kept: kept, random: dependencies.random)
    let timer = Task { [weak self, dependencies] in
      guard (try? await dependencies.clock.pause(for: EAPLogins.lifetime)) != nil else { return }
      await self?.endLogin(id)
    }
    try authentication.logins.begin(
      peer, as: id, keptName: name, end: dependencies.clock.now + EAPLogins.lifetime, timer: timer)
    logger.info("SIM authentication: begun (\(request.method.rawValue))")
    return EAPLogin(id: id, identity: peer.identity, groupIdentifier: group)
  }

  /// Answers a server's packet; a challenge goes to the SIM. If the SIM or the modem cannot answer
  /// it, or the caller leaves, the login ends.
  ///
  /// - Throws: `EAPFault`, `ModemError`.
  package func answerEAP(_ packet: [UInt8], of login: String) async throws -> EAPReply {
    var peer = try authentication.logins.take(login, at: dependencies.clock.now)
    let reply: EAPReply
    switch peer.receive(packet: packet) {
    case .answer(let answer): reply = answer
    case .challenge(let challenge):
      do {
        let answer = try await inCardTurn(of: login) { try await self.ask(challenge, for: login) }
        reply = peer.receive(card: answer)
      } catch {
        endLogin(login)
        throw error
      }
    }
    let isOver = reply.event == .success || reply.event == .failure
    try authentication.logins.put(peer, of: login, isOver: isOver, at: dependencies.clock.now)
    logger.info("SIM authentication: \(reply.event.rawValue)")
    return reply
  }

  func endLogin(_ id: String) { authentication.logins.end(id) }

  /// Ends all logins if the SIM is not the one from before, or cannot be used any more.
  func noticeSIM(before: ModemState) {
    let sim = SIMIdentity(state.sim)
    guard sim != SIMIdentity(before.sim) || state.sim.state != .ready else { return }
    forgetLogins()
  }

  /// Ends all logins, as the SIM may be another one from now on.
  func forgetLogins() {
    authentication.groupIdentifier = nil
    guard !authentication.logins.isEmpty else { return }
    logger.info("SIM authentication: \(authentication.logins.count) logins end with the use of this SIM")
    authentication.logins.endAll()
  }

  // MARK: The SIM

  /// Runs calls of the SIM one after the other. A caller who leaves ends its login. The call itself
  /// goes on, if it has begun: no other may begin while the SIM is busy with it.
  private func inCardTurn(
    of login: String, _ work: @escaping @Sendable () async throws -> AKAAnswer
  ) async throws -> AKAAnswer {
    try Task.checkCancellation()
    // As with the entries of PINs: a chain, and no loop that looks whether the turn has come.
    let earlier = authentication.cardCall
    let task = Task {
      await earlier?.value
      return try await work()
    }
    authentication.cardCall = Task { _ = try? await task.value }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      Task { await self.endLogin(login) }
    }
  }

  /// Asks the SIM once, if the limits allow it.
  private func ask(_ challenge: AKAChallenge, for login: String) async throws -> AKAAnswer {
    // The login may have ended while others had their turns.
    guard authentication.logins.isAnswering(login) else { throw EAPFault.unknownLogin }
    guard !simWork.isSwitchingSlot else { throw ModemError.slotIsSwitched }
    let backend = try openBackend()
    guard authentication.logins.countChallenge(of: login) else {
      throw ModemError(
        .failed, "SIM authentication: the server sent more than \(EAPLogins.mostChallenges) challenges in one login")
    }
    try noteCardCall()
    return try await backend.authenticate(challenge)
  }

  private func groupIdentifier(of sim: SIMIdentity, from backend: any ModemBackend) async -> [UInt8]? {
    if let known = authentication.groupIdentifier, known.sim == sim { return known.bytes }
    do {
      let bytes = try await backend.groupIdentifier()
      if sim == SIMIdentity(state.sim) { authentication.groupIdentifier = GroupIdentifier(sim: sim, bytes: bytes) }
      return bytes
    } catch {
      logger.debug("the SIM's group identifier could not be read: \(error)")
      return nil
    }
  }

  // MARK: Limits

  /// Throws if the SIM may not be asked now.
  private func refuseIfUsedUp() throws { _ = try countedCardCalls() }

  /// Counts a call of the SIM before it is made: whatever happens to this process or to the caller,
  /// it is not forgotten.
  private func noteCardCall() throws {
    var (sim, calls) = try countedCardCalls()
    calls.note()
    try dependencies.cardCalls.keep(calls, of: sim)
  }

  /// The SIM's calls until now, and its mark, if there may be one more.
  ///
  /// - Throws: `EAPFault`: `tooMany`, and `notSupported` where it is switched off; `ModemError`.
  private func countedCardCalls() throws -> (sim: String, calls: CardCalls) {
    let limit = CardCalls.Limit(perDay: configuration.settings.authenticationsPerDay)
    guard limit.perDay > 0 else {
      throw EAPFault.notSupported(
        "the settings of this modem allow no authentication by its SIM (sim.authenticationsPerDay is 0)")
    }
    guard let sim = dependencies.naming.mark(of: state.sim) else {
      throw ModemError(.simNotReady, "SIM authentication: the modem does not identify its SIM")
    }
    let now = dependencies.moment()
    let memory = dependencies.cardCalls
    var calls: CardCalls
    do {
      calls = try memory.calls(of: sim) ?? CardCalls(at: now)
    } catch let damage as CardCallsDamaged {
      logger.warning("\(damage)")
      calls = CardCalls(usedUpAt: now, limit)
      try memory.keep(calls, of: sim)
    }
    let isOfThisBoot = calls.moment.boot == now.boot
    calls.advance(to: now)
    // From here on this boot's own clock counts: the time of day may only once let time pass.
    if !isOfThisBoot { try memory.keep(calls, of: sim) }
    if let refusal = calls.refusal(limit) {
      logger.warning(
        "SIM authentication: the SIM is not asked, because it was asked \(refusal.limit) times within a \(refusal.isOfDay ? "day" : "minute")"
      )
      throw EAPFault.tooMany(limit: refusal.limit, retryAfter: refusal.wait)
    }
    return (sim, calls)
  }
}

extension EAPLogin {
  /// Bytes of an id: nobody guesses it.
  static let idCount = 16
}

extension ModemError {
  static let slotIsSwitched = ModemError(
    .simNotReady, "the modem is being switched to another slot; try again in a few seconds")
}
