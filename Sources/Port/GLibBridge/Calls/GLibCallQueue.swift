import CGLib

/// Runs a few calls at a time, keeps some more waiting in order, and can end them all at once.
///
/// A device answers one command after the other, and more than a few commands at a time fill its
/// buffers. If the device vanishes, libmbim leaves commands to their time limits, so `abandon` ends
/// them. Only for the GLib thread.
package final class GLibCallQueue {
  private let executor: GLibExecutor
  private let limit: Int
  private let waitingLimit: Int
  private var waiting: [Suspension] = []
  private var underWay: [WeakStoppable] = []
  private var running = 0
  private var abandoned: GLibBridgeError?

  /// - Parameters:
  ///   - limit: How many calls run at a time, at least 1.
  ///   - waitingLimit: How many more may wait; further calls fail with `busy`.
  package init(on executor: GLibExecutor, limit: Int, waitingLimit: Int) {
    // Impossible: limits are constants of the two backends.
    precondition(limit > 0, "a call queue must let at least one call through")
    self.executor = executor
    self.limit = limit
    self.waitingLimit = waitingLimit
  }

  /// Ends every call, waiting or running, and every later one, with the code `abandoned`.
  /// - Parameter message: Says why.
  package func abandon(_ message: String) {
    executor.checkIsolated()
    guard abandoned == nil else { return }
    let reason = GLibBridgeError(.abandoned, message)
    abandoned = reason
    for wait in waiting { wait.stop(reason) }
    for call in underWay { call.target?.stop(reason) }
  }

  /// Waits for a turn. Call `leave()` once after each return.
  /// - Returns: The rest of `limit`.
  func enter(
    isolation: isolated (any Actor)? = #isolation, within timeLimit: Duration?
  ) async throws(GLibBridgeError) -> Duration? {
    executor.checkIsolated()
    if let abandoned { throw abandoned }
    if running < limit {
      running += 1
      return timeLimit
    }
    guard waiting.count < waitingLimit else {
      throw GLibBridgeError(.busy, "\(running) calls are under way and \(waiting.count) are waiting; try again later")
    }
    let asked = g_get_monotonic_time()
    try await executor.suspend(within: timeLimit) { (turn: Suspension) in
      waiting.append(turn)
      turn.onStop {
        self.waiting.removeAll { $0 === turn }
        turn.end(GLibBridgeError(.abandoned, "the call did not get its turn"))
      }
    }
    return timeLimit.map { max($0 - .microseconds(g_get_monotonic_time() - asked), .zero) }
  }

  /// Passes the turn to the call that has waited longest.
  func leave() {
    if waiting.isEmpty {
      running -= 1
    } else {
      waiting.removeFirst().end(nil)
    }
  }

  /// Makes `abandon` end this call too.
  func follow(_ call: Stoppable) {
    underWay.removeAll { $0.target == nil }
    underWay.append(WeakStoppable(target: call))
    if let abandoned { call.stop(abandoned) }
  }
}

private struct WeakStoppable {
  weak var target: Stoppable?
}
