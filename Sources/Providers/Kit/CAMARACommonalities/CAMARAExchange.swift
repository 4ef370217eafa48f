import AuthCore
import AuthFlows
import JSONTree
import ModemModel
import Web

/// One call of one of CAMARA's APIs: it gets a token, then makes the call. The token is used only
/// once. A part of the machines of those APIs.
package struct CAMARAExchange: Sendable {
  /// What is to be done next.
  package enum Step: Sendable {
    case open(BearerCall)
    case send(BackendCall)
    case pause(step: String, Duration)
    case answer(CAMARAAnswer)
    case failed(FlowOutcome)
  }

  private enum State: Sendable {
    case access(CAMARAAccess)
    case asking
    case over
  }

  private let call: CAMARACall
  private let body: [String: JSONValue]?
  private var state: State

  /// - Parameter body: nil for a GET.
  package init(_ call: CAMARACall, _ body: [String: JSONValue]?, _ access: CAMARAAccess) {
    self.call = call
    self.body = body
    state = .access(access)
  }

  /// The connections for the token and for the call are opened before the token is there.
  package var foreseen: FlowForesight {
    guard case .access(let access) = state, access.isUnderWay else { return .nothing }
    return FlowForesight(
      destinations: [access.destination, .init(call.url, call.route)].compactMap(\.self))
  }

  package mutating func start(at now: Timestamp) -> Step {
    guard case .access(var access) = state else { return .failed(FlowOutcome(.badAnswer, "the flow is over")) }
    return follow(access.start(at: now), access, at: now)
  }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> Step {
    switch (state, event) {
    case (.access(var access), _): return follow(access.receive(event, at: now), access, at: now)
    case (.asking, .answered(let reply)):
      state = .over
      return .answer(
        CAMARAAnswer(
          status: reply.status, json: reply.json, host: call.url.host,
          refusal: CAMARAProblem.outcome(reply, host: call.url.host)))
    case (.asking, .unanswered(let failure)):
      state = .over
      return .failed(failure.outcome)
    default:
      state = .over
      return .failed(.unexpected(event))
    }
  }

  private mutating func follow(_ step: CAMARAAccess.Step, _ access: CAMARAAccess, at now: Timestamp) -> Step {
    state = .access(access)
    switch step {
    case .open(let call): return .open(call)
    case .send(let call): return .send(call)
    case .pause(let step, let time): return .pause(step: step, time)
    case .failed(let outcome):
      state = .over
      return .failed(outcome)
    case .token(let token):
      guard token.isGood(at: now) else {
        state = .over
        return .failed(FlowOutcome(.expired, "the token was over when it came; begin anew"))
      }
      state = .asking
      return .send(call.backendCall(token, body))
    case .backend(let reply, let host):
      state = .over
      let json = reply.json
      return .answer(
        CAMARAAnswer(
          status: reply.status, json: json, host: host,
          refusal: CAMARAProblem.outcome(status: reply.status, json, host: host)))
    }
  }
}

/// The answer of an API, or of a backend that passes the API's answer on.
package struct CAMARAAnswer: Sendable {
  package let status: Int
  package let json: JSONValue?
  /// Who answered.
  package let host: String
  /// Its meaning if it is a refusal.
  package let refusal: FlowOutcome

  package var isSuccess: Bool { (200...299).contains(status) }

  /// The members of the answer's object, including null ones; nil if the answer has no object.
  package var members: [String: JSONValue]? { if case .object(let members)? = json { members } else { nil } }

  /// Why a flow ends if the answer has no object: a refusal, or a success without content.
  package var outcomeWithoutObject: FlowOutcome {
    isSuccess ? FlowOutcome(.badAnswer, status: status, "\(host) answered without JSON; ask the operator") : refusal
  }
}
