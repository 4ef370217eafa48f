/// How patiently connections are opened and used again.
public struct ConnectionTiming: Hashable, Sendable {
  /// Head start of each address before the next (RFC 8305, 5).
  public var nextAddress = Duration.milliseconds(250)
  /// How long a connection may take to become free again before another one is opened: a little more than a trip.
  public var reuse = Duration.milliseconds(250)

  public init() {}
}
