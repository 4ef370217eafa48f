import Dispatch
import Synchronization

extension Task where Success == Never, Failure == Never {
  /// Waits, and leaves nothing behind when the task is cancelled before the time is over.
  ///
  /// `Task.sleep` keeps its timer, some 700 bytes, until the time is over, whether anybody waits for it any more or not. As the time
  /// limit of a call that ends at once it would let a caller fill the memory of a process.
  ///
  /// - Parameter duration: nothing is waited for below zero; more than 30 years are 30 years. While the machine sleeps no time goes by.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public static func pause(for duration: Duration) async throws {
    let pause = Pause()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { pause.begin(duration, $0) }
    } onCancel: {
      pause.end(.failure(_Concurrency.CancellationError()))
    }
  }
}

/// One wait, which ends once: by its timer, or by its task's cancellation.
private final class Pause: Sendable {
  private enum State {
    case new
    case waiting(CheckedContinuation<Void, any Error>)
    case over
  }

  private static let most = 1e18

  private let state = Mutex(State.new)
  // Dispatch sources may be used by all threads at once; their Swift type does not say so.
  nonisolated(unsafe) private let timer = DispatchSource.makeTimerSource(queue: .global())

  func begin(_ duration: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
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
    // A source that was never active must not be let go of, not even a cancelled one.
    timer.activate()
    if isOver { continuation.resume(throwing: CancellationError()) }
  }

  func end(_ result: Result<Void, any Error>) {
    let before = state.withLock { state in
      defer { state = .over }
      return state
    }
    timer.cancel()
    if case .waiting(let continuation) = before { continuation.resume(with: result) }
  }
}
