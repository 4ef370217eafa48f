import NIOCore
import OutsideNumber

/// How patiently the bearer's DNS servers are asked.
public struct DNSTiming: Hashable, Sendable {
  /// Until the next server, or the same one again, is asked too; an answer to an earlier query still counts.
  public var attempt = Duration.seconds(1)
  /// Queries sent for one name and type, over all servers.
  public var attempts = 4
  /// Until a name counts as not resolved.
  public var total = Duration.seconds(6)
  /// How much longer to wait for AAAA once A is there, and the other way around.
  public var otherFamily = Duration.milliseconds(50)

  public init() {}
}

extension TimeAmount {
  init(_ duration: Duration) {
    self = .nanoseconds(duration.bounded.saturatedNanoseconds)
  }
}
