import ModemModel

/// How a port shares its modem.
package struct SharingDecision: Hashable, Sendable {
  package var sharing: Sharing
  /// Whether the control port is opened through mbim-proxy or qmi-proxy.
  package var usesProxy: Bool
  /// Whether ModemManager must release the modem, now and whenever it takes it again.
  package var inhibits: Bool

  package init(_ sharing: Sharing, usesProxy: Bool, inhibits: Bool = false) {
    self.sharing = sharing
    self.usesProxy = usesProxy
    self.inhibits = inhibits
  }

  /// The step needed to switch to another decision.
  package enum Step: Hashable, Sendable {
    /// Nothing, or nothing yet.
    case stay
    /// ModemManager is told of a change; the control port stays open and a bearer stays up.
    case tellManager
    /// The control port is reopened, which ends a bearer.
    case reopen
  }

  /// The step from this decision to `new`.
  ///
  /// A working bearer is not ended for a way that would only be chosen today. There are two
  /// exceptions. Two readers on one control port do not work for anybody. Over QMI, a bearer of
  /// ModemManager's that has the data port to itself does not work beside a multiplexed one.
  ///
  /// - Parameter facts: the facts behind `new`.
  package func step(to new: SharingDecision, _ facts: SharingFacts) -> Step {
    let readsDirectly = sharing.way != .follow && !usesProxy
    if readsDirectly, new.usesProxy || new.sharing.way == .follow { return .reopen }
    // A return to direct reading is not urgent, because a proxy does no harm.
    if sharing.way == new.sharing.way, sharing.session == new.sharing.session {
      return inhibits == new.inhibits ? .stay : .tellManager
    }
    guard facts.hasBearer else { return .reopen }
    let isShutOut = sharing.way == .share && sharing.session != nil && facts.managed?.takesDataPort == true
    return isShutOut ? .reopen : .stay
  }

  /// How the modem is shared now, by this decision, in words that remain true even if `new` would
  /// be chosen today.
  package func present(_ new: SharingDecision) -> Sharing {
    var present = new.sharing
    if sharing.way == new.sharing.way, sharing.session == new.sharing.session { return present }
    (present.way, present.session) = (sharing.way, sharing.session)
    present.reason = "as long as its bearer is up; then \(new.sharing.way.rawValue), because \(new.sharing.reason)"
    return present
  }
}
