import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Web

/// SIMCheck: asks whether a number recently moved to another SIM. One question, one answer, and
/// nothing over the bearer.
package struct TruIDSIMCheckMachine: FlowMachine {
  private let number: SubscriberNumber
  private let period: Int?
  private let reference: String?
  private let access: TruIDAccess

  /// - Parameters:
  ///   - period: how many minutes back a change counts, 60 to 540000; nil for the provider's seven
  ///     days. A backend decides by itself.
  ///   - reference: the caller's own id, which must not contain personal data.
  package init(_ number: SubscriberNumber, period: Int? = nil, reference: String? = nil, by access: TruIDAccess) {
    self.number = number
    self.period = period
    self.reference = reference
    self.access = access
  }

  package static var usesBearer: Bool { false }

  package mutating func start(at now: Timestamp) -> FlowAction<TruIDCheckAnswer> {
    let phone = JSONValue.string(number.digits)
    switch access {
    case .backend(let backend):
      return .send(backend.call("simCheck", .post, "/sim-check", body: .object(["phone_number": phone])))
    case .api(let client):
      let body = JSONValue.members([
        "phone_number": phone, "period": period.map { .int($0) }, "reference_id": reference.map { .string($0) },
      ])
      return .send(
        client.call("simCheck", .post, client.api.appending("/sim_check/v0.1/checks"), body: .json(body.text)))
    }
  }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<TruIDCheckAnswer> {
    switch event {
    case .answered(let reply): read(reply)
    case .unanswered(let failure): .finish(failure.outcome, nil)
    case .opened, .code, .noCode, .simAnswered, .simFailed, .resumed: .unexpected(event)
    }
  }

  private func read(_ reply: BackendReply) -> FlowAction<TruIDCheckAnswer> {
    guard reply.isSuccess else {
      return .finish(.truID(reply, host: access.host, isBackend: access.isBackend), nil)
    }
    guard let document = reply.json.map({ TruIDCheckDocument($0) }) else {
      return .finish(
        FlowOutcome(
          .badAnswer, status: reply.status, "\(access.host) gives no result of the check; look into its logs"),
        nil)
    }
    var answer = document.answer
    answer.rate = TruIDRate(reply)
    if let failure = document.failure(host: access.host, httpStatus: reply.status) { return .finish(failure, answer) }
    // It is over when it is answered: the status of a running check does not describe the SIM.
    let isOver = document.status == nil || document.status == .completed
    return .finish(.simChange(isOver ? document.simChange : .unknown, status: reply.status), answer)
  }
}
