import AuthCore
import JSONTree
import MPin
import AuthFlows

extension MIRACLFlow {
  /// What a signing produced along the way, however it ended.
  package struct Signed: Sendable {
    /// Set also where a session did not take it.
    package var signature: MIRACLSignature?
    package var user: MIRACLUser?
    /// The website's description of the signed content.
    package var description: String?
  }

  /// What to sign, and where the signature goes.
  private struct Work {
    var hash: MIRACLHash
    var user: MIRACLUser?
    var description: String?
    var session: MIRACLSession?
  }

  /// Signs a document's hash, or the hash that a session needs signed, which then gets the
  /// signature.
  ///
  /// - Parameters:
  ///   - user: nil for the user that the session expects, else for the only registered one.
  ///   - canAsk: whether the caller can be asked for the PIN.
  /// - Throws: `AuthError` before anything is sent, and any error of `FlowRun`.
  package func sign(
    _ task: MIRACLSigningTask, by user: MIRACLUser? = nil, canAsk: Bool, _ run: FlowRun
  ) async throws -> FlowEnd<Signed> {
    guard canAsk else { return FlowEnd(.nobodyToAsk) }
    let work: Work
    switch try await find(task, run) {
    case .success(let found): work = found
    case .failure(let none): return FlowEnd(none.outcome)
    }
    let identity: MIRACLIdentity
    switch try await self.identity(of: user ?? work.user, on: work.session?.service) {
    case .success(let found): identity = found
    case .failure(let none): return FlowEnd(none.outcome, Signed(description: work.description))
    }
    let end = try await prove(
      MIRACLProof(identity: identity, scope: .signature, purpose: work.description), work.session?.service, run)
    guard let proven = end.proven else {
      return FlowEnd(end.outcome, Signed(user: identity.name.user, description: work.description))
    }
    let signature: MIRACLSignature
    do throws(MPinError) {
      // A renewed identity signs with its new key.
      signature = try MIRACLSignature(
        of: work.hash, by: end.identity, pin: proven.pin, at: run.now, randomness: randomness)
    } catch {
      return FlowEnd(error.outcome)
    }
    let failure = try await deliver(signature, task, work.session, run)
    return FlowEnd(
      failure ?? FlowOutcome(.signed, "the document's hash is signed"),
      Signed(signature: signature, user: identity.name.user, description: work.description))
  }

  /// Tells an older signing session that nobody will sign.
  package func abortSigning(_ session: Secret, _ run: FlowRun) async throws -> FlowEnd<Bool> {
    try await run(
      SingleCallMachine<Bool>(MIRACLCalls(settings).signingAbort(session), .signingSession) { reply in
        (FlowOutcome(.authorized, status: reply.status, "the signing session is over"), true)
      })
  }

  /// Requests the verification of a signature, as an application's backend does.
  ///
  /// - Parameters:
  ///   - signature: in the form of `MIRACLSignature.document`.
  ///   - timestamp: seconds since 1970.
  /// - Returns: the platform's certificate, a signed token (RS256, with the keys at
  ///   `/.well-known/jwks`), if the signature is valid.
  package func verify(
    _ signature: JSONValue, timestamp: Int, _ run: FlowRun
  ) async throws -> FlowEnd<Secret> {
    guard let client = settings.client else {
      return FlowEnd(
        FlowOutcome(.notConfigured, "the provider has no client of its own; give clientID and its credential"))
    }
    let call = MIRACLCalls(settings).check(signature, timestamp: timestamp, by: client)
    var end = try await run(
      SingleCallMachine<Secret>(call, .signatureCheck) { reply in
        guard let certificate = reply.json?["certificate"]?.string else { return (.lacking("certificate", reply), nil) }
        return (FlowOutcome(.verified, status: reply.status, "the signature is right"), Secret(certificate))
      })
    if end.outcome.result == .badRequest {
      end.outcome.result = .tokenRefused
      end.outcome.text = "the service does not take the signature: it is wrong, or of another time or document"
    }
    return end
  }

  // MARK: Sessions

  private func find(_ task: MIRACLSigningTask, _ run: FlowRun) async throws -> Result<Work, MIRACLNoIdentity> {
    switch task {
    case .hash(let hash): return .success(Work(hash: hash))
    case .link(let link):
      let end = try await run(MIRACLSessionMachine(settings, link))
      guard let session = end.answer else { return .failure(MIRACLNoIdentity(outcome: end.outcome)) }
      guard let document = session.document else {
        return .failure(
          MIRACLNoIdentity(
            outcome: FlowOutcome(.badRequest, "the website wants nothing signed; use `modemctl miracl login`")))
      }
      return .success(
        Work(
          hash: document.hash, user: link.user ?? session.user, description: document.description, session: session))
    case .session(let id):
      let end = try await run(signingDetails(id))
      guard let session = end.answer else { return .failure(MIRACLNoIdentity(outcome: end.outcome)) }
      return .success(Work(hash: session.hash, user: session.user, description: session.description))
    }
  }

  private func signingDetails(_ id: Secret) -> SingleCallMachine<MIRACLSigningSession> {
    let project = settings.project
    return SingleCallMachine(MIRACLCalls(settings).signingDetails(id), .signingDetails) { reply in
      guard let answer = reply.json, let hash = answer["hash"]?.string.flatMap({ MIRACLHash($0) }) else {
        return (.lacking("hash", reply), nil)
      }
      guard (answer["projectId"] ?? answer["projectID"])?.string ?? project == project else {
        return (.otherProject(reply), nil)
      }
      if let refusal = FlowOutcome.unreadable(answer["description"]?.string, reply) { return (refusal, nil) }
      let user = (answer["userId"] ?? answer["userID"])?.string.map { MIRACLUser($0) }
      return (
        FlowOutcome(.covered, status: reply.status, "the session waits for a signature"),
        MIRACLSigningSession(hash: hash, user: user, description: answer["description"]?.string)
      )
    }
  }

  /// Sends the signature to its requester; nil on success.
  private func deliver(
    _ signature: MIRACLSignature, _ task: MIRACLSigningTask, _ session: MIRACLSession?, _ run: FlowRun
  ) async throws -> FlowOutcome? {
    switch task {
    case .hash: return nil
    case .link:
      guard let session else { return nil }
      return try await tell(session, .signed, "sessionSigned", signature: signature.encoded, run)
    case .session(let id):
      let end = try await run(
        SingleCallMachine<Bool>(MIRACLCalls(settings).signingEnd(id, signature), .signingSession) { reply in
          (FlowOutcome(.signed, status: reply.status, "the session has the signature"), true)
        })
      return end.answer == true ? nil : end.outcome
    }
  }
}
