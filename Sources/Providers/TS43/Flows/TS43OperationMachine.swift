import AuthCore
import ModemModel
import RedirectChain

/// Asks an entitlement server for one thing with the TOKEN of a login (TS.43, 6.5).
struct TS43OperationMachine: FlowMachine {
  struct Answer: Sendable {
    var found: TS43Answer?
    /// The TOKEN that came with the answer, and replaces the one that was used.
    var token: EntitlementToken?
    /// Whether the server wants a new login of the SIM.
    var isRefused = false
  }

  static var usesBearer: Bool { false }

  private let operation: TS43Operation
  private let token: EntitlementToken
  private let subscriber: Subscriber
  private var exchange: EntitlementExchange

  /// - Parameters:
  ///   - token: of an earlier login.
  ///   - jar: the cookies of a login right before.
  init(
    _ operation: TS43Operation, of subscriber: Subscriber, _ context: EntitlementContext, with token: EntitlementToken,
    jar: CookieJar = CookieJar()
  ) {
    self.operation = operation
    self.subscriber = subscriber
    self.token = token
    exchange = EntitlementExchange(context, after: token, jar: jar)
  }

  mutating func start(at now: Timestamp) -> FlowAction<Answer> {
    let request = EntitlementRequest(
      proof: .token(token.token), operation: operation, groupIdentifier: token.groupIdentifier)
    return .send(exchange.ask(operation.step, request, at: now))
  }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Answer> {
    switch event {
    case .answered(let reply): take(exchange.take(reply, at: now), reply.status, at: now)
    case .unanswered(let failure): .finish(EntitlementRefusal.outcome(of: failure, exchange.context), nil)
    case .opened, .code, .noCode, .simAnswered, .simFailed, .resumed: .unexpected(event)
    }
  }

  private func take(_ step: EntitlementExchange.Step, _ status: Int, at now: Timestamp) -> FlowAction<Answer> {
    switch step {
    case .send(let call): return .send(call)
    case .failed(let outcome): return .finish(outcome, nil)
    // A packet of EAP in place of an answer begins a login, which the other machine makes.
    case .refused, .relay: return .finish(EntitlementRefusal.unproven(exchange.host), Answer(isRefused: true))
    case .document(let document):
      let reading = OperationReading(operation, exchange.context.settings.verification, host: exchange.host, status)
      let (outcome, read) = reading.read(document.application(EntitlementContext.app), at: now)
      var found = read
      // Whether the two are the same is for those who may see both, and so in no sentence.
      if found?.number != nil, operation == .phoneNumber { found?.simNumber = subscriber.number }
      if found?.temporaryToken != nil {
        found?.home = subscriber.home
        found?.groupIdentifier = token.groupIdentifier
      }
      let next = exchange.token(in: document, token.groupIdentifier, at: now)
      return .finish(outcome, Answer(found: found, token: next))
    }
  }
}
