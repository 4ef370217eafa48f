import LimitClock
import Synchronization

/// Time that stands still until it is moved: by the test, or by itself as soon as a number of tasks
/// sleep, because then nobody does anything until the first of them wakes.
package final class DrivenClock: Sendable {
  private struct Sleeper {
    let id: UInt64
    let deadline: Duration
    let wake: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Duration.zero
    var nextID: UInt64 = 0
    var sleepers: [Sleeper] = []
    /// Cancelled before they slept.
    var cancelled: Set<UInt64> = []
    var watchers: [AsyncStream<Int>.Continuation] = []

    /// Moves time, and takes those out whose time has come.
    mutating func move(to moment: Duration) -> [Sleeper] {
      now = max(now, moment)
      let woken = sleepers.filter { $0.deadline <= now }
      sleepers.removeAll { $0.deadline <= now }
      return woken
    }
  }

  private let crowd: Int?
  private let onMove: @Sendable (Duration) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - crowd: how many tasks sleep when time moves by itself to the first one's end; nil for
  ///     never. A flow sleeps twice: for its limit and for its pause.
  ///   - onMove: told by how much time moved, before anybody wakes.
  package init(movesWhenAsleep crowd: Int? = nil, onMove: @escaping @Sendable (Duration) -> Void = { _ in }) {
    self.crowd = crowd
    self.onMove = onMove
  }

  /// What is handed to those whose time it is.
  package var clock: LimitClock {
    LimitClock(now: { LimitClock.Instant(self.elapsed) }, sleep: { try await self.sleep($0) })
  }

  /// Since it was made.
  package var elapsed: Duration { state.withLock { $0.now } }

  /// Lets time pass. Who sleeps no longer than until then wakes.
  package func advance(by duration: Duration) {
    let woken = state.withLock { $0.move(to: $0.now + duration) }
    onMove(duration)
    for sleeper in woken { sleeper.wake.resume() }
  }

  /// Returns as soon as so many tasks sleep: how long each still has to, the shortest first.
  @discardableResult
  package func asleep(_ count: Int = 1) async -> [Duration] {
    let (changes, continuation) = AsyncStream.makeStream(of: Int.self)
    state.withLock { state in
      state.watchers.append(continuation)
      continuation.yield(state.sleepers.count)
    }
    for await present in changes where present >= count { break }
    return state.withLock { state in state.sleepers.map { $0.deadline - state.now }.sorted() }
  }

  private func sleep(_ duration: Duration) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (wake: CheckedContinuation<Void, any Error>) in
        begin(id, duration, wake)
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func begin(_ id: UInt64, _ duration: Duration, _ wake: CheckedContinuation<Void, any Error>) {
    let outcome: (error: (any Error)?, moved: Duration, woken: [Sleeper])? = state.withLock { state in
      if state.cancelled.remove(id) != nil { return (CancellationError(), .zero, []) }
      guard duration > .zero else { return (nil, .zero, []) }
      state.sleepers.append(Sleeper(id: id, deadline: state.now + duration, wake: wake))
      for watcher in state.watchers { watcher.yield(state.sleepers.count) }
      guard let crowd, state.sleepers.count >= crowd, let first = state.sleepers.map(\.deadline).min() else {
        return nil
      }
      let before = state.now
      let woken = state.move(to: first)
      return (nil, state.now - before, woken)
    }
    guard let outcome else { return }
    guard outcome.woken.isEmpty else {
      onMove(outcome.moved)
      for sleeper in outcome.woken { sleeper.wake.resume() }
      return
    }
    if let error = outcome.error { wake.resume(throwing: error) } else { wake.resume() }
  }

  private func cancel(_ id: UInt64) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.wake.resume(throwing: CancellationError())
  }
}

extension LimitClock {
  /// Whose waits end at once.
  package static let hurried = LimitClock(sleep: { _ in await Task.yield() })

  /// Whose waits end with the task that waits.
  package static let stopped = LimitClock(sleep: { _ in try await LimitClock.machine.pause(for: .longestWait) })
}

extension Duration {
  /// Longer than any test.
  fileprivate static let longestWait = Duration.seconds(3600)
}
