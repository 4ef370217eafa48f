/// Something that a library will report by a signal and that a task waits for. Only for the GLib
/// thread.
package final class GLibExpectation<Value> {
  private let suspension: Suspension<Value>

  fileprivate init(_ suspension: Suspension<Value>) { self.suspension = suspension }

  /// Resumes the waiting task. Only the first call counts.
  package func fulfil(_ value: Value) { suspension.end(.success(value)) }
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
    try await suspend(within: limit) { suspension in
      suspension.onStop {
        suspension.end(.failure(GLibBridgeError(.abandoned, "what was waited for did not come")))
      }
      queue?.follow(suspension)
      register(GLibExpectation(suspension))
    }
  }
}
