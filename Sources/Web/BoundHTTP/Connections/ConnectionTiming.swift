/// How patiently connections are opened and used again.
public struct ConnectionTiming: Hashable, Sendable {
  /// Head start of each address before the next (RFC 8305, 5).
  public var nextAddress = Duration.milliseconds(250)
  /// Head start of the chain's own family before the other one is tried too: a server of which only the other answers is reached, and
  /// a slow one keeps the chain's address.
  public var otherFamily = Duration.seconds(2)
  /// How long a connection has to stay quiet behind an answer before the next request is written on it, the time that has
  /// passed anyway among it. Servers that hang up without saying so do it within this time.
  public var quiet = Duration.milliseconds(1)
  /// How long a connection may take to become free again before another one is opened: a little more than a trip.
  public var reuse = Duration.milliseconds(250)

  public init() {}
}
