import ControlChannel
import LimitClock
import ModemModel

/// How to reach a QMI modem, and how long it may take to answer.
package struct QMIConfiguration: Sendable {
  /// The control port, as in `/dev/cdc-wdm0`.
  package var path: String
  /// Whether to share the port through qmi-proxy, which libqmi starts if it does not run. It only
  /// serves root.
  package var usesProxy: Bool
  /// Name of the modem's network interface, as in `wwan0`. Some modems need to know the interface
  /// for packets.
  package var interface: String?
  /// The multiplexing id of the bearer, 1 to 254; nil if the bearer is the interface itself.
  /// Packets with an id are aggregated (QMAP), and each id has a link over the interface.
  package var muxID: UInt8?
  /// When packets carry that id. Without an id, they never do.
  package var aggregation: Aggregation
  /// The data port's name in QMI; nil for the interface's USB number, or else for the chip's own
  /// port.
  package var endpoint: DataEndpoint?
  /// Whether the data port's format may be changed, which would break another program's connected
  /// bearer.
  package var mayChangeFormat: Bool
  /// Asked when the port is closed: whether a format that was set for multiplexing may be restored.
  /// Another program's bearer may use an id of its own by then.
  package var mayRestoreFormat: @Sendable () async -> Bool = { true }
  /// A file that lists the client ids this backend holds, so that the next open after a crash
  /// releases them. A modem has few ids, and keeps them until it is reset. Nil keeps no list.
  package var stateFile: String?
  /// A file that records that a channel to the SIM is open, so that the next open after a crash
  /// closes it. Nil keeps no file.
  package var channelFile: String?
  /// How the modem passes challenges to its SIM, shared by the backends of one port.
  package var ways = AuthenticationWays()
  package var limits: Limits
  /// Receives each message without its personal data.
  package var tap: ControlTap?
  /// How many commands are sent to the modem at a time, at least 2. One of them is reserved for the
  /// control service, so that a client id can be released even if other commands are not answered.
  package var commandsUnderWay: Int
  /// How many more commands may wait; further calls fail with `busy`.
  package var commandsWaiting: Int
  /// How many commands in a row may stay unanswered before the modem counts as unresponsive.
  package var unansweredLimit = 5
  /// How long the modem may stay silent, during a command and without one.
  package var patience = SilenceWatch.Patience()
  /// For limits that reach over several commands, and for silence. A single command's limit is a
  /// timer of GLib.
  package var clock = LimitClock.machine

  package typealias Limits = CommandLimits

  package init(
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
