/// How a QMI modem is reached, and how long it may take to answer.
public struct QMIConfiguration: Sendable {
  /// The control port, as in `/dev/cdc-wdm0`.
  public var path: String
  /// Whether to share the port through qmi-proxy, which libqmi starts where it does not run. It serves root only.
  public var usesProxy: Bool
  /// Name of the bearer's network interface; nil when it is not known.
  public var interface: String?
  /// A file that remembers this process's client ids, so that the next one can give them back after a crash; nil keeps
  /// no such file. A modem has about ten ids for a service, and loses those of a killed process until it is reset.
  public var stateFile: String?
  public var limits: Limits
  /// How many commands the modem gets at a time.
  public var commandsUnderWay: Int
  /// How many more commands may wait; beyond it a call fails with `busy`.
  public var commandsWaiting: Int

  /// Time limits of one call, to the millisecond.
  public struct Limits: Sendable {
    /// For opening the port, and for each client id that opening takes.
    public var open: Duration
    public var query: Duration
    /// A SIM thinks about its PIN.
    public var pin: Duration
    public var attach: Duration
    /// For each address family.
    public var connect: Duration
    /// How long the network may take to give addresses after it has accepted the bearer.
    public var addresses: Duration
    public var disconnect: Duration
    /// For each step of closing.
    public var close: Duration

    public init(
      open: Duration = .seconds(10), query: Duration = .seconds(10), pin: Duration = .seconds(30),
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
    path: String, usesProxy: Bool = false, interface: String? = nil, stateFile: String? = nil,
    limits: Limits = Limits(), commandsUnderWay: Int = 8, commandsWaiting: Int = 64
  ) {
    self.path = path
    self.usesProxy = usesProxy
    self.interface = interface
    self.stateFile = stateFile
    self.limits = limits
    self.commandsUnderWay = commandsUnderWay
    self.commandsWaiting = commandsWaiting
  }
}
