import AuthCore
import JSONTree
import ModemModel
import AuthFlows
import CAMARACommonalities

/// What is asked of Number Verification.
package enum NumberVerificationQuestion: Hashable, Sendable {
  /// Whether a number is the SIM's.
  case verify(SubscriberNumber)
  /// The same, by the number's SHA-256 in hex.
  case verifyHash(String)
  /// Which number the SIM has.
  case read

  var service: CAMARAService { self == .read ? .devicePhoneNumber : .verify }

  /// Nil for a GET.
  var body: [String: JSONValue]? {
    switch self {
    case .verify(let number): ["phoneNumber": .string(number.revealed)]
    case .verifyHash(let hash): ["hashedPhoneNumber": .string(hash)]
    case .read: nil
    }
  }
}

/// What Number Verification gives beside the outcome.
package struct NumberVerificationAnswer: Hashable, Sendable {
  /// The SIM's number, where that was asked.
  package var number: SubscriberNumber?
  /// By which the operator finds the calls of this flow.
  package var correlator: String
  /// What the app's own server answered, if the redirect URI is its: an object.
  package var serverAnswer: JSONValue?
}

/// Number Verification: an authorization over the bearer, whose token is used for one call and then
/// no more.
package struct NumberVerificationMachine: FlowMachine {
  private let question: NumberVerificationQuestion
  private let correlator: String
  private let backendAnswer: String
  /// Whether the app's own server answers, and not the operator.
  private let asksServer: Bool
  private var exchange: CAMARAExchange

  /// - Parameters:
  ///   - ticket: made for this flow alone.
  ///   - proof: of the client, at the token endpoint.
  ///   - correlator: at most 256 letters, digits and `-_:;./<>{}`.
  package init(
    _ question: NumberVerificationQuestion, _ settings: CAMARASettings, ticket: AuthorizationTicket,
    proof: ClientProof, correlator: String
  ) {
    var hint: SubscriberNumber?
    if case .verify(let number) = question, settings.sendsLoginHint { hint = number }
    self.init(
      question, settings, .subscriber(ticket, loginHint: hint), proof: proof,
      asksServer: settings.server.redirect?.isFetched ?? false, correlator: correlator)
  }

  /// Asks with a grant that needs no bearer.
  fileprivate init(
    _ question: NumberVerificationQuestion, _ settings: CAMARASettings, _ grant: CAMARAAccess.Grant,
    proof: ClientProof = .none, asksServer: Bool = false, correlator: String
  ) {
    self.question = question
    self.correlator = correlator
    backendAnswer = settings.backendAnswer
    self.asksServer = asksServer
    exchange = CAMARAExchange(
      settings.call(question.service, correlator: correlator), question.body,
      settings.access(question.service, grant, proof))
  }

  package var foreseen: FlowForesight { exchange.foreseen }

  package mutating func start(at now: Timestamp) -> FlowAction<NumberVerificationAnswer> {
    follow(exchange.start(at: now))
  }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<NumberVerificationAnswer> {
    follow(exchange.receive(event, at: now))
  }

  private func follow(_ step: CAMARAExchange.Step) -> FlowAction<NumberVerificationAnswer> {
    switch step {
    case .open(let call): .open(call)
    case .send(let call): .send(call)
    case .pause(let step, let time): .pause(step: step, time)
    case .failed(let outcome): end(outcome)
    case .answer(let answer): finish(answer)
    }
  }

  private func finish(_ answer: CAMARAAnswer) -> FlowAction<NumberVerificationAnswer> {
    guard answer.isSuccess else { return end(answer.refusal) }
    let json = answer.json
    // A backend may answer 200 and say in its body that nothing was verified.
    if json?[backendAnswer] == nil, json?["devicePhoneNumberVerified"] == nil, json?["devicePhoneNumber"] == nil,
      json?["code"]?.string != nil || json?["error"]?.string != nil
    {
      return end(answer.refusal)
    }
    let told = asksServer ? json?.ifObject : nil
    if question == .read { return end(number: json?["devicePhoneNumber"]?.string, answer.status, told) }
    let matches = (json?["devicePhoneNumberVerified"] ?? json?[backendAnswer])?.boolean
    let outcome = FlowOutcome.check(matches: matches, status: answer.status)
    return end(outcome, told: outcome.result.isAnswer ? told : nil)
  }

  private func end(number text: String?, _ status: Int, _ told: JSONValue?) -> FlowAction<NumberVerificationAnswer> {
    guard let number = text.flatMap({ try? SubscriberNumber($0) }) else {
      return end(
        FlowOutcome(.badAnswer, status: status, "the operator answered without a number in international form; ask it"))
    }
    return end(FlowOutcome(.numberRead, status: status, "the operator told the number of this SIM"), number, told: told)
  }

  private func end(
    _ outcome: FlowOutcome, _ number: SubscriberNumber? = nil, told: JSONValue? = nil
  ) -> FlowAction<NumberVerificationAnswer> {
    .finish(outcome, NumberVerificationAnswer(number: number, correlator: correlator, serverAnswer: told))
  }
}

/// Number Verification by an operator token: the same without the bearer, which stays down.
package struct OperatorTokenVerificationMachine: FlowMachine {
  private var machine: NumberVerificationMachine

  package static var usesBearer: Bool { false }
  package var foreseen: FlowForesight { machine.foreseen }

  /// - Parameters:
  ///   - grant: what spends the operator token, made for this flow alone.
  ///   - correlator: at most 256 letters, digits and `-_:;./<>{}`.
  package init(
    _ question: NumberVerificationQuestion, _ settings: CAMARASettings, _ grant: CAMARAAccess.Grant,
    correlator: String
  ) {
    machine = NumberVerificationMachine(question, settings, grant, correlator: correlator)
  }

  package mutating func start(at now: Timestamp) -> FlowAction<NumberVerificationAnswer> { machine.start(at: now) }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<NumberVerificationAnswer> {
    machine.receive(event, at: now)
  }
}
