import AuthCore
import JSONTree
import ModemModel
import RedirectChain

/// Asks an application's backend whether a number moved to another SIM: one POST with one answer, as tru.ID's dev server has it.
public struct SIMCheckBackendMachine: FlowMachine {
  public typealias Answer = SIMChangeAnswer

  public static var usesBearer: Bool { false }

  private let backend: SIMCheckBackend
  private let number: SubscriberNumber

  public init(_ backend: SIMCheckBackend, _ number: SubscriberNumber) {
    self.backend = backend
    self.number = number
  }

  public func start(at now: Timestamp) -> FlowAction<Answer> {
    var headers = [ChainRequest.Header.accept("application/json")]
    if let user = backend.user { headers.append(.basic(user, backend.password ?? Secret(""))) }
    let text = backend.form == .e164 ? number.revealed : number.digits
    return .send(
      BackendCall(
        "checkSIM", .post, backend.endpoint.appending("/sim-check"), headers: headers,
        body: .json(.object(["phone_number": .string(text)])), route: backend.route))
  }

  public func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Answer> {
    switch event {
    case .answered(let reply): .finish(outcome(of: reply), nil)
    case .unanswered(let failure): .finish(failure.outcome, nil)
    case .opened, .code, .noCode, .resumed:
      .finish(FlowOutcome(.badAnswer, "the check of the SIM got an event that belongs to no step of it"), nil)
    }
  }

  private func outcome(of reply: BackendReply) -> FlowOutcome {
    // Such a backend passes on what tru.ID answers.
    guard reply.isSuccess else { return .truID(reply, host: backend.endpoint.host, isBackend: true) }
    guard let answer = reply.json, case .object = answer else {
      return FlowOutcome(
        .badAnswer, status: reply.status,
        "\(backend.endpoint.host) answers with no JSON object; correct the backend's URL")
    }
    // A check that failed at the operator is passed on without the field: absent says neither.
    let change: SIMChange =
      switch answer["no_sim_change"]?.boolean {
      case true?: .unchanged
      case false?: .changed
      case nil: .unknown
      }
    return .simChange(change, code: answer["error_code"]?.string, status: reply.status)
  }
}
