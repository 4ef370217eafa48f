import ControlChannel
import LimitClock
import ModemModel
import ReplyCheck

/// How to reach an MBIM modem, and how long it may take to answer.
package struct MBIMConfiguration: Sendable {
  /// The control port, as in `/dev/cdc-wdm0`.
  package var path: String
  /// Whether to share the port through mbim-proxy, which libmbim starts if it does not run. It only
  /// serves root.
  package var usesProxy: Bool
  /// A file that records which session is this program's, so that the next open after a crash may
  /// end it. Nil keeps no file; then no active session is ended.
  package var stateFile: String?
  /// A file that records that a channel to the SIM is open, so that the next open after a crash
  /// closes it. Nil keeps no file.
  package var channelFile: String?
  /// How the modem passes challenges to its SIM, shared by the backends of one port.
  package var ways = AuthenticationWays()
  /// The session of the bearer, 0 to 255 (MBIM 1.0, 10.5.12). Session 0 uses the interface itself;
  /// others use links over it.
  package var session: UInt32
  /// Whether an already active session counts as this program's own, left by a run that was killed,
  /// regardless of the state file. Another program's session is not touched.
  package var ownsLeftSession: Bool
  package var limits: Limits
  /// How many commands are sent to the modem at a time. A control port takes 4096 bytes and answers
  /// in order.
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
  /// The highest version of Microsoft's extensions to agree on with the modem; `none` requests
  /// nothing. A port shared through mbim-proxy has one version for all clients: the one in force is
  /// used, and none is requested.
  package var extensions: MBIMExtensions
  /// Receives each message without its personal data.
  package var tap: ControlTap?

  package typealias Limits = CommandLimits

  package init(
    path: String, usesProxy: Bool = false, session: UInt32 = 0, ownsLeftSession: Bool = false,
    stateFile: String? = nil, limits: Limits = Limits(), commandsUnderWay: Int = 8, commandsWaiting: Int = 64,
    extensions: MBIMExtensions = .none
  ) {
    self.path = path
    self.usesProxy = usesProxy
    self.stateFile = stateFile
    self.session = session
    self.ownsLeftSession = ownsLeftSession
    self.limits = limits
    self.commandsUnderWay = commandsUnderWay
    self.commandsWaiting = commandsWaiting
    self.extensions = extensions
  }
}
