import ModemModel

/// Detects from the clocks alone that the machine was suspended.
package enum SuspendWatch {
  /// The length of each suspension, as soon as it is noticed afterwards.
  ///
  /// - Parameters:
  ///   - interval: between two readings of the clocks.
  ///   - clocks: readings of CLOCK_BOOTTIME and CLOCK_MONOTONIC, each from its own starting point.
  ///   - sleep: waits.
  package static func resumptions(
    every interval: Duration = .seconds(5),
    clocks: @escaping @Sendable () -> (continuous: Duration, suspending: Duration) = SuspendWatch.systemClocks(),
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) -> AsyncStream<Duration> {
    AsyncStream { continuation in
      let watch = Task {
        var detector = SuspendDetector()
        while !Task.isCancelled {
          let now = clocks()
          if let time = detector.suspension(continuous: now.continuous, suspending: now.suspending) {
            continuation.yield(time)
          }
          guard (try? await sleep(interval)) != nil else { break }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in watch.cancel() }
    }
  }

  /// The machine's clocks.
  package static func systemClocks() -> @Sendable () -> (continuous: Duration, suspending: Duration) {
    let (continuous, suspending) = (ContinuousClock.now, SuspendingClock.now)
    return { (ContinuousClock.now - continuous, SuspendingClock.now - suspending) }
  }
}
