import AuthCore
import JSONTree
import ModemModel
import Web

/// Verifies a user, and gets the activation that the platform accepts for a registration.
struct MIRACLVerificationMachine: FlowMachine {
  typealias Answer = MIRACLActivation

  /// What is verified.
  struct Subject: Sendable {
    var user: MIRACLUser
    /// The session of the website that the user came from.
    var session: Secret?
    /// The user's existing identity on this machine.
    var known: MIRACLIdentity?
    /// Whether the caller can be asked for the content of a mail.
    var canAsk: Bool
    /// What the mail holds that was sent before; nil if none was.
    var mailed: CodeQuestion.Mail?
  }

  private enum State {
    case ready
    case requesting
    case asking(CodeQuestion.Mail)
    /// Nil if the link was not asked for, so no other one can be.
    case confirming(Secret, CodeQuestion.Mail?)
    case ended
  }

  /// How many links or codes may be tried.
  private static let attempts = 3
  /// How long a backend verification's link is valid, in seconds; it is used at once.
  private static let linkLife = 3600

  static var usesBearer: Bool { false }

  private let settings: MIRACLSettings
  private let calls: MIRACLCalls
  private let way: MIRACLVerification
  private let subject: Subject
  private var refused: Set<Secret> = []
  private var left = attempts
  private var state = State.ready

  init(_ settings: MIRACLSettings, _ service: MIRACLService?, _ way: MIRACLVerification, of subject: Subject) {
    self.settings = settings
    calls = MIRACLCalls(settings, service)
    self.way = way
    self.subject = subject
  }

  mutating func start(at now: Timestamp) -> FlowAction<Answer> {
    switch way {
    case .activation(let token): return finish(token, isTyped: true, status: nil)
    case .link(let text): return confirm(text, mail: nil)
    case .mail:
      guard subject.canAsk else {
        return end(.codeRequired, "the mail's link or code comes from the caller, who cannot be asked; call with more")
      }
      if let mailed = subject.mailed { return ask(mailed) }
      state = .requesting
      return .send(calls.mail(to: subject.user, for: subject.session, known: subject.known))
    case .backend:
      guard let client = settings.client else {
        return end(
          .notConfigured, "the provider has no client of its own; give clientID and its credential, or verify by mail")
      }
      state = .requesting
      let expiry = Int(now.milliseconds / 1000) + Self.linkLife
      return .send(calls.verification(of: subject.user, by: client, until: expiry))
    }
  }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Answer> {
    switch (state, event) {
    case (.requesting, .answered(let reply)): return requested(reply, now)
    case (.asking(let mail), .code(let text)): return confirm(text, mail: mail)
    case (.asking, .noCode(let failure)): return end(.codeRequired, failure.description)
    case (.confirming(let code, let mail), .answered(let reply)): return confirmed(reply, code, mail, now)
    case (.requesting, .unanswered(let failure)), (.confirming, .unanswered(let failure)): return end(failure.outcome)
    case (.ready, _), (.requesting, _), (.asking, _), (.confirming, _), (.ended, _):
      return end(.badAnswer, "the verification got an event that belongs to no step of it; begin again")
    }
  }

  // MARK: The request

  private mutating func requested(_ reply: BackendReply, _ now: Timestamp) -> FlowAction<Answer> {
    let place: MIRACLService.Place = way == .mail ? .mail : .verification
    guard reply.isSuccess else { return end(MIRACLProblem(reply).outcome(of: place, at: now)) }
    guard way == .mail else {
      guard let url = reply.json?["verificationURL"]?.string else { return end(.lacking("verificationURL", reply)) }
      return confirm(Secret(url), mail: nil)
    }
    guard let mail = Self.mail(reply) else { return end(.lacking("method", reply)) }
    return ask(mail)
  }

  /// What the requested mail holds; nil if the answer does not say.
  static func mail(_ reply: BackendReply) -> CodeQuestion.Mail? {
    reply.json?["method"]?.string.flatMap { CodeQuestion.Mail(rawValue: $0) }
  }

  private mutating func ask(_ mail: CodeQuestion.Mail) -> FlowAction<Answer> {
    state = .asking(mail)
    return .askForCode(
      CodeQuestion(left == Self.attempts ? "askForMail" : "askForMailAgain", .mail(mail), within: settings.mailTime))
  }

  // MARK: The confirmation

  private mutating func confirm(_ text: Secret, mail: CodeQuestion.Mail?) -> FlowAction<Answer> {
    guard let link = MIRACLVerificationLink(text) else {
      return again(
        mail, FlowOutcome(.codeWrong, "the link has no user_id and code; give the whole link of the mail"))
    }
    guard link.user.map({ $0 == subject.user }) ?? true else {
      return again(
        mail, FlowOutcome(.stateMismatch, code: "user_id", "the link verifies another user than is registered"))
    }
    guard !refused.contains(link.code) else {
      return again(mail, FlowOutcome(.codeWrong, "this link or code was not the right one before"))
    }
    state = .confirming(link.code, mail)
    return .send(calls.confirm(subject.user, code: link.code))
  }

  private mutating func confirmed(
    _ reply: BackendReply, _ code: Secret, _ mail: CodeQuestion.Mail?, _ now: Timestamp
  ) -> FlowAction<Answer> {
    guard reply.isSuccess else {
      let problem = MIRACLProblem(reply)
      refused.insert(code)
      let outcome = problem.outcome(of: .confirmation, at: now)
      return problem.isWrongCode ? again(mail, outcome) : end(outcome)
    }
    guard let project = reply.json?["projectId"]?.string else { return end(.lacking("projectId", reply)) }
    guard project == settings.project else { return end(.otherProject(reply)) }
    guard let token = reply.json?["actToken"]?.string else { return end(.lacking("actToken", reply)) }
    return finish(Secret(token), isTyped: false, status: reply.status)
  }

  /// Asks for another link or code, if possible.
  private mutating func again(_ mail: CodeQuestion.Mail?, _ outcome: FlowOutcome) -> FlowAction<Answer> {
    left -= 1
    guard let mail, left > 0 else { return end(outcome) }
    return ask(mail)
  }

  // MARK: The end

  private mutating func finish(_ token: Secret, isTyped: Bool, status: Int?) -> FlowAction<Answer> {
    state = .ended
    return .finish(
      FlowOutcome(.authorized, status: status, "the user is verified"), MIRACLActivation(token: token, isTyped: isTyped)
    )
  }

  private mutating func end(_ result: FlowResult, _ text: String) -> FlowAction<Answer> {
    end(FlowOutcome(result, text))
  }

  private mutating func end(_ outcome: FlowOutcome) -> FlowAction<Answer> {
    state = .ended
    return .finish(outcome, nil)
  }
}
