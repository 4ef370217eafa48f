import ModemModel

/// What a port does about sharing.
public struct SharingDecision: Hashable, Sendable {
  public var sharing: Sharing
  /// Whether the control port is opened through mbim-proxy or qmi-proxy.
  public var usesProxy: Bool
  /// Whether ModemManager is told to let go of the modem, now and whenever it takes it again.
  public var inhibits: Bool

  public init(_ sharing: Sharing, usesProxy: Bool, inhibits: Bool = false) {
    self.sharing = sharing
    self.usesProxy = usesProxy
    self.inhibits = inhibits
  }

  /// What it takes to work by another decision.
  public enum Step: Hashable, Sendable {
    /// Nothing, or nothing yet.
    case stay
    /// ModemManager is told something else; the control port stays open, and a bearer up.
    case tellManager
    /// The control port is opened anew, and a bearer ends with it.
    case reopen
  }

  /// What a port that works by this decision does to work by `new`.
  ///
  /// A bearer that works is not ended for a way that would be chosen today. Two exceptions: two readers on one control port work
  /// for nobody; and over QMI a bearer of ModemManager's that has the data port for itself does not work beside a multiplexed one.
  ///
  /// - Parameter facts: those that `new` was decided by.
  public func step(to new: SharingDecision, _ facts: SharingFacts) -> Step {
    let readsDirectly = sharing.way != .follow && !usesProxy
    if readsDirectly, new.usesProxy || new.sharing.way == .follow { return .reopen }
    // Back to direct reading there is no hurry: a proxy does no harm.
    if sharing.way == new.sharing.way, sharing.session == new.sharing.session {
      return inhibits == new.inhibits ? .stay : .tellManager
    }
    guard facts.hasBearer else { return .reopen }
    let isShutOut = sharing.way == .share && sharing.session != nil && facts.managed?.takesDataPort == true
    return isShutOut ? .reopen : .stay
  }

  /// How the modem is shared now, by this decision, in words that are true also when `new` would be chosen today.
  public func present(_ new: SharingDecision) -> Sharing {
    var present = new.sharing
    if sharing.way == new.sharing.way, sharing.session == new.sharing.session { return present }
    (present.way, present.session) = (sharing.way, sharing.session)
    present.reason = "as long as its bearer is up; then \(new.sharing.way.rawValue), as \(new.sharing.reason)"
    return present
  }
}
