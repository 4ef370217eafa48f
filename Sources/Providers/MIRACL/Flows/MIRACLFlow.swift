import AuthCore
import MPin
import ModemModel
import AuthFlows

/// The users' actions at a MIRACL Trust project: registering, logging in at its websites, and
/// signing. It runs the machines and stores identities.
package struct MIRACLFlow: Sendable {
  let settings: MIRACLSettings
  let store: any MIRACLIdentityStore
  let randomness: RandomSource
  let pending: MIRACLPendingRegistrations

  /// - Parameters:
  ///   - randomness: the source of secret numbers for registrations and logins.
  ///   - pending: what earlier calls for registrations left; nil for none.
  package init(
    _ settings: MIRACLSettings, _ store: any MIRACLIdentityStore, randomness: RandomSource = .system,
    pending: MIRACLPendingRegistrations? = nil
  ) {
    self.pending = pending ?? MIRACLPendingRegistrations()
    self.settings = settings
    self.store = store
    self.randomness = randomness
  }

  /// Reads a website's link.
  ///
  /// - Throws: `AuthError` `invalidArgument`.
  package func link(_ text: String) throws(AuthError) -> MIRACLLink { try MIRACLLink(text, settings) }

  // MARK: Sessions

  /// Asks what a website's session is about.
  package func session(_ link: MIRACLLink, _ run: FlowRun) async throws -> FlowEnd<MIRACLSession> {
    try await run(MIRACLSessionMachine(settings, link))
  }

  /// Tells a website's session that nobody will log in.
  package func abort(_ link: MIRACLLink, _ run: FlowRun) async throws -> FlowEnd<Bool> {
    let end = try await run(MIRACLSessionMachine(settings, link))
    guard let session = end.answer else { return FlowEnd(end.outcome) }
    let failure = try await tell(session, .abort, "sessionAbort", run)
    return FlowEnd(failure ?? FlowOutcome(.authorized, "the session is over, and the website knows"), failure == nil)
  }

  /// Sends something to a session; nil if the session accepted it.
  func tell(
    _ session: MIRACLSession, _ status: MIRACLCalls.SessionStatus, _ step: String, signature: String? = nil,
    _ run: FlowRun
  ) async throws -> FlowOutcome? {
    let call = MIRACLCalls(settings, session.service).status(step, status, of: session.id, signature: signature)
    let end = try await run(
      SingleCallMachine<Bool>(call, .codeStatus) { reply in
        (FlowOutcome(.authorized, status: reply.status, "the session was told"), true)
      })
    return end.answer == true ? nil : end.outcome
  }

  // MARK: Identities

  /// The name of a user's identity on a platform.
  func name(of user: MIRACLUser, on service: MIRACLService?) -> MIRACLIdentity.Name {
    MIRACLIdentity.Name(
      service: (service ?? MIRACLService(settings.api)).name, project: settings.project, user: user)
  }

  /// The identity that is meant.
  ///
  /// - Parameters:
  ///   - user: nil for the only identity.
  ///   - service: the platform; nil for the configured one.
  /// - Returns: the identity, or why none can be used.
  /// - Throws: `AuthError` `invalidArgument` if several match, `storeFailed`.
  func identity(
    of user: MIRACLUser?, on service: MIRACLService?
  ) async throws(AuthError) -> Result<MIRACLIdentity, MIRACLNoIdentity> {
    let found: MIRACLIdentity?
    if let user {
      found = try await store.find(name(of: user, on: service))
    } else {
      found = try await only(on: service)
    }
    guard let found else {
      return .failure(
        MIRACLNoIdentity(
          outcome: FlowOutcome(
            .notConfigured, code: "identity",
            "this user is not registered on this machine; register with `modemctl miracl register`")))
    }
    switch found.state {
    case .active: return .success(found)
    case .revoked:
      return .failure(
        MIRACLNoIdentity(
          outcome: FlowOutcome(
            .identityRevoked, "the service revoked this identity; register the user again")))
    case .expired:
      return .failure(
        MIRACLNoIdentity(
          outcome: FlowOutcome(.expired, "this identity is too old for the service; register the user again")))
    }
  }

  private func only(on service: MIRACLService?) async throws(AuthError) -> MIRACLIdentity? {
    let platform = (service ?? MIRACLService(settings.api)).name
    let all = try await store.list().whole.filter {
      $0.name.service == platform && $0.name.project == settings.project
    }
    // A usable identity takes precedence over the others.
    let usable = all.filter { $0.state == .active }
    guard usable.count < 2, !(usable.isEmpty && all.count > 1) else {
      throw .invalid("user", "one of the \(all.count) that are registered; `modemctl miracl identities` lists them")
    }
    return usable.first ?? all.first
  }
}

/// Why no identity can be used.
struct MIRACLNoIdentity: Error {
  let outcome: FlowOutcome
}
