/// What stands between a SIM and its use, from what the modem says of it, and what is to be done about it. No I/O.
///
/// A modem that has just started, and one that reads a card, may say "not inserted" of a SIM that is there (seen with
/// the Sierra MC7710 over MBIM). So absence is doubted for a while: it counts as initialising, and the modem is asked again.
public struct SIMMachine: Hashable, Sendable {
  /// What happened.
  public enum Event: Hashable, Sendable {
    /// The control port was opened, or another slot chosen: nothing that was said before counts.
    case started
    /// The modem's answer to a question about the SIM.
    case reported(SIMStatus)
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// The modem is to be asked once more; it may indicate nothing.
    case askAgain(after: Duration)
    /// The SIM asks for its PIN: now is the time for one that was deposited.
    case offerPIN
  }

  private enum Phase: Hashable, Sendable {
    /// The modem's word is doubted; it was asked again this often.
    case settling(asked: Int)
    case settled
  }

  /// Waits between the questions to a modem that calls its SIM absent or initialising.
  public let delays: [Duration]
  /// The SIM as it counts.
  public private(set) var shown = SIMStatus()
  private var phase = Phase.settling(asked: 0)
  private var wasOffered = false

  /// - Parameter delays: none believes the modem at once.
  public init(delays: [Duration] = SIMMachine.usualDelays) { self.delays = delays }

  /// Five seconds in all: what the slowest of the modems with this habit need.
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
    // A card that begins to be read: what comes next is doubted as after the start.
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
