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

  package init(
    _ user: MIRACLUser, _ verification: MIRACLVerification = .mail, link: MIRACLLink? = nil, canAsk: Bool = false
  ) {
    self.user = user
    self.verification = verification
    self.link = link
    self.canAsk = canAsk
  }
}

extension MIRACLFlow {
  /// Verifies a user, makes an identity and keeps it in place of an earlier one.
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
    let verified = try await run(
      MIRACLVerificationMachine(
        settings, session?.service, registration.verification,
        of: .init(user: registration.user, session: session?.id, known: known, canAsk: registration.canAsk)),
      within: settings.mailTime * 3 + .seconds(120))
    guard let activation = verified.answer else { return FlowEnd(verified.outcome) }
    let lengths = session?.pinLength.map { $0...$0 } ?? MIRACLIdentity.pinLengths
    let enrolled = try await run(
      MIRACLEnrolmentMachine(
        settings, session?.service,
        MIRACLEnrolment(name: name, right: .activation(activation), pin: .asked(lengths)), randomness: randomness),
      within: settings.pinTime + .seconds(180))
    guard let identity = enrolled.answer else { return FlowEnd(enrolled.outcome) }
    try await store.keep(identity, over: nil)
    return enrolled
  }
}
