/// How long a modem may take for one command of a kind, to the millisecond.
package struct CommandLimits: Hashable, Sendable {
  /// For opening the port. An MBIM modem takes part in it, and OPEN may be sent again every 5
  /// seconds. The commands that follow have their own limits.
  package var open: Duration
  package var query: Duration
  /// A SIM takes its time to check a PIN, and to answer a challenge.
  package var pin: Duration
  package var attach: Duration
  /// For both address families together.
  package var connect: Duration
  /// How long an MBIM modem may take to report addresses after the network has accepted the bearer.
  /// After that, the link is asked. A QMI modem reports them with the connection.
  package var addresses: Duration
  package var disconnect: Duration
  /// For ending the bearer, for releasing the session or the client ids, and for closing the port.
  package var close: Duration

  package init(
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
  /// A time limit for libmbim or libqmi in whole seconds. It is later than this one, which the
  /// bridge enforces to the millisecond.
  package var librarySeconds: UInt32 { UInt32(clamping: max(components.seconds, 0) + 5) }
}
