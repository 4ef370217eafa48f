extension ModemError {
  /// What an error means to the caller. The wires' errors, a chain's cause and the waits before the
  /// next attempt all derive from it alone.
  public enum Meaning: Hashable, Sendable {
    /// The SIM or registration prevents a bearer.
    case notReady(Lack)
    /// The network refused, or the modem has no session for it; `networkCause` holds the network's
    /// reason.
    case refused
    case noAddress
    case bearerLost
    case wrongPIN, lastAttempt, pinNotRequired
    /// The bearer uses what the caller wanted to change.
    case inUse
    case noSuchSlot, notSupported
    /// The modem, its control port or the kernel failed to do what was asked.
    case modemFailed
  }

  /// What a bearer lacks. The names are those of the wires.
  public enum Lack: String, Hashable, Sendable, CaseIterable {
    case simAbsent, simLocked, simNotReady, notRegistered
  }

  /// What the error means: the only place that knows every code.
  public var meaning: Meaning {
    switch code {
    case .simAbsent: .notReady(.simAbsent)
    case .simLocked: .notReady(.simLocked)
    case .simNotReady: .notReady(.simNotReady)
    case .notRegistered: .notReady(.notRegistered)
    case .refused, .noSession: .refused
    case .noAddress: .noAddress
    case .notConnected: .bearerLost
    case .wrongPIN: .wrongPIN
    case .lastAttempt: .lastAttempt
    case .pinNotRequired: .pinNotRequired
    case .inUse: .inUse
    case .noSuchSlot: .noSuchSlot
    case .notSupported: .notSupported
    case .deviceUnavailable, .removed, .timeout, .cancelled, .busy, .badReply, .failed, .networking: .modemFailed
    }
  }

  /// Whether it lasts until the subscription, SIM or configuration changes, so that an early retry
  /// is useless.
  public var isLasting: Bool {
    switch meaning {
    case .refused: networkCause?.isLasting ?? false
    case .notReady(.simAbsent), .notReady(.simLocked): true
    case .notReady(.simNotReady), .notReady(.notRegistered), .noAddress, .bearerLost, .wrongPIN, .lastAttempt,
      .pinNotRequired, .inUse, .noSuchSlot, .notSupported, .modemFailed:
      false
    }
  }
}
