extension FlowOutcome {
  /// A machine got an event that belongs to nothing it did: a fault of this program, which ends this flow and no other.
  public static func unexpected(_ event: FlowEvent) -> FlowOutcome {
    FlowOutcome(
      .badAnswer, "\(event.name) came where the flow awaited none; try again, and report it if it happens again")
  }
}

extension FlowAction {
  /// Ends a flow for an event that belongs to nothing it did. What a machine has no case for goes here, and nowhere else.
  public static func unexpected(_ event: FlowEvent) -> FlowAction { .finish(.unexpected(event), nil) }
}

extension FlowEvent {
  fileprivate var name: String {
    switch self {
    case .opened: "the end of a chain"
    case .answered: "an answer"
    case .unanswered: "the failure of a call"
    case .code: "a code"
    case .noCode: "the lack of a code"
    case .resumed: "the end of a pause"
    }
  }
}
