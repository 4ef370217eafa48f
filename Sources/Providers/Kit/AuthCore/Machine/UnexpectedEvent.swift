extension FlowOutcome {
  /// A machine got an event that does not follow from any of its actions. That is a bug of this
  /// program, which ends only this flow.
  package static func unexpected(_ event: FlowEvent) -> FlowOutcome {
    FlowOutcome(
      .badAnswer, "\(event.name) came where the flow awaited none; try again, and report it if it happens again")
  }
}

extension FlowAction {
  /// Ends a flow because of an event that does not follow from any of its actions. Machines use it
  /// for events that they have no case for.
  package static func unexpected(_ event: FlowEvent) -> FlowAction { .finish(.unexpected(event), nil) }
}

extension FlowEvent {
  fileprivate var name: String {
    switch self {
    case .opened: "the end of a chain"
    case .answered: "an answer"
    case .unanswered: "the failure of a call"
    case .code: "a code"
    case .noCode: "the lack of a code"
    case .simAnswered: "an answer of the SIM"
    case .simFailed: "the failure of a question to the SIM"
    case .resumed: "the end of a pause"
    }
  }
}
