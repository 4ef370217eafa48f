import LimitClock
import Synchronization

/// Numbers the steps of several machines that run one after the other as one flow.
final class StepCounter: Sendable {
  /// The number from which one machine's steps count.
  struct Base: Sendable {
    let index: Int
    let begin: Double
    /// The same moment by the clock: what the machine's steps count their times from.
    let instant: LimitClock.Instant
  }

  private struct State {
    var count = 0
    var isPrepared = false
    var place = FlowPlace()
  }

  private let clock: LimitClock
  /// When the first machine was about to run.
  private let start: LimitClock.Instant
  private let state = Mutex(State())

  init(_ clock: LimitClock) {
    self.clock = clock
    start = clock.now
  }

  /// Whether the bearer must still be prepared; true only once.
  func beginsPreparation() -> Bool {
    state.withLock { state in
      defer { state.isPrepared = true }
      return !state.isPrepared
    }
  }

  func begin() -> Base {
    let now = clock.now
    return Base(index: state.withLock { $0.count }, begin: (now - start) / .milliseconds(1), instant: now)
  }

  func follow(_ progress: FlowProgress, _ base: Base) -> FlowProgress {
    switch progress {
    case .messageSent: return progress
    case .hop(let step, let hop): return .hop(step: base.index + step, hop)
    case .step(var step):
      step.index += base.index
      step.begin = max(step.begin + base.begin, 0)
      state.withLock { $0.count = max($0.count, step.index) }
      return .step(step)
    }
  }

  func note(_ place: FlowPlace) { state.withLock { $0.place.note(place) } }

  var place: FlowPlace { state.withLock { $0.place } }
}
