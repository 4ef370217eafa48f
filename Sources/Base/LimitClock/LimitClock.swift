/// The clock that time limits, waits and measured durations go by. Whoever has a limit takes one as
/// a parameter and calls no clock of its own, so that a test can decide how time passes.
package struct LimitClock: Clock {
  /// A moment of one clock. Only that clock's own moments can be compared.
  package struct Instant: InstantProtocol {
    /// Since a start that only the clock knows.
    package let sinceStart: Duration

    package init(_ sinceStart: Duration) { self.sinceStart = sinceStart }

    package func advanced(by duration: Duration) -> Instant { Instant(sinceStart + duration) }
    package func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }
    package static func < (one: Instant, other: Instant) -> Bool { one.sinceStart < other.sinceStart }
    package static func + (one: Instant, duration: Duration) -> Instant { one.advanced(by: duration) }
    package static func - (end: Instant, start: Instant) -> Duration { start.duration(to: end) }
  }

  private let moment: @Sendable () -> Instant
  private let wait: @Sendable (Duration) async throws -> Void

  /// Makes a clock of its two parts, as tests need it.
  ///
  /// - Parameters:
  ///   - now: the present moment; it never goes back.
  ///   - sleep: waits, and throws `CancellationError` as soon as its task is cancelled.
  package init(
    now: @escaping @Sendable () -> Instant = { LimitClock.machine.now },
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    moment = now
    wait = sleep
  }

  package var now: Instant { moment() }
  package var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until a moment. The tolerance is not used: a limit is met as closely as the machine can.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  package func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await wait(deadline - now)
  }

  /// Waits, and leaves nothing behind if the task is cancelled before the time is over.
  ///
  /// - Parameter duration: there is no wait below zero, and 30 years is the maximum.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  package func pause(for duration: Duration) async throws { try await wait(duration) }
}

extension LimitClock {
  /// The machine's clock of limits (CLOCK_MONOTONIC). Its time does not advance while the machine
  /// sleeps: nobody could do anything in that time, neither this process nor the modem.
  package static let machine: LimitClock = {
    let start = SuspendingClock.now
    return LimitClock(now: { Instant(SuspendingClock.now - start) }, sleep: { try await Pause.wait(for: $0) })
  }()

  /// The machine's clock of what others count (CLOCK_BOOTTIME). Its time also advances while the
  /// machine sleeps: the lease of an address ends meanwhile, and so do waits of this clock.
  package static let sinceBoot: LimitClock = {
    let start = ContinuousClock.now
    return LimitClock(
      now: { Instant(ContinuousClock.now - start) }, sleep: { try await Task.sleep(for: $0, clock: .continuous) })
  }()
}
