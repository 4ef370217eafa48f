import ControlChannel
import ModemModel
import ReplyCheck

/// How an MBIM modem is reached, and how long it may take to answer.
public struct MBIMConfiguration: Sendable {
  /// The control port, as in `/dev/cdc-wdm0`.
  public var path: String
  /// Whether to share the port through mbim-proxy, which libmbim starts where it does not run. It serves root only.
  public var usesProxy: Bool
  /// A file that says which session is this program's, so that the next open after a crash may end it. Nil keeps none; then no
  /// session that is found active is ended.
  public var stateFile: String?
  /// The session of the bearer, 0 to 255 (MBIM 1.0, 10.5.12): 0 is the interface itself, others have links over it.
  public var session: UInt32
  /// Whether a session that is active already is this program's own, from a run that was killed, whatever the state file says.
  /// Another program's stays as it is.
  public var ownsLeftSession: Bool
  public var limits: Limits
  /// How many commands the modem gets at a time. A control port takes 4096 bytes and answers in order.
  public var commandsUnderWay: Int
  /// How many more commands may wait; beyond it a call fails with `busy`.
  public var commandsWaiting: Int
  /// How many commands in a row a modem may leave without an answer until it is called unresponsive.
  public var unansweredLimit = 5
  /// How long the modem's silence is borne, over a command and without one.
  public var patience = SilenceWatch.Patience()
  /// The highest version of Microsoft's extensions to agree on with the modem; `none` asks for nothing. A port that is shared
  /// through mbim-proxy has one version for all: there the one in force is followed, and none is asked for.
  public var extensions: MBIMExtensions
  /// Who is told of each message, without what is personal in it.
  public var tap: ControlTap?

  public typealias Limits = CommandLimits

  public init(
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
