import ControlChannel
import ModemModel

/// How a QMI modem is reached, and how long it may take to answer.
public struct QMIConfiguration: Sendable {
  /// The control port, as in `/dev/cdc-wdm0`.
  public var path: String
  /// Whether to share the port through qmi-proxy, which libqmi starts where it does not run. It serves root only.
  public var usesProxy: Bool
  /// Name of the modem's network interface, as in `wwan0`. Some modems want to be told which one packets are for.
  public var interface: String?
  /// The multiplexing id of the bearer, 1 to 254; nil for a bearer that is the interface itself. Packets with one are aggregated
  /// (QMAP), and each id has a link over the interface.
  public var muxID: UInt8?
  /// When packets carry that id. Without an id they never do.
  public var aggregation: Aggregation
  /// The data port's name in QMI; nil for the interface's USB number, or else the chip's own port.
  public var endpoint: DataEndpoint?
  /// Whether the data port's format may be changed: another program's connected bearer would break.
  public var mayChangeFormat: Bool
  /// Asked when the port is closed: whether a format that was set for multiplexing may be set back. Another program's bearer may
  /// have joined on an id of its own.
  public var mayRestoreFormat: @Sendable () async -> Bool = { true }
  /// A file that lists the client ids this backend holds, so that the next open after a crash gives them back: a modem has
  /// few, and keeps them until it is reset. Nil keeps no list.
  public var stateFile: String?
  public var limits: Limits
  /// Who is told of each message, without what is personal in it.
  public var tap: ControlTap?
  /// How many commands the modem gets at a time, at least 2: one of them is kept for the control service, so that a client id is
  /// given back though other commands stay without an answer.
  public var commandsUnderWay: Int
  /// How many more commands may wait; beyond it a call fails with `busy`.
  public var commandsWaiting: Int
  /// How many commands in a row a modem may leave without an answer until it is called unresponsive.
  public var unansweredLimit = 5
  /// How long the modem's silence is borne, over a command and without one.
  public var patience = SilenceWatch.Patience()

  public typealias Limits = CommandLimits

  public init(
    path: String, usesProxy: Bool = false, interface: String? = nil, muxID: UInt8? = nil,
    aggregation: Aggregation? = nil, endpoint: DataEndpoint? = nil, mayChangeFormat: Bool = true,
    stateFile: String? = nil, limits: Limits = Limits(), commandsUnderWay: Int = 8, commandsWaiting: Int = 64
  ) {
    self.path = path
    self.usesProxy = usesProxy
    self.interface = interface
    self.muxID = muxID
    self.aggregation = aggregation ?? (muxID == nil ? .whereInsisted : .always)
    self.endpoint = endpoint
    self.mayChangeFormat = mayChangeFormat
    self.stateFile = stateFile
    self.limits = limits
    self.commandsUnderWay = commandsUnderWay
    self.commandsWaiting = commandsWaiting
  }
}
