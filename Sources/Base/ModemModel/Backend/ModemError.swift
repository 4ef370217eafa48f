/// What went wrong between modemd and a modem.
public struct ModemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure a caller can act on. `ModemError.meaning` gives the meaning of each for
  /// the caller.
  public enum Code: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The control port cannot be opened.
    case deviceUnavailable
    /// The control port vanished during the call.
    case removed
    /// The modem did not answer in time.
    case timeout
    /// The caller gave up.
    case cancelled
    /// The modem does not support this command.
    case notSupported
    case simAbsent, simLocked, simNotReady
    /// The SIM refused the PIN; `retriesLeft` says how many attempts remain.
    case wrongPIN
    /// One more wrong PIN would or may block the SIM, and the caller did not allow that; nothing
    /// was entered.
    case lastAttempt
    case pinNotRequired
    case notRegistered
    /// The network refused the bearer; `networkCause` says why.
    case refused
    /// The modem cannot carry a session of this number beside others.
    case noSession
    /// The network gave the bearer no usable address.
    case noAddress
    case notConnected
    /// Too many commands are waiting for the modem.
    case busy
    /// The modem's answer cannot be read.
    case badReply
    /// The modem answered with an error of its own.
    case failed
    /// The kernel refused an address, route, rule or link change.
    case networking
    /// A bearer is up or coming up: take it down first.
    case inUse
    /// The modem has no slot of this number.
    case noSuchSlot

    public var description: String { rawValue }
  }

  public let code: Code
  /// One sentence without personal data: the request, the result, and what to do if anything can be
  /// done.
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

  /// The modem refused one of our own sessions, by its number from 1.
  ///
  /// - Parameters:
  ///   - refusal: the modem's refusal in words.
  ///   - name: the request to the modem.
  public static func noSession(_ session: Int, during name: String, _ refusal: String) -> ModemError {
    ModemError(
      .noSession,
      "\(name): the modem carries no session \(session) beside the usual one (\(refusal)); take `bearer.session` out of the "
        + "configuration, or set `sharing` to auto, follow or own")
  }

  public var description: String { cause.map { "\(message): \($0)" } ?? message }
}
