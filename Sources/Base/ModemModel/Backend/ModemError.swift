/// What went wrong between modemd and a modem.
public struct ModemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure a caller can act on; new ones may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case deviceUnavailable, removed, timeout, cancelled, notSupported, simAbsent, simLocked, simNotReady, wrongPIN
      case pinNotRequired, notRegistered, refused, noAddress, notConnected, busy, badReply, failed, networking
      case inUse, noSuchSlot, lastAttempt, noSession
    }
    private let kind: Kind
    public var description: String { kind.rawValue }

    /// The control port cannot be opened.
    public static let deviceUnavailable = Code(kind: .deviceUnavailable)
    /// The control port went away during the call.
    public static let removed = Code(kind: .removed)
    /// The modem did not answer in time.
    public static let timeout = Code(kind: .timeout)
    /// The caller gave up.
    public static let cancelled = Code(kind: .cancelled)
    /// The modem does not know this command.
    public static let notSupported = Code(kind: .notSupported)
    public static let simAbsent = Code(kind: .simAbsent)
    public static let simLocked = Code(kind: .simLocked)
    public static let simNotReady = Code(kind: .simNotReady)
    /// The SIM refused the PIN; `retriesLeft` says how many attempts remain.
    public static let wrongPIN = Code(kind: .wrongPIN)
    /// One more wrong PIN blocks the SIM, or may do so, and nobody said that it may; nothing was entered.
    public static let lastAttempt = Code(kind: .lastAttempt)
    public static let pinNotRequired = Code(kind: .pinNotRequired)
    public static let notRegistered = Code(kind: .notRegistered)
    /// The network refused the bearer; `networkCause` says why.
    public static let refused = Code(kind: .refused)
    /// The modem carries no session of this number beside others.
    public static let noSession = Code(kind: .noSession)
    /// The network gave the bearer no usable address.
    public static let noAddress = Code(kind: .noAddress)
    public static let notConnected = Code(kind: .notConnected)
    /// Too many commands are waiting for the modem.
    public static let busy = Code(kind: .busy)
    /// The modem's answer cannot be read.
    public static let badReply = Code(kind: .badReply)
    /// The modem answered with an error of its own.
    public static let failed = Code(kind: .failed)
    /// The kernel refused an address, route, rule or link change.
    public static let networking = Code(kind: .networking)
    /// A bearer is up, or on its way: take it down first.
    public static let inUse = Code(kind: .inUse)
    /// The modem has no slot of this number.
    public static let noSuchSlot = Code(kind: .noSuchSlot)
  }

  public let code: Code
  /// One sentence without personal data: what was asked, what came back, and what to do where there is something to do.
  public let message: String
  public let retriesLeft: Int?
  public let networkCause: NetworkCause?
  /// The underlying error in words.
  public let cause: String?

  public init(
    _ code: Code, _ message: String, retriesLeft: Int? = nil, networkCause: NetworkCause? = nil, cause: String? = nil
  ) {
    self.code = code
    self.message = message
    self.retriesLeft = retriesLeft
    self.networkCause = networkCause
    self.cause = cause
  }

  /// The modem refused a session of our own, by its number from 1.
  ///
  /// - Parameters:
  ///   - refusal: what the modem said, in words.
  ///   - name: what was asked of it.
  public static func noSession(_ session: Int, during name: String, _ refusal: String) -> ModemError {
    ModemError(
      .noSession,
      "\(name): the modem carries no session \(session) beside the usual one (\(refusal)); take `bearer.session` out of the "
        + "configuration, or set `sharing` to auto, follow or own")
  }

  public var description: String { cause.map { "\(message): \($0)" } ?? message }
}
