/// Something that a library will report by a signal and that a task waits for. Only for the GLib
/// thread.
package final class GLibExpectation<Value> {
  private let suspension: Suspension
  fileprivate private(set) var value: Value?

  fileprivate init(_ suspension: Suspension) { self.suspension = suspension }

  /// Resumes the waiting task. Only the first call counts.
  package func fulfil(_ value: Value) {
    guard self.value == nil else { return }
    self.value = value
    suspension.end(nil)
  }
}

extension GLibExecutor {
  /// Waits for something that a signal will report. The caller must be on the GLib thread.
  /// - Parameters:
  ///   - queue: Ends the wait when it is abandoned; the wait uses no turn of it.
  ///   - limit: How long to wait, to the millisecond; nil waits for ever.
  ///   - register: Stores the expectation for the signal's handler. It runs at once, on the
  ///     caller's actor.
  /// - Throws: `cancelled`, `deadline` or `abandoned`.
  package func expect<Value>(
    isolation: isolated (any Actor)? = #isolation, of queue: GLibCallQueue? = nil, within limit: Duration? = nil,
    register: (GLibExpectation<Value>) -> Void
  ) async throws(GLibBridgeError) -> Value {
    let missing = GLibBridgeError(.abandoned, "what was waited for did not come")
    var expectation: GLibExpectation<Value>?
    try await suspend(within: limit) { suspension in
      suspension.onStop { suspension.end(missing) }
      queue?.follow(suspension)
      let made = GLibExpectation<Value>(suspension)
      expectation = made
      register(made)
    }
    guard let value = expectation?.value else { throw missing }
    return value
  }
}
