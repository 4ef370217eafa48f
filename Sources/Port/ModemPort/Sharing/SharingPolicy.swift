import ModemModel

/// How a port and ModemManager share a modem: a function of the configuration and of what is known.
///
/// Without a setting in the configuration: share the modem if it has a free session; otherwise
/// follow a bearer of ModemManager's; otherwise make ModemManager release the modem once a bearer
/// is wanted. Docs/operations.md has the full description.
package struct SharingPolicy: Hashable, Sendable {
  /// The session or multiplexing id of a bearer beside ModemManager's, if the modem has that many.
  /// ModemManager numbers its own from 1.
  package static let usualSession = 77

  package var preference: ModemSettings.Sharing
  /// The session or multiplexing id for modemd's own bearer, 1 to 254; nil lets the policy choose.
  package var session: Int?

  package init(_ preference: ModemSettings.Sharing = .auto, session: Int? = nil) {
    self.preference = preference
    self.session = session
  }

  /// Whether the number of the modem's sessions matters, so that the modem must be asked.
  package func wantsSessionLimit(_ facts: SharingFacts) -> Bool {
    switch preference {
    case .own, .follow: false
    case .share: facts.carriesSessions && session == nil
    case .auto: facts.carriesSessions && facts.managed != nil
    }
  }

  /// What to do with the given facts.
  package func decide(_ facts: SharingFacts) -> SharingDecision {
    switch preference {
    case .own: own("own, as configured", facts, inhibits: facts.manager != .absent)
    case .follow: follow("follow, as configured", facts)
    case .share: share("share, as configured", facts)
    case .auto: automatic(facts)
    }
  }

  private func automatic(_ facts: SharingFacts) -> SharingDecision {
    guard case .running(_, let modem) = facts.manager else { return own("ModemManager does not run", facts) }
    let isWanted = facts.takesOver || facts.hasBearer
    guard let modem else {
      if facts.isHeld, isWanted { return takeOver(facts, besides: sessionObstacle(facts)) }
      return own("ModemManager runs, but does not have this modem", facts)
    }
    guard let obstacle = sessionObstacle(facts) else {
      return share("ModemManager has the modem, and there is a session beside its own", facts)
    }
    if modem.isConnected {
      return follow("ModemManager has the modem, with a connected bearer", facts, passedOver: "share: \(obstacle)")
    }
    if isWanted { return takeOver(facts, besides: obstacle) }
    return follow(
      "ModemManager has the modem without a bearer; it is asked to release it when one is wanted", facts,
      passedOver: "share: \(obstacle)")
  }

  /// Why there is no free session beside ModemManager's; nil if there is or may be one.
  private func sessionObstacle(_ facts: SharingFacts) -> String? {
    if let refusal = facts.refusal { return "the modem refused it: \(refusal)" }
    guard facts.carriesSessions else { return "the driver or the kernel has no links for several sessions" }
    if facts.sessionLimit == 1 { return "the modem carries one session" }
    // One belongs to ModemManager, whether it is connected or will be.
    if let limit = facts.sessionLimit, limit <= max(facts.managed?.connectedBearers ?? 0, 1) {
      return "all \(limit) sessions of the modem are taken"
    }
    if facts.managed?.takesDataPort == true { return "ModemManager's bearer has the data port to itself" }
    return nil
  }

  private func takeOver(_ facts: SharingFacts, besides obstacle: String?) -> SharingDecision {
    let reasons = [obstacle.map { "share: \($0)" }, "follow: ModemManager had no bearer when one was wanted"]
    return own(
      "ModemManager was asked to release the modem", facts, inhibits: true,
      passedOver: reasons.compactMap(\.self).joined(separator: "; "))
  }

  private func own(
    _ reason: String, _ facts: SharingFacts, inhibits: Bool = false, passedOver: String? = nil
  ) -> SharingDecision {
    // By default, the port manages without a session if the modem or its driver has none, and
    // reports so.
    let lacks = preference == .auto && session != nil && (facts.refusal != nil || !facts.carriesSessions)
    let obstacle = lacks ? "session \(session ?? 0): \(sessionObstacle(facts) ?? "refused")" : nil
    // ModemManager opens ports through the proxies. A direct reader would take its replies, and it
    // would take ours. If ModemManager may start later, the proxy is used from the start, because a
    // port that switches over closes the modem just when ModemManager opens it.
    return SharingDecision(
      Sharing(
        way: .own, reason: reason, session: lacks ? nil : session, manager: facts.version,
        managerState: facts.managerState, passedOver: passedOver ?? obstacle),
      usesProxy: facts.proxyRuns || facts.managerMayCome || facts.manager != .absent, inhibits: inhibits)
  }

  private func follow(_ reason: String, _ facts: SharingFacts, passedOver: String? = nil) -> SharingDecision {
    SharingDecision(
      Sharing(
        way: .follow, reason: reason, manager: facts.version, managerState: facts.managerState, passedOver: passedOver),
      usesProxy: false)
  }

  private func share(_ reason: String, _ facts: SharingFacts) -> SharingDecision {
    let number = session ?? usualSession(facts)
    return SharingDecision(
      Sharing(
        way: .share,
        reason: number == nil ? reason + "; both use the modem's only session, whoever connects first" : reason,
        session: number, manager: facts.version, managerState: facts.managerState), usesProxy: true)
  }

  /// The highest session of a modem with few of them, because some modems also limit the session
  /// number to their count.
  private func usualSession(_ facts: SharingFacts) -> Int? {
    guard facts.carriesSessions, facts.sessionLimit != 1 else { return nil }
    return min(Self.usualSession, (facts.sessionLimit ?? .max) - 1, facts.lastSession)
  }
}

extension SharingFacts {
  /// What ModemManager does with the modem; nil if it does not run.
  var managerState: Sharing.ManagerState? {
    guard case .running(_, let modem) = manager else { return nil }
    guard let modem else { return isHeld ? .inhibited : .without }
    return modem.isConnected ? .connected : .idle
  }
}
