import AuthCore
import JSONTree
import ModemModel
import Web

/// One question to the platform, and one answer.
struct SingleCallMachine<Answer: Sendable>: FlowMachine {
  /// Reads what a success answered.
  typealias Read = @Sendable (BackendReply) -> (FlowOutcome, Answer?)

  static var usesBearer: Bool { false }

  private let call: BackendCall
  private let place: MIRACLService.Place
  private let read: Read

  init(_ call: BackendCall, _ place: MIRACLService.Place, read: @escaping Read) {
    self.call = call
    self.place = place
    self.read = read
  }

  func start(at now: Timestamp) -> FlowAction<Answer> { .send(call) }

  func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Answer> {
    switch event {
    case .answered(let reply):
      guard reply.isSuccess else { return .finish(MIRACLProblem(reply).outcome(of: place, at: now), nil) }
      let (outcome, answer) = read(reply)
      return .finish(outcome, answer)
    case .unanswered(let failure): return .finish(failure.outcome, nil)
    case .opened, .code, .noCode, .simAnswered, .simFailed, .resumed: return .unexpected(event)
    }
  }
}

extension FlowOutcome {
  /// An answer without a required field.
  static func lacking(_ field: String, _ reply: BackendReply) -> FlowOutcome {
    FlowOutcome(
      .badAnswer, status: reply.status,
      "the service's answer has no usable \(field); look at api and generation in the provider's file")
  }

  /// An answer of another project than the configured one.
  static func otherProject(_ reply: BackendReply) -> FlowOutcome {
    FlowOutcome(
      .stateMismatch, code: "projectId", status: reply.status,
      "the answer is of another project than the configured one; look at project in the provider's file, and whose link it is"
    )
  }
}
