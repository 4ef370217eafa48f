/// Detects from two clocks that the machine was suspended: one of them stops during suspension, the
/// other does not.
public struct SuspendDetector: Hashable, Sendable {
  private var behind: Duration?
  private let threshold: Duration

  /// - Parameter threshold: shorter suspensions do not count.
  public init(threshold: Duration = .seconds(2)) { self.threshold = threshold }

  /// Takes the readings of both clocks. Each may count from its own starting point.
  ///
  /// - Parameters:
  ///   - continuous: CLOCK_BOOTTIME, which counts suspension.
  ///   - suspending: CLOCK_MONOTONIC, which does not.
  /// - Returns: how long the machine was suspended since the last readings; nil if it was not.
  public mutating func suspension(continuous: Duration, suspending: Duration) -> Duration? {
    let now = continuous - suspending
    defer { behind = now }
    guard let behind, now - behind >= threshold else { return nil }
    return now - behind
  }
}
