import AuthCore
import MPin
import AuthFlows

/// Who logs in, and where.
package struct MIRACLLogin: Hashable, Sendable {
  /// Nil for the user that the website expects, else for the only registered one.
  package var user: MIRACLUser?
  /// A website's link; nil for a token for an application's own backend.
  package var link: MIRACLLink?
  /// Whether the caller can be asked for the PIN.
  package var canAsk: Bool

  package init(user: MIRACLUser? = nil, link: MIRACLLink? = nil, canAsk: Bool = false) {
    self.user = user
    self.link = link
    self.canAsk = canAsk
  }
}

/// A code that registers another device of a user.
package struct MIRACLQuickCode: Hashable, Sendable {
  package let code: Secret
  /// Seconds since 1970; nil if the platform does not give it.
  package let expires: Int?
  /// Seconds for which it is valid; nil if the platform does not give them.
  package let life: Int?
}

extension MIRACLFlow {
  /// What a login produced along the way, however it ended.
  package struct LoggedIn: Sendable {
    /// What the website said of its session.
    package var session: MIRACLSession?
    package var user: MIRACLUser?
    /// For an application's own backend, if no website was named.
    package var token: Secret?
    /// Whether the identity's secret was renewed in the process.
    package var isRenewed = false
  }

  /// Logs in at a website, or gets a token for an application's own backend.
  ///
  /// - Throws: `AuthError` before anything is sent, and where the identity cannot be kept; and what
  ///   `FlowRun` throws.
  package func logIn(_ login: MIRACLLogin, _ run: FlowRun) async throws -> FlowEnd<LoggedIn> {
    guard login.canAsk else { return FlowEnd(.nobodyToAsk) }
    var session: MIRACLSession?
    if let link = login.link {
      let end = try await run(MIRACLSessionMachine(settings, link))
      guard let found = end.answer else { return FlowEnd(end.outcome) }
      guard found.document == nil else {
        return FlowEnd(
          FlowOutcome(.badRequest, "the website wants something signed; use `modemctl miracl sign`"),
          LoggedIn(session: found))
      }
      session = found
    }
    let user = login.user ?? login.link?.user ?? session?.user
    let identity: MIRACLIdentity
    switch try await self.identity(of: user, on: session?.service) {
    case .success(let found): identity = found
    case .failure(let none): return FlowEnd(none.outcome, LoggedIn(session: session, user: user))
    }
    let proof = MIRACLProof(
      identity: identity, scope: session == nil ? .token : .website, session: session?.id,
      purpose: session?.projectName)
    let end = try await prove(proof, session?.service, run)
    return FlowEnd(
      end.outcome,
      LoggedIn(
        session: session, user: identity.name.user, token: session == nil ? end.proven?.token : nil,
        isRenewed: end.identity.key != identity.key))
  }

  /// Gets a code that registers another device of a user.
  package func quickCode(
    of user: MIRACLUser?, canAsk: Bool, _ run: FlowRun
  ) async throws -> FlowEnd<MIRACLQuickCode> {
    guard canAsk else { return FlowEnd(.nobodyToAsk) }
    switch try await identity(of: user, on: nil) {
    case .failure(let none): return FlowEnd(none.outcome)
    case .success(let identity):
      let end = try await prove(MIRACLProof(identity: identity, scope: .quickCode), nil, run)
      guard let token = end.proven?.token else { return FlowEnd(end.outcome) }
      return try await run(
        SingleCallMachine<MIRACLQuickCode>(MIRACLCalls(settings).quickCode(token), .quickCode) { reply in
          guard let code = reply.json?["code"]?.string else { return (.lacking("code", reply), nil) }
          return (
            FlowOutcome(.authorized, status: reply.status, "the code registers one other device"),
            MIRACLQuickCode(
              code: Secret(code), expires: reply.json?["expireTime"]?.integer,
              life: reply.json?["ttlSeconds"]?.integer)
          )
        })
    }
  }

  /// The end of a proof, and its identity: a renewed one has another key.
  struct Proven: Sendable {
    let outcome: FlowOutcome
    let proven: MIRACLProven?
    let identity: MIRACLIdentity
  }

  /// Proves an identity, records if the service no longer accepts it, and renews its secret if the
  /// service asks for that.
  func prove(_ proof: MIRACLProof, _ service: MIRACLService?, _ run: FlowRun) async throws -> Proven {
    let first = try await run(
      MIRACLProofMachine(settings, service, proof, randomness: randomness), within: settings.pinTime + .seconds(180))
    switch first.answer {
    case .dead(let state)?:
      var dead = proof.identity
      dead.state = state
      // If that fails, the service gives the same answer next time.
      _ = try? await store.keep(dead, over: proof.identity)
      return Proven(outcome: first.outcome, proven: nil, identity: dead)
    case nil: return Proven(outcome: first.outcome, proven: nil, identity: proof.identity)
    case .proven(let proven)?:
      let plain = Proven(outcome: first.outcome, proven: proven, identity: proof.identity)
      guard let token = proven.renewal else { return plain }
      return try await renewed(proof, proven.pin, token, service, run) ?? plain
    }
  }

  /// Makes a new key pair and secret with the same PIN, and logs in again with them. The old
  /// identity stays until that succeeds.
  ///
  /// - Returns: nil if it failed: the first login then counts, and the next login tries again.
  private func renewed(
    _ proof: MIRACLProof, _ pin: UserPIN, _ token: Secret, _ service: MIRACLService?, _ run: FlowRun
  ) async throws -> Proven? {
    let enrolment = MIRACLEnrolment(name: proof.identity.name, right: .renewal(token), pin: .given(pin))
    do {
      let enrolled = try await run(MIRACLEnrolmentMachine(settings, service, enrolment, randomness: randomness))
      guard let identity = enrolled.answer?.identity else { return nil }
      var again = proof
      again.identity = identity
      again.pin = pin
      let second = try await run(MIRACLProofMachine(settings, service, again, randomness: randomness))
      guard case .proven(let proven)? = second.answer, try await store.keep(identity, over: proof.identity) else {
        return nil
      }
      return Proven(outcome: second.outcome, proven: proven, identity: identity)
    } catch let error as CancellationError {
      throw error
    } catch {
      // The user is logged in, even if the new secret failed.
      return nil
    }
  }
}

extension FlowOutcome {
  static var nobodyToAsk: FlowOutcome {
    FlowOutcome(.codeRequired, "the PIN comes from the caller, who cannot be asked; make the call with more")
  }
}
