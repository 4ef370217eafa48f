/// Whether to enter a deposited PIN automatically. A wrong PIN costs one of few attempts, and the
/// last one blocks the SIM.
public enum PINPolicy {
  public enum Decision: Hashable, Sendable {
    case enter(PIN)
    case withhold(Reason)
  }

  /// Why nothing is entered.
  public enum Reason: Hashable, Sendable, CaseIterable {
    /// None was deposited for this SIM.
    case none
    /// This SIM has already refused this PIN.
    case refusedBefore
    /// Another wrong one would block the SIM.
    case lastAttempt
    /// The modem does not report how many attempts are left: it may be the last.
    case attemptsUnknown
  }

  /// - Parameters:
  ///   - pin: the PIN that is deposited for this SIM.
  ///   - retriesLeft: as the modem reports.
  ///   - isRefused: whether this SIM has refused this PIN, or was given it with an unknown result.
  public static func decide(_ pin: PIN?, retriesLeft: Int?, isRefused: Bool) -> Decision {
    guard let pin else { return .withhold(.none) }
    guard !isRefused else { return .withhold(.refusedBefore) }
    guard let retriesLeft else { return .withhold(.attemptsUnknown) }
    return retriesLeft > 1 ? .enter(pin) : .withhold(.lastAttempt)
  }
}
