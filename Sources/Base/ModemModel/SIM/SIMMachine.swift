/// What prevents the use of a SIM, based on the modem's reports, and what to do about it. No I/O.
///
/// A modem that has just started, or is reading a card, may report "not inserted" for a SIM that is
/// there (seen with the Sierra MC7710 over MBIM). Absence is therefore doubted for a while: it
/// counts as initialising, and the modem is asked again.
public struct SIMMachine: Hashable, Sendable {
  /// What happened.
  public enum Event: Hashable, Sendable {
    /// The control port was opened, or another slot was chosen: earlier reports do not count.
    case started
    /// The modem's answer to a question about the SIM.
    case reported(SIMStatus)
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// Ask the modem once more; it may not indicate anything.
    case askAgain(after: Duration)
    /// The SIM waits for its PIN: enter a deposited one now.
    case offerPIN
  }

  private enum Phase: Hashable, Sendable {
    /// The modem's report is in doubt; it was asked again this many times.
    case settling(asked: Int)
    case settled
  }

  /// Waits between the questions to a modem that reports its SIM as absent or initialising.
  public let delays: [Duration]
  /// The SIM as it counts.
  public private(set) var shown = SIMStatus()
  private var phase = Phase.settling(asked: 0)
  private var wasOffered = false

  /// - Parameter delays: an empty list trusts the modem at once.
  public init(delays: [Duration] = SIMMachine.usualDelays) { self.delays = delays }

  /// Five seconds in all, enough for the slowest of these modems.
  public static let usualDelays: [Duration] = [
    .milliseconds(500), .milliseconds(500), .seconds(1), .seconds(1), .seconds(2),
  ]

  /// Whether a question to the modem is still due.
  public var isSettling: Bool { if case .settling(let asked) = phase { asked > 0 } else { false } }

  public mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .started:
      phase = .settling(asked: 0)
      wasOffered = false
      return []
    case .reported(let status): return report(status)
    }
  }

  private mutating func report(_ status: SIMStatus) -> [Action] {
    // The modem begins to read a card: the next reports are doubted as after the start.
    if status.state == .initialising, shown.state != .initialising { phase = .settling(asked: 0) }
    if status.state != .pinRequired || status.iccid != shown.iccid { wasOffered = false }
    switch status.state {
    case .absent, .initialising, .unknown: return doubt(status)
    case .pinRequired:
      phase = .settled
      shown = status
      defer { wasOffered = true }
      return wasOffered ? [] : [.offerPIN]
    case .pukRequired, .notActivated, .failed, .ready:
      phase = .settled
      shown = status
      return []
    }
  }

  private mutating func doubt(_ status: SIMStatus) -> [Action] {
    guard case .settling(let asked) = phase, asked < delays.count else {
      phase = .settled
      shown = status
      return []
    }
    phase = .settling(asked: asked + 1)
    shown = status.state == .absent ? SIMStatus(state: .initialising, slot: status.slot) : status
    return [.askAgain(after: delays[asked])]
  }
}
