/// Whether a PIN that was deposited is entered without anybody's doing. A wrong one costs one of few attempts, and the
/// last one the SIM.
public enum PINPolicy {
  public enum Decision: Hashable, Sendable {
    case enter(PIN)
    case withhold(Reason)
  }

  /// Why nothing is entered.
  public enum Reason: Hashable, Sendable, CaseIterable {
    /// None was deposited for this SIM.
    case none
    /// This SIM has refused this PIN.
    case refusedBefore
    /// Another wrong one would block the SIM.
    case lastAttempt
    /// The modem does not say how many attempts are left: it may be the last.
    case attemptsUnknown
  }

  /// - Parameters:
  ///   - pin: what was deposited for this SIM.
  ///   - retriesLeft: as the modem says.
  ///   - isRefused: whether this SIM has refused this PIN, or was given it and nobody knows what came of it.
  public static func decide(_ pin: PIN?, retriesLeft: Int?, isRefused: Bool) -> Decision {
    guard let pin else { return .withhold(.none) }
    guard !isRefused else { return .withhold(.refusedBefore) }
    guard let retriesLeft else { return .withhold(.attemptsUnknown) }
    return retriesLeft > 1 ? .enter(pin) : .withhold(.lastAttempt)
  }
}
