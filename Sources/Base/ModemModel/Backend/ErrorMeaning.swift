extension ModemError {
  /// What an error means to whoever asked for something. The wires' errors, a chain's cause and the waits before the next attempt are made of it and of
  /// nothing else.
  public enum Meaning: Hashable, Sendable {
    /// SIM or registration do not let a bearer come up.
    case notReady(Lack)
    /// The network refused, or the modem has no session for it; `networkCause` says why where the network did.
    case refused
    case noAddress
    case bearerLost
    case wrongPIN, lastAttempt, pinNotRequired
    /// The bearer uses what was to be changed.
    case inUse
    case noSuchSlot, notSupported
    /// The modem, its control port or the kernel did not do what they were asked.
    case modemFailed
  }

  /// What is missing for a bearer. The names are those of the wires.
  public enum Lack: String, Hashable, Sendable, CaseIterable {
    case simAbsent, simLocked, simNotReady, notRegistered
  }

  /// What the error means: the one place that knows every code.
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

  /// Whether it stays until subscription, SIM or configuration change, so that trying again soon is of no use.
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
