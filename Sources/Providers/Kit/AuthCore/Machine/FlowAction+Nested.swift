extension FlowAction {
  /// The same action in an outer machine that runs this one as a part; only the end is mapped.
  ///
  /// - Parameter end: the outer machine's next action after the inner one's end.
  package func within<Outer>(_ end: (FlowOutcome, Answer?) -> FlowAction<Outer>) -> FlowAction<Outer> {
    switch self {
    case .open(let call): .open(call)
    case .send(let call): .send(call)
    case .readCode(let wait): .readCode(wait)
    case .askForCode(let question): .askForCode(question)
    case .askSIM(let question): .askSIM(question)
    case .pause(let step, let time): .pause(step: step, time)
    case .finish(let outcome, let answer): end(outcome, answer)
    }
  }
}
