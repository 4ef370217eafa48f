import Dispatch
import Synchronization

/// One wait, which ends once: by its deadline, or by the cancellation of its task.
///
/// `Task.sleep` keeps its timer, some 700 bytes, until the time is over, even if nobody waits any
/// more. As the limit of calls that end at once, it would let a caller fill a process's memory.
final class Pause: Sendable {
  private enum State {
    case new
    /// Hears whether the time is over. With an error in place of that, this type alone would cost
    /// the start of a daemon a search through all its types.
    case waiting(CheckedContinuation<Bool, Never>)
    case over
  }

  private static let most = 1e18

  /// As of `DispatchTime`, which stops while the machine sleeps.
  let deadline: UInt64
  /// In the queue, which alone uses it; -1 if it is not there.
  let place = Atomic(-1)
  private let state = Mutex(State.new)

  private init(_ duration: Duration) {
    let nanoseconds = min(max(duration / .nanoseconds(1), 0), Self.most)
    deadline = DispatchTime.now().uptimeNanoseconds + UInt64(nanoseconds)
  }

  static func wait(for duration: Duration, in queue: PauseQueue = .machine) async throws {
    let pause = Pause(duration)
    let isTimeOver = await withTaskCancellationHandler {
      await withCheckedContinuation { pause.begin($0, in: queue) }
    } onCancel: {
      pause.end(isTimeOver: false)
      queue.remove(pause)
    }
    guard isTimeOver else { throw CancellationError() }
  }

  private func begin(_ continuation: CheckedContinuation<Bool, Never>, in queue: PauseQueue) {
    let isOver = state.withLock { state in
      guard case .new = state else { return true }
      state = .waiting(continuation)
      return false
    }
    if isOver { return continuation.resume(returning: false) }
    queue.add(self)
    // It may have been cancelled before it was added.
    if state.withLock({ if case .over = $0 { true } else { false } }) { queue.remove(self) }
  }

  func end(isTimeOver: Bool) {
    let before = state.withLock { state in
      defer { state = .over }
      return state
    }
    if case .waiting(let continuation) = before { continuation.resume(returning: isTimeOver) }
  }
}
