import AuthCore
import JSONTree
import ModemModel
import Web

/// Signs a user in by phone number over Firebase's REST API: requests a message, gets its code, and
/// exchanges both for tokens.
///
/// It begins after the gate: the caller has made sure that the number's SIM was not changed.
package struct FirebaseSignInMachine: FlowMachine {
  package typealias Answer = SignedInUser

  /// A requested message.
  private struct Session: Sendable {
    let info: Secret
    let requested: Timestamp
    var refused: Set<Secret> = []
    /// Codes that may still be tried.
    var attempts: Int
  }

  private enum State {
    case ready
    case sending(since: Timestamp)
    case reading(Session)
    case asking(Session)
    case signingIn(Session, code: Secret)
    case proving
    case ended
  }

  /// How long ago the message of a sign-in that is taken up again may have come.
  static let resumptionTime = Duration.seconds(600)

  // Normally, nothing goes over the bearer. A call that does brings the bearer up by itself.
  package static var usesBearer: Bool { false }

  private let settings: FirebaseSettings
  private let request: SignInRequest
  private let calls: FirebaseCalls
  private var state = State.ready

  package init(_ settings: FirebaseSettings, _ request: SignInRequest) {
    self.settings = settings
    self.request = request
    calls = FirebaseCalls(settings: settings)
  }

  package mutating func start(at now: Timestamp) -> FlowAction<Answer> {
    guard settings.apiKey != nil || settings.hosts.isEmulator else {
      return end(.notConfigured, "the provider has no API key; put it into its credential")
    }
    if let proof = request.temporaryProof {
      state = .proving
      return .send(
        calls.signIn(
          ["phoneNumber": .string(request.number.revealed), "temporaryProof": .string(proof.revealed)],
          request.account))
    }
    guard knownCode != nil || request.codeSource == .messages || request.canAsk else {
      return end(.codeRequired, "the code comes from the caller, who cannot be asked; make the call with more")
    }
    if let id = request.verificationID {
      // Its message may have come a while ago, and a test number's code is known.
      let session = Session(
        info: id, requested: now.later(by: .zero - Self.resumptionTime), attempts: settings.code.attempts)
      if let knownCode { return tryCode(knownCode, session, now) }
      return getCode(session, now)
    }
    state = .sending(since: now)
    return .send(calls.sendCode(to: request.number, request.verification))
  }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Answer> {
    switch (state, event) {
    case (.sending(let since), .answered(let reply)): return codeSent(reply, since, now)
    case (.signingIn(let session, let code), .answered(let reply)): return codeTried(reply, code, session, now)
    case (.proving, .answered(let reply)):
      return reply.isSuccess ? signedIn(reply) : end(FirebaseError(reply).outcome)
    case (.sending, .unanswered(let failure)), (.signingIn, .unanswered(let failure)),
      (.proving, .unanswered(let failure)):
      return end(failure.outcome)
    case (.reading(let session), .code(let code)), (.asking(let session), .code(let code)):
      return tryCode(code, session, now)
    case (.reading(let session), .noCode(let failure)): return noMessage(failure, session)
    case (.asking(let session), .noCode(let failure)): return unfinished(.codeRequired, failure.description, session)
    case (.ready, _), (.sending, _), (.reading, _), (.asking, _), (.signingIn, _), (.proving, _), (.ended, _):
      return end(.badAnswer, "the sign-in got an event that belongs to no step of it; begin again")
    }
  }

  // MARK: The message

  /// The code of a test number, for which no message is needed.
  private var knownCode: Secret? { settings.testNumbers[request.number] }

  private mutating func codeSent(
    _ reply: BackendReply, _ since: Timestamp, _ now: Timestamp
  ) -> FlowAction<Answer> {
    guard reply.isSuccess else { return end(FirebaseError(reply).outcome) }
    guard let info = reply.json?["sessionInfo"]?.string else {
      return end(.badAnswer, status: reply.status, "Firebase sent a message and no session for its code; begin again")
    }
    let session = Session(info: Secret(info), requested: since, attempts: settings.code.attempts)
    if let knownCode { return tryCode(knownCode, session, now) }
    return getCode(session, now, isSent: true)
  }

  /// - Parameter isSent: whether the message was sent just now.
  private mutating func getCode(
    _ session: Session, _ now: Timestamp, isSent: Bool = false
  ) -> FlowAction<Answer> {
    guard request.codeSource == .messages else { return ask(session) }
    state = .reading(session)
    var wait = CodeWait(
      step: session.refused.isEmpty ? "readCode" : "readCodeAgain", sender: settings.code.sender,
      pattern: settings.code.pattern, time: settings.code.time,
      // From the request on, because the message may arrive before the answer. An older message
      // belongs to another sign-in.
      lookBack: session.requested.time(to: now), refused: session.refused)
    wait.resumption = isSent ? session.info : nil
    return .readCode(wait)
  }

  private mutating func ask(_ session: Session) -> FlowAction<Answer> {
    state = .asking(session)
    return .askForCode(
      CodeQuestion(
        session.refused.isEmpty ? "askForCode" : "askForCodeAgain", within: settings.code.time,
        left: session.refused.isEmpty ? nil : session.attempts, resumption: session.info))
  }

  private mutating func noMessage(_ failure: CodeFailure, _ session: Session) -> FlowAction<Answer> {
    guard session.refused.isEmpty else {
      // A message came with a wrong code, so the wrong code is the error to report.
      return unfinished(
        .codeWrong, code: "INVALID_CODE",
        "the code in the message was not the right one, and no other came; look at sender and pattern in the settings",
        session)
    }
    guard failure.kind == .unavailable, request.canAsk else {
      return unfinished(.codeRequired, failure.description, session)
    }
    return ask(session)
  }

  // MARK: The code

  private mutating func tryCode(_ code: Secret, _ session: Session, _ now: Timestamp) -> FlowAction<Answer> {
    guard !session.refused.contains(code) else { return refuse(code, session, now) }
    state = .signingIn(session, code: code)
    return .send(
      calls.signIn(
        ["sessionInfo": .string(session.info.revealed), "code": .string(code.revealed)], request.account))
  }

  private mutating func codeTried(
    _ reply: BackendReply, _ code: Secret, _ session: Session, _ now: Timestamp
  ) -> FlowAction<Answer> {
    if reply.isSuccess { return signedIn(reply) }
    let error = FirebaseError(reply)
    guard error.isWrongCode, knownCode == nil else { return end(error.outcome) }
    return refuse(code, session, now)
  }

  private mutating func refuse(_ code: Secret, _ session: Session, _ now: Timestamp) -> FlowAction<Answer> {
    var session = session
    session.refused.insert(code)
    session.attempts -= 1
    guard session.attempts > 0 else {
      return unfinished(
        .codeWrong, code: "INVALID_CODE", "no code was the right one, and no more are tried; begin again", session)
    }
    return getCode(session, now)
  }

  // MARK: The end

  private mutating func signedIn(_ reply: BackendReply) -> FlowAction<Answer> {
    guard let answer = reply.json else {
      return end(.badAnswer, status: reply.status, "Firebase's answer is no JSON; begin again")
    }
    let user = SignedInUser(signIn: answer)
    if user.temporaryProof != nil, user.idToken == nil {
      return end(
        FlowOutcome(
          .userRefused, status: reply.status,
          "the number belongs to another account; sign in to that one, with the proof that comes with this answer"),
        user)
    }
    guard user.idToken != nil else {
      return end(.badAnswer, status: reply.status, "Firebase's answer has no ID token; begin again")
    }
    let claimed = [user.number, user.idToken.flatMap { IDToken($0)?.number }].compactMap { $0 }
    guard claimed.allSatisfy({ $0 == request.number }) else {
      return end(
        .stateMismatch, status: reply.status,
        "Firebase signed in another number than was asked for; tell nobody its tokens")
    }
    return end(
      FlowOutcome(.signedIn, number: claimed.isEmpty ? nil : .matches, status: reply.status, "the user is signed in"),
      user)
  }

  /// The message was sent, and its code may still be given.
  private mutating func unfinished(
    _ result: FlowResult, code: String? = nil, _ text: String, _ session: Session
  ) -> FlowAction<Answer> {
    end(FlowOutcome(result, code: code, text), SignedInUser(unfinished: session.info))
  }

  private mutating func end(
    _ result: FlowResult, code: String? = nil, status: Int? = nil, _ text: String
  ) -> FlowAction<Answer> {
    end(FlowOutcome(result, code: code, status: status, text))
  }

  private mutating func end(_ outcome: FlowOutcome, _ answer: Answer? = nil) -> FlowAction<Answer> {
    state = .ended
    return .finish(outcome, answer)
  }
}
