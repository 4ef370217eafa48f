/// When a client that lost its broker tries again: full jitter, so that a fleet that was lost at
/// one moment does not come back at one moment.
package struct ReconnectSchedule: Hashable, Sendable {
  /// Why there is no connection.
  package enum Cause: Hashable, Sendable {
    /// The broker ended the connection, and probably everybody else's, too.
    case broker
    /// This machine's link, or an attempt, failed.
    case link
  }

  /// The first window, in which the first attempt after a loss of this machine's own falls, in
  /// milliseconds.
  private static let base: Int64 = 1000
  /// The widest window that a failure alone leads to.
  private static let ceiling: Int64 = 300_000
  /// A connection that held for so long was a good one: the windows begin anew.
  package static let goodAfter = Duration.seconds(60)
  /// Handshakes a second that a broker is believed to bear: half of what one thread of mosquitto
  /// does.
  package static let attemptsASecond = 200

  /// Milliseconds.
  private let spread: Int64
  private var failures = 0
  private var isSpread = false
  /// Since the broker was lost.
  private var hasTried = false

  /// - Parameter fleetSize: how many machines have the same broker; below 1 counts as 1.
  package init(fleetSize: Int) {
    spread = Int64(min(max(fleetSize, 1), 1_000_000_000)) * 1000 / Int64(Self.attemptsASecond)
  }

  /// The next attempt falls anywhere between now and so much later.
  package var window: Duration { .milliseconds(milliseconds) }

  private var milliseconds: Int64 {
    let doubled = min(Self.ceiling, Self.base << Int64(min(failures, 20)))
    guard isSpread else { return doubled }
    // While the broker is away, those whose first attempt came too early would meet in short
    // windows. They try twice in a window on average, so that it is twice as wide.
    return max(doubled, hasTried ? spread * 2 : spread)
  }

  /// A connection ended.
  ///
  /// - Parameter upFor: how long it had been up.
  /// - Returns: how long to wait.
  package mutating func lost(
    _ cause: Cause, upFor: Duration, using generator: inout some RandomNumberGenerator
  ) -> Duration {
    if upFor >= Self.goodAfter {
      failures = 0
      isSpread = false
      hasTried = false
    }
    if cause == .broker { isSpread = true }
    return next(using: &generator)
  }

  /// An attempt failed.
  ///
  /// - Returns: how long to wait.
  package mutating func failed(using generator: inout some RandomNumberGenerator) -> Duration {
    next(using: &generator)
  }

  private mutating func next(using generator: inout some RandomNumberGenerator) -> Duration {
    let longest = milliseconds
    failures += 1
    hasTried = true
    return .milliseconds(Int64.random(in: 0...longest, using: &generator))
  }
}
