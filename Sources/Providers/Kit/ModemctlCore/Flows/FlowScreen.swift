import ModemAPI

/// What people see of a flow while it runs: its steps and hops, below a header that comes with the
/// first of them.
///
/// A call over the machine's own network may be the first of many alike, as when a provider is
/// asked again and again for a result. Its row is therefore written with the next news, and calls
/// that are alike are one row with their count. What went wrong with a step is also written with
/// the next news, and not at all if the end says the same.
package struct FlowScreen: Sendable {
  /// Calls that are alike, of which the last is shown.
  private struct Call {
    var step: VerifyInterface.Step
    var count = 1
    /// A pause after them, which is only worth a row if no such call follows.
    var pause: VerifyInterface.Step?
  }

  private let paint: Paint
  private var table = FlowTable()
  private var isBegun = false
  private var held: Call?
  private var failure: String?

  package init(_ paint: Paint) { self.paint = paint }

  package mutating func show(_ step: VerifyInterface.Step) -> String {
    if let joined = joined(step) {
      held = joined
      return ""
    }
    let before = rest()
    failure = step.failure
    if step.lane == .host, step.host != nil, step.failure == nil {
      held = Call(step: step)
      return before
    }
    return before + row(step)
  }

  package mutating func show(_ hop: VerifyInterface.Hop) -> String {
    let before = rest()
    return before + header() + table.line(hop, paint)
  }

  /// What is not written yet.
  ///
  /// - Parameter text: what is said next; a failure in the same words is left out.
  package mutating func rest(before text: String = "") -> String {
    var rows = ""
    if let call = held {
      held = nil
      rows += row(call.step, count: call.count)
      if let pause = call.pause { rows += row(pause) }
    }
    if let failure, !text.contains(failure) { rows += FlowTable.line(failure, paint) }
    failure = nil
    return rows
  }

  /// The held call with a step that belongs to it; nil for any other step.
  private func joined(_ step: VerifyInterface.Step) -> Call? {
    guard var call = held, step.lane == .host, step.failure == nil else { return nil }
    if step.host == nil, call.pause == nil {
      call.pause = step
      return call
    }
    guard call.pause != nil, step.name == call.step.name, step.host == call.step.host else { return nil }
    let begin = call.step.start
    call.step = step
    // From the first one's start to the last one's end.
    call.step.start = begin
    call.step.milliseconds = step.start + step.milliseconds - begin
    call.count += 1
    call.pause = nil
    return call
  }

  private mutating func row(_ step: VerifyInterface.Step, count: Int = 1) -> String {
    let header = header()
    return header + table.line(step, count: count, paint)
  }

  private mutating func header() -> String {
    defer { isBegun = true }
    return isBegun ? "" : table.header(paint)
  }

  /// Whether anything was written.
  package var isEmpty: Bool { !isBegun }
}
