import NIOCore
import OutsideNumber

/// Time limits for asking the bearer's DNS servers.
package struct DNSTiming: Hashable, Sendable {
  /// Time until the next server, or the same one again, is also asked. An answer to an earlier
  /// query still counts.
  package var attempt = Duration.seconds(1)
  /// Queries sent for one name and type, over all servers.
  package var attempts = 4
  /// Time until a name counts as not resolved.
  package var total = Duration.seconds(6)
  /// How much longer to wait for AAAA after A has arrived, and the reverse.
  package var otherFamily = Duration.milliseconds(50)

  package init() {}
}

extension TimeAmount {
  init(_ duration: Duration) {
    self = .nanoseconds(duration.bounded.saturatedNanoseconds)
  }
}
