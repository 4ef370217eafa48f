/// How long a modem may take over one command of a kind, to the millisecond.
public struct CommandLimits: Hashable, Sendable {
  /// For the port. An MBIM modem takes part in it, and OPEN may be sent again every 5 seconds; the commands that follow have their own limits.
  public var open: Duration
  public var query: Duration
  /// A SIM thinks about its PIN.
  public var pin: Duration
  public var attach: Duration
  /// For both address families together.
  public var connect: Duration
  /// How long an MBIM modem may take to tell addresses after the network has accepted the bearer; then the link is asked. A QMI modem tells
  /// them with the connection.
  public var addresses: Duration
  public var disconnect: Duration
  /// For the bearer's end, and for giving back the session or the client ids, and for the port.
  public var close: Duration

  public init(
    open: Duration = .seconds(30), query: Duration = .seconds(10), pin: Duration = .seconds(30),
    attach: Duration = .seconds(60), connect: Duration = .seconds(180), addresses: Duration = .seconds(5),
    disconnect: Duration = .seconds(120), close: Duration = .seconds(5)
  ) {
    self.open = open
    self.query = query
    self.pin = pin
    self.attach = attach
    self.connect = connect
    self.addresses = addresses
    self.disconnect = disconnect
    self.close = close
  }
}

extension Duration {
  /// A time limit for libmbim or libqmi, in their whole seconds: later than this one, which the bridge keeps to the millisecond.
  package var librarySeconds: UInt32 { UInt32(clamping: max(components.seconds, 0) + 5) }
}
