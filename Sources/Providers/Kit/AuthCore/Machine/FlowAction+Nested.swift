extension FlowAction {
  /// The same action in another machine, which runs this one as a part of itself: only the end becomes something else.
  ///
  /// - Parameter end: what the outer machine does next, by how the inner one ended.
  public func within<Outer>(_ end: (FlowOutcome, Answer?) -> FlowAction<Outer>) -> FlowAction<Outer> {
    switch self {
    case .open(let call): .open(call)
    case .send(let call): .send(call)
    case .readCode(let wait): .readCode(wait)
    case .askForCode(let question): .askForCode(question)
    case .pause(let step, let time): .pause(step: step, time)
    case .finish(let outcome, let answer): end(outcome, answer)
    }
  }
}
