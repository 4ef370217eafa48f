/// How an MBIM modem is reached, and how long it may take to answer.
public struct MBIMConfiguration: Sendable {
  /// The control port, as in `/dev/cdc-wdm0`.
  public var path: String
  /// Whether to share the port through mbim-proxy, which libmbim starts where it does not run. It serves root only.
  public var usesProxy: Bool
  public var limits: Limits
  /// How many commands the modem gets at a time. A control port takes 4096 bytes and answers in order.
  public var commandsUnderWay: Int
  /// How many more commands may wait; beyond it a call fails with `busy`.
  public var commandsWaiting: Int

  /// Time limits of one call, to the millisecond.
  public struct Limits: Sendable {
    /// OPEN may be sent again every 5 seconds within it.
    public var open: Duration
    public var query: Duration
    /// A SIM thinks about its PIN.
    public var pin: Duration
    public var attach: Duration
    public var connect: Duration
    /// How long the network may take to give addresses after it has accepted the bearer.
    public var addresses: Duration
    public var disconnect: Duration
    /// For CLOSE, and for the bearer's end before it.
    public var close: Duration

    public init(
      open: Duration = .seconds(30), query: Duration = .seconds(10), pin: Duration = .seconds(30),
      attach: Duration = .seconds(60), connect: Duration = .seconds(180), addresses: Duration = .seconds(15),
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

  public init(
    path: String, usesProxy: Bool = false, limits: Limits = Limits(), commandsUnderWay: Int = 8,
    commandsWaiting: Int = 64
  ) {
    self.path = path
    self.usesProxy = usesProxy
    self.limits = limits
    self.commandsUnderWay = commandsUnderWay
    self.commandsWaiting = commandsWaiting
  }
}
