import AuthCore
import JSONTree
import MPin
import ModemModel
import Web

/// Proves to the platform that a user knows the PIN of an identity: pass 1, pass 2, and the
/// platform's evaluation.
struct MIRACLProofMachine: FlowMachine {
  typealias Answer = MIRACLProofEnd

  private enum State {
    case ready
    case announcing
    case asking
    case committed(PassOne, UserPIN)
    case answered(UserPIN)
    case asserting(UserPIN)
    case ended
  }

  static var usesBearer: Bool { false }

  private let settings: MIRACLSettings
  private let calls: MIRACLCalls
  private let proof: MIRACLProof
  private let randomness: RandomSource
  private var state = State.ready

  init(_ settings: MIRACLSettings, _ service: MIRACLService?, _ proof: MIRACLProof, randomness: RandomSource) {
    self.settings = settings
    calls = MIRACLCalls(settings, service)
    self.proof = proof
    self.randomness = randomness
  }

  mutating func start(at now: Timestamp) -> FlowAction<Answer> {
    guard let session = proof.session, proof.pin == nil else { return getPIN() }
    state = .announcing
    return .send(calls.status("sessionUser", .user, of: session, user: proof.identity.name.user))
  }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Answer> {
    switch (state, event) {
    case (.announcing, .answered(let reply)):
      return reply.isSuccess ? getPIN() : end(MIRACLProblem(reply).outcome(of: .codeStatus, at: now))
    case (.asking, .code(let text)): return given(text)
    case (.asking, .noCode(let failure)): return end(FlowOutcome(.codeRequired, failure.description))
    case (.committed(let pass, let pin), .answered(let reply)): return challenged(reply, pass, pin, now)
    case (.answered(let pin), .answered(let reply)): return accepted(reply, pin, now)
    case (.asserting(let pin), .answered(let reply)): return asserted(reply, pin, now)
    case (.announcing, .unanswered(let failure)), (.committed, .unanswered(let failure)),
      (.answered, .unanswered(let failure)), (.asserting, .unanswered(let failure)):
      return end(failure.outcome)
    case (.ready, _), (.announcing, _), (.asking, _), (.committed, _), (.answered, _), (.asserting, _), (.ended, _):
      return end(FlowOutcome(.badAnswer, "the login got an event that belongs to no step of it; begin again"))
    }
  }

  // MARK: The PIN

  private mutating func getPIN() -> FlowAction<Answer> {
    if let pin = proof.pin { return commit(pin) }
    state = .asking
    let length = proof.identity.pinLength
    return .askForCode(
      CodeQuestion(
        "askForPIN", .pin(lengths: length...length, isNew: false), within: settings.pinTime, for: proof.purpose))
  }

  /// A PIN of the wrong length is certainly wrong, and does not use an attempt.
  private mutating func given(_ text: Secret) -> FlowAction<Answer> {
    let length = proof.identity.pinLength
    guard let pin = try? UserPIN(text.revealed), pin.length == length else {
      return end(
        FlowOutcome(.badRequest, code: "PIN", "the PIN of this identity has \(length) digits; nothing was sent"))
    }
    return commit(pin)
  }

  // MARK: The passes

  private mutating func commit(_ pin: UserPIN) -> FlowAction<Answer> {
    let identity = proof.identity
    do throws(MPinError) {
      let pass = try PassOne(identity: identity.key, token: identity.token, pin: pin, randomness: randomness)
      state = .committed(pass, pin)
      return .send(
        calls.post(
          "pass1", .pass1,
          [
            "mpin_id": .string(identity.key.mpinIdHex), "dtas": .string(identity.dtas),
            "U": .string(pass.commitment.hex), "publicKey": .string(identity.key.publicKey.hex),
            "scope": .array([.string(proof.scope.rawValue)]),
          ]))
    } catch {
      return end(error.outcome)
    }
  }

  private mutating func challenged(
    _ reply: BackendReply, _ pass: PassOne, _ pin: UserPIN, _ now: Timestamp
  ) -> FlowAction<Answer> {
    guard reply.isSuccess else { return refused(reply, .pass1, now) }
    guard let y = reply.json?["y"]?.string, let challenge = try? ServerChallenge(hex: y) else {
      return end(.lacking("y", reply))
    }
    do throws(MPinError) {
      let answer = try pass.answer(challenge)
      state = .answered(pin)
      return .send(
        calls.post(
          "pass2", .pass2,
          [
            "mpin_id": .string(proof.identity.key.mpinIdHex), "WID": proof.session.map { .string($0.revealed) },
            "V": .string(answer.hex),
          ]))
    } catch {
      return end(error.outcome)
    }
  }

  private mutating func accepted(_ reply: BackendReply, _ pin: UserPIN, _ now: Timestamp) -> FlowAction<Answer> {
    guard reply.isSuccess else { return refused(reply, .pass2, now) }
    guard let ticket = reply.json?["authOTT"]?.string else { return end(.lacking("authOTT", reply)) }
    state = .asserting(pin)
    return .send(calls.post("authenticate", .authenticate, ["authOTT": .string(ticket), "wam": .string("dvs")]))
  }

  // MARK: The verdict

  private mutating func asserted(_ reply: BackendReply, _ pin: UserPIN, _ now: Timestamp) -> FlowAction<Answer> {
    guard reply.isSuccess else { return refused(reply, .authenticate, now) }
    guard let answer = reply.json, case .object = answer else { return end(.lacking("verdict", reply)) }
    // The body also holds the status. If it is not a success, HTTP's status does not matter.
    guard answer["status"].map({ (200...299).contains($0.integer ?? 0) }) ?? true else {
      return end(.lacking("status", reply))
    }
    let token = answer["jwt"]?.string.map { Secret($0) }
    guard token != nil || ![.token, .quickCode].contains(proof.scope) else { return end(.lacking("jwt", reply)) }
    state = .ended
    return .finish(
      FlowOutcome(.signedIn, status: reply.status, "the PIN is right, and the user is logged in"),
      .proven(MIRACLProven(pin: pin, token: token, renewal: Self.renewal(answer["dvsRegister"]))))
  }

  /// Nothing can be renewed on another curve: the secret stays.
  private static func renewal(_ offer: JSONValue?) -> Secret? {
    guard offer?["curve"]?.string ?? MIRACLIdentity.curve == MIRACLIdentity.curve else { return nil }
    return offer?["token"]?.string.map { Secret($0) }
  }

  private mutating func refused(
    _ reply: BackendReply, _ place: MIRACLService.Place, _ now: Timestamp
  ) -> FlowAction<Answer> {
    let problem = MIRACLProblem(reply)
    state = .ended
    return .finish(problem.outcome(of: place, at: now), problem.identityState(at: place).map { .dead($0) })
  }

  private mutating func end(_ outcome: FlowOutcome) -> FlowAction<Answer> {
    state = .ended
    return .finish(outcome, nil)
  }
}
