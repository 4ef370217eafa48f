import LimitClock
import ModemModel

/// Detects from the clocks alone that the machine was suspended.
package enum SuspendWatch {
  /// The length of each suspension, as soon as it is noticed afterwards.
  ///
  /// - Parameters:
  ///   - interval: between two readings of the clocks.
  ///   - awake: advances only while the machine runs.
  ///   - sinceBoot: also advances while it sleeps.
  package static func resumptions(
    every interval: Duration = .seconds(5),
    awake: LimitClock = .machine, sinceBoot: LimitClock = .sinceBoot
  ) -> AsyncStream<Duration> {
    AsyncStream { continuation in
      let watch = Task {
        var detector = SuspendDetector()
        while !Task.isCancelled {
          let (continuous, suspending) = (sinceBoot.now.sinceStart, awake.now.sinceStart)
          if let time = detector.suspension(continuous: continuous, suspending: suspending) {
            continuation.yield(time)
          }
          guard (try? await sinceBoot.pause(for: interval)) != nil else { break }
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in watch.cancel() }
    }
  }
}
