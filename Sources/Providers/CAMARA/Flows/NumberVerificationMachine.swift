import AuthCore
import JSONTree
import ModemModel
import AuthFlows

/// A question for Number Verification.
public enum NumberVerificationQuestion: Hashable, Sendable {
  /// Whether a number is the SIM's.
  case verify(SubscriberNumber)
  /// The same, by the number's SHA-256 in hex.
  case verifyHash(String)
  /// Which number the SIM has.
  case read

  var service: CAMARAService { self == .read ? .devicePhoneNumber : .verify }
}

/// The results of Number Verification besides the outcome.
public struct NumberVerificationAnswer: Hashable, Sendable {
  /// The SIM's number, if it was requested.
  public var number: SubscriberNumber?
  /// The id with which the operator finds the calls of this flow.
  public var correlator: String
}

/// Number Verification: an authorization over the bearer, whose token is used for only one call.
public struct NumberVerificationMachine: FlowMachine {
  private enum State: Sendable {
    case access
    case asking
    case over
  }

  private let question: NumberVerificationQuestion
  private let call: CAMARACall
  private let backendAnswer: String
  private var access: CAMARAAccess
  private var state = State.access

  /// - Parameters:
  ///   - ticket: made for this flow only.
  ///   - proof: authenticates the client at the token endpoint.
  ///   - correlator: at most 256 letters, digits and `-_:;./<>{}`.
  public init(
    _ question: NumberVerificationQuestion, _ settings: CAMARASettings, ticket: AuthorizationTicket,
    proof: ClientProof, correlator: String
  ) {
    self.question = question
    call = CAMARACall(question.service, settings, correlator: correlator)
    backendAnswer = settings.backendAnswer
    var hint: SubscriberNumber?
    if case .verify(let number) = question, settings.sendsLoginHint { hint = number }
    access = CAMARAAccess(question.service, .subscriber(ticket, loginHint: hint), proof, settings)
  }

  public mutating func start(at now: Timestamp) -> FlowAction<NumberVerificationAnswer> {
    follow(access.start(at: now), at: now)
  }

  public mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<NumberVerificationAnswer> {
    switch (state, event) {
    case (.access, _): return follow(access.receive(event, at: now), at: now)
    case (.asking, .answered(let reply)):
      return finish(reply.status, reply.json, CAMARAProblem.outcome(reply, host: call.url.host))
    case (.asking, .unanswered(let failure)): return end(failure.outcome)
    default: return .unexpected(event)
    }
  }

  private mutating func follow(_ step: CAMARAAccess.Step, at now: Timestamp) -> FlowAction<NumberVerificationAnswer> {
    switch step {
    case .open(let call): return .open(call)
    case .send(let call): return .send(call)
    case .failed(let outcome): return end(outcome)
    case .token(let token):
      guard token.isGood(at: now) else {
        return end(FlowOutcome(.expired, "the token was over when it came; begin anew"))
      }
      state = .asking
      return .send(call.backendCall(token, body))
    case .backend(let answer, let host):
      let json = answer.json
      return finish(answer.status, json, CAMARAProblem.outcome(status: answer.status, json, host: host))
    }
  }

  private var body: [String: JSONValue]? {
    switch question {
    case .verify(let number): ["phoneNumber": .string(number.revealed)]
    case .verifyHash(let hash): ["hashedPhoneNumber": .string(hash)]
    case .read: nil
    }
  }

  /// Reads the answer of the API, or of a backend that passes the API's answer on.
  ///
  /// - Parameter refusal: the meaning of a refusal.
  private mutating func finish(
    _ status: Int, _ json: JSONValue?, _ refusal: FlowOutcome
  ) -> FlowAction<NumberVerificationAnswer> {
    guard (200...299).contains(status) else { return end(refusal) }
    // A backend may answer 200 and report in the body that nothing was verified.
    if json?[backendAnswer] == nil, json?["devicePhoneNumberVerified"] == nil, json?["devicePhoneNumber"] == nil,
      json?["code"]?.string != nil || json?["error"]?.string != nil
    {
      return end(refusal)
    }
    if question == .read { return end(number: json?["devicePhoneNumber"]?.string, status) }
    let matches = (json?["devicePhoneNumberVerified"] ?? json?[backendAnswer])?.boolean
    return end(FlowOutcome.check(matches: matches, status: status))
  }

  private mutating func end(number text: String?, _ status: Int) -> FlowAction<NumberVerificationAnswer> {
    guard let number = text.flatMap({ try? SubscriberNumber($0) }) else {
      return end(
        FlowOutcome(.badAnswer, status: status, "the operator answered without a number in international form; ask it"))
    }
    return end(FlowOutcome(.numberRead, status: status, "the operator told the number of this SIM"), number)
  }

  private mutating func end(
    _ outcome: FlowOutcome, _ number: SubscriberNumber? = nil
  ) -> FlowAction<NumberVerificationAnswer> {
    state = .over
    return .finish(outcome, NumberVerificationAnswer(number: number, correlator: call.correlator))
  }
}
