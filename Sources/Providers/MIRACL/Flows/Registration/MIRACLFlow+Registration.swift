import AuthCore
import AuthFlows

/// The user to register, and the kind of verification.
package struct MIRACLRegistration: Hashable, Sendable {
  package var user: MIRACLUser
  package var verification: MIRACLVerification
  /// The link of the website that the user came from; it may give the length of the PIN.
  package var link: MIRACLLink?
  /// Whether the caller can be asked for a mail's link or code. The PIN is always asked from the
  /// caller.
  package var canAsk: Bool
  /// Whether to begin with another mail, even if an earlier call got further.
  package var beginsAnew: Bool

  package init(
    _ user: MIRACLUser, _ verification: MIRACLVerification = .mail, link: MIRACLLink? = nil, canAsk: Bool = false,
    beginsAnew: Bool = false
  ) {
    self.beginsAnew = beginsAnew
    self.user = user
    self.verification = verification
    self.link = link
    self.canAsk = canAsk
  }
}

extension MIRACLFlow {
  /// Verifies a user, makes an identity and keeps it in place of an earlier one. It goes on where
  /// the same caller's last call for this user stopped.
  ///
  /// - Throws: `AuthError` before anything is sent, and where the identity cannot be kept; and what
  ///   `FlowRun` throws.
  package func register(_ registration: MIRACLRegistration, _ run: FlowRun) async throws -> FlowEnd<MIRACLIdentity> {
    guard registration.canAsk else {
      return FlowEnd(.nobodyToAsk)
    }
    try await store.prepare()
    var session: MIRACLSession?
    if let link = registration.link {
      let end = try await run(MIRACLSessionMachine(settings, link))
      guard let found = end.answer else { return FlowEnd(end.outcome) }
      session = found
    }
    let name = name(of: registration.user, on: session?.service)
    // A damaged file is not touched, and nothing is begun whose result could not be stored.
    let known = try await store.find(name)
    let key = MIRACLPendingRegistrations.Key(owner: run.owner, name: name)
    if registration.beginsAnew { pending.forget(key) }
    let subject = MIRACLVerificationMachine.Subject(
      user: registration.user, session: session?.id, known: known, canAsk: registration.canAsk)
    let candidate: MIRACLCandidate
    switch try await self.candidate(for: registration, subject, session, key, run) {
    case .success(let found): candidate = found
    case .failure(let stopped):
      // An answer that did not come in time may still be given; everything else is over.
      if stopped.outcome.result != .codeRequired { pending.forget(key) }
      return FlowEnd(stopped.outcome)
    }
    let lengths = session?.pinLength.map { $0...$0 } ?? MIRACLIdentity.pinLengths
    let enrolled = try await run(
      MIRACLEnrolmentMachine(
        settings, session?.service, MIRACLEnrolment(name: name, right: .renewal(Secret("")), pin: .asked(lengths)),
        from: candidate, randomness: randomness),
      within: settings.pinTime + .seconds(180))
    guard let identity = enrolled.answer?.identity else { return FlowEnd(enrolled.outcome) }
    try await store.keep(identity, over: nil)
    pending.forget(key)
    return FlowEnd(enrolled.outcome, identity, at: enrolled.place)
  }

  /// Why a registration did not get as far as the PIN.
  private struct Stopped: Error {
    let outcome: FlowOutcome
  }

  /// An identity that lacks only its PIN: an earlier call's, or a new one.
  private func candidate(
    for registration: MIRACLRegistration, _ subject: MIRACLVerificationMachine.Subject, _ session: MIRACLSession?,
    _ key: MIRACLPendingRegistrations.Key, _ run: FlowRun
  ) async throws -> Result<MIRACLCandidate, Stopped> {
    if case .registered(let candidate)? = pending.progress(of: key) { return .success(candidate) }
    let activation: MIRACLActivation
    switch try await self.activation(for: registration, subject, session, key, run) {
    case .success(let found): activation = found
    case .failure(let stopped): return .failure(stopped)
    }
    let enrolled = try await run(
      MIRACLEnrolmentMachine(
        settings, session?.service, MIRACLEnrolment(name: key.name, right: .activation(activation), pin: .later),
        randomness: randomness))
    guard let candidate = enrolled.answer?.candidate else { return .failure(Stopped(outcome: enrolled.outcome)) }
    pending.keep(.registered(candidate), of: key)
    return .success(candidate)
  }

  /// The proof of the verified user: an earlier call's, or a new one.
  private func activation(
    for registration: MIRACLRegistration, _ subject: MIRACLVerificationMachine.Subject, _ session: MIRACLSession?,
    _ key: MIRACLPendingRegistrations.Key, _ run: FlowRun
  ) async throws -> Result<MIRACLActivation, Stopped> {
    var subject = subject
    if case .verified(let activation)? = pending.progress(of: key) { return .success(activation) }
    if registration.verification == .mail, subject.canAsk {
      switch try await mailed(subject, session, key, run) {
      case .success(let mail): subject.mailed = mail
      case .failure(let stopped): return .failure(stopped)
      }
    }
    let verified = try await run(
      MIRACLVerificationMachine(settings, session?.service, registration.verification, of: subject),
      within: settings.mailTime * 3 + .seconds(120))
    guard let activation = verified.answer else { return .failure(Stopped(outcome: verified.outcome)) }
    pending.keep(.verified(activation), of: key)
    return .success(activation)
  }

  /// What the mail holds: an earlier call's, or a new one.
  private func mailed(
    _ subject: MIRACLVerificationMachine.Subject, _ session: MIRACLSession?,
    _ key: MIRACLPendingRegistrations.Key, _ run: FlowRun
  ) async throws -> Result<CodeQuestion.Mail, Stopped> {
    if case .mailed(let mail)? = pending.progress(of: key) { return .success(mail) }
    let call = MIRACLCalls(settings, session?.service).mail(
      to: subject.user, for: subject.session, known: subject.known)
    let sent = try await run(
      SingleCallMachine<CodeQuestion.Mail>(call, .mail) { reply in
        guard let mail = MIRACLVerificationMachine.mail(reply) else { return (.lacking("method", reply), nil) }
        return (FlowOutcome(.authorized, status: reply.status, "the mail was sent"), mail)
      })
    guard let mail = sent.answer else { return .failure(Stopped(outcome: sent.outcome)) }
    pending.keep(.mailed(mail), of: key)
    return .success(mail)
  }
}
