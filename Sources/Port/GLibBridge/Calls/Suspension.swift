import CGLib

/// A task that waits on the GLib thread until `end`, or until it is told to stop.
///
/// What it waits for is kept elsewhere: without a type of its own for each kind of value, the
/// runtime looks up no types in each call. Confined to the GLib thread.
final class Suspension: Stoppable {
  typealias Continuation = CheckedContinuation<GLibBridgeError?, Never>

  private var continuation: Continuation?
  private var timer: UnsafeMutablePointer<GSource>?
  private var whenStopped: (() -> Void)?
  /// Why the wait must stop; the first reason counts.
  private var stopped: GLibBridgeError?

  init(_ continuation: Continuation) { self.continuation = continuation }

  /// Sets the action for a stop. It must lead to `end`, now or later.
  func onStop(_ body: @escaping () -> Void) {
    whenStopped = body
    if stopped != nil { body() }
  }

  override func stop(_ reason: GLibBridgeError) {
    guard continuation != nil, stopped == nil else { return }
    stopped = reason
    whenStopped?()
  }

  /// Resumes the task once.
  /// - Parameter failure: Nil for success. A failure after `stop` is reported as the reason for the
  ///   stop.
  func end(_ failure: GLibBridgeError?) {
    guard let continuation else { return }
    self.continuation = nil
    whenStopped = nil
    cancelTimer()
    continuation.resume(returning: failure == nil ? nil : stopped ?? failure)
  }

  /// Stops the wait after `limit`, to the millisecond, rounded up.
  func startTimer(_ limit: Duration, in context: OpaquePointer) {
    // Impossible: GLib ends the program itself if it has no memory.
    let timer = g_timeout_source_new(limit.wholeMilliseconds)!
    g_source_set_callback(
      timer,
      { data in
        // Impossible: the data is this suspension, given below.
        Unmanaged<Stoppable>.fromOpaque(data!).takeUnretainedValue()
          .stop(GLibBridgeError(.deadline, "no answer within the time limit"))
        return 0  // G_SOURCE_REMOVE
        // Impossible: the data is this suspension.
      }, Unmanaged<Stoppable>.passRetained(self).toOpaque(), { Unmanaged<Stoppable>.fromOpaque($0!).release() })
    g_source_attach(timer, context)
    self.timer = timer
  }

  private func cancelTimer() {
    guard let timer else { return }
    self.timer = nil
    g_source_destroy(timer)
    g_source_unref(timer)
  }
}

/// A wait, for code that may only end it early.
class Stoppable {
  func stop(_ reason: GLibBridgeError) {}
}

extension Duration {
  /// Rounded up, within the range of GLib's timers.
  fileprivate var wholeMilliseconds: guint {
    let (seconds, attoseconds) = components
    let milliseconds = Double(seconds) * 1000 + (Double(attoseconds) / 1e15).rounded(.up)
    return guint(min(max(milliseconds, 0), Double(guint.max)))
  }
}

extension GLibExecutor {
  /// Suspends the calling task, which must be on the GLib thread, until the suspension ends.
  func suspend(
    isolation: isolated (any Actor)? = #isolation, within limit: Duration?, _ body: (Suspension) -> Void
  ) async throws(GLibBridgeError) {
    checkIsolated()
    let cancelled = GLibBridgeError(.cancelled, "the caller gave up")
    if Task.isCancelled { throw cancelled }
    let canceller = Canceller()
    let failure = await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { (continuation: Suspension.Continuation) in
        let suspension = Suspension(continuation)
        canceller.target = suspension
        if let limit { suspension.startTimer(limit, in: context) }
        body(suspension)
      }
    } onCancel: {
      invoke { canceller.target?.stop(cancelled) }
    }
    if let failure { throw failure }
  }
}

/// Connects a task's cancellation handler, which may run before the suspension exists, to the
/// suspension.
private final class Canceller: @unchecked Sendable {  // `target` is touched on the GLib thread only.
  weak var target: Stoppable?
}
