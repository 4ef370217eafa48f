import Dispatch
import Synchronization

/// One wait, which ends once: by its timer, or by the cancellation of its task.
///
/// `Task.sleep` keeps its timer, some 700 bytes, until the time is over, even if nobody waits any
/// more. As the limit of calls that end at once, it would let a caller fill a process's memory.
final class Pause: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Void, any Error>)
    case over
  }

  private static let most = 1e18

  private let state = Mutex(State.new)
  // All threads may use dispatch sources at once, although their Swift type does not state it.
  nonisolated(unsafe) private let timer = DispatchSource.makeTimerSource(queue: .global())

  static func wait(for duration: Duration) async throws {
    let pause = Pause()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { pause.begin(duration, $0) }
    } onCancel: {
      pause.end(.failure(CancellationError()))
    }
  }

  private func begin(_ duration: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
    let isOver = state.withLock { state in
      guard case .new = state else { return true }
      state = .waiting(continuation)
      return false
    }
    if !isOver {
      timer.setEventHandler { [weak self] in self?.end(.success(())) }
      let nanoseconds = min(max(duration / .nanoseconds(1), 0), Self.most)
      timer.schedule(deadline: .now() + .nanoseconds(Int(nanoseconds)))
    }
    // A source that was never active must not be released, even if it was cancelled.
    timer.activate()
    if isOver { continuation.resume(throwing: CancellationError()) }
  }

  private func end(_ result: Result<Void, any Error>) {
    let before = state.withLock { state in
      defer { state = .over }
      return state
    }
    timer.cancel()
    if case .waiting(let continuation) = before { continuation.resume(with: result) }
  }
}
