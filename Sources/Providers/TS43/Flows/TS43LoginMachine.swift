import AuthCore
import ModemModel
import RedirectChain

/// Logs a SIM in at an entitlement server (TS.43, 2.8.1): the server's packets go to the SIM, the
/// SIM's to the server, and in the end the server's document has a TOKEN for what is asked next.
struct TS43LoginMachine: FlowMachine {
  struct Answer: Sendable {
    var token: EntitlementToken
    /// The cookies of the login, which an operation right after it goes on with.
    var jar: CookieJar
  }

  static var usesBearer: Bool { false }

  private enum State: Sendable {
    case ready
    case beginning
    /// The server has the question, or the SIM's last packet.
    case waiting(EAPLogin)
    /// The SIM has the server's last packet.
    case answering(EAPLogin)
    case over
  }

  private var exchange: EntitlementExchange
  private var progress: LoginProgress
  private var state = State.ready

  init(_ context: EntitlementContext) {
    exchange = EntitlementExchange(context)
    progress = LoginProgress(with: context.url.host)
  }

  mutating func start(at now: Timestamp) -> FlowAction<Answer> {
    state = .beginning
    return .askSIM(SIMQuestion("beginLogin", .begin(exchange.context.loginRequest)))
  }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Answer> {
    switch (state, event) {
    case (.beginning, .simAnswered(.began(let login))):
      state = .waiting(login)
      let request = EntitlementRequest(proof: .identity(login.identity), groupIdentifier: login.groupIdentifier)
      return .send(exchange.ask("login", request, at: now))
    case (.waiting(let login), .answered(let reply)): return take(exchange.take(reply, at: now), login, at: now)
    case (.waiting, .unanswered(let failure)):
      return finish(progress.verdict ?? EntitlementRefusal.outcome(of: failure, exchange.context))
    case (.answering(let login), .simAnswered(.answered(let reply))):
      switch progress.take(reply) {
      case .end(let outcome): return finish(outcome)
      case .send(let packet):
        state = .waiting(login)
        return .send(exchange.answer(packet, at: now))
      }
    case (.beginning, .simFailed(let failure)), (.answering, .simFailed(let failure)): return finish(failure.outcome)
    default: return finish(.unexpected(event))
    }
  }

  private mutating func take(
    _ step: EntitlementExchange.Step, _ login: EAPLogin, at now: Timestamp
  ) -> FlowAction<Answer> {
    if case .send(let call) = step, progress.verdict == nil { return .send(call) }
    if let verdict = progress.verdict { return finish(verdict) }
    switch step {
    case .send(let call): return .send(call)
    case .relay(let packet):
      state = .answering(login)
      return .askSIM(SIMQuestion("answerChallenge", .answer(packet: packet, login: login.id)))
    case .document(let document): return finish(document, login, at: now)
    case .refused: return finish(EntitlementRefusal.unproven(exchange.host))
    case .failed(let outcome): return finish(outcome)
    }
  }

  private mutating func finish(
    _ document: EntitlementDocument, _ login: EAPLogin, at now: Timestamp
  ) -> FlowAction<Answer> {
    // Else nothing would show that the SIM is here, and not its IMSI alone.
    guard progress.isProven else {
      return finish(
        FlowOutcome(
          .badAnswer, code: "noChallenge", "\(exchange.host) let the SIM in without a challenge; ask the operator"))
    }
    guard let token = exchange.token(in: document, login.groupIdentifier, at: now) else {
      return finish(
        FlowOutcome(
          .badAnswer, code: "noToken",
          "\(exchange.host) let the SIM in, and gave no token to ask with; try again, and ask the operator"))
    }
    state = .over
    return .finish(
      FlowOutcome(.authorized, "\(exchange.host) let the SIM in"), Answer(token: token, jar: exchange.jar))
  }

  private mutating func finish(_ outcome: FlowOutcome) -> FlowAction<Answer> {
    state = .over
    return .finish(outcome, nil)
  }
}
