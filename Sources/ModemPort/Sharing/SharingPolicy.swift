import ModemModel

/// What runs beside a port, as far as it matters for sharing.
public struct SharingFacts: Hashable, Sendable {
  /// ModemManager, as seen on the system bus.
  public enum Manager: Hashable, Sendable {
    /// It does not run, or there is no system bus.
    case absent
    /// It runs; `modem` is nil while it does not have this port's modem.
    case running(version: String?, modem: ManagedModem?)
  }

  /// This port's modem, as ModemManager has it.
  public struct ManagedModem: Hashable, Sendable {
    /// Whether it has a connected bearer.
    public var isConnected: Bool
    /// Whether modem, driver and ModemManager leave room for another session or multiplexing id.
    public var canMultiplex: Bool

    public init(isConnected: Bool, canMultiplex: Bool) {
      self.isConnected = isConnected
      self.canMultiplex = canMultiplex
    }
  }

  public var manager: Manager
  /// Whether a proxy of the modem's protocol has the port open, or may have: then everyone must use it.
  public var proxyRuns: Bool

  public init(manager: Manager, proxyRuns: Bool = false) {
    self.manager = manager
    self.proxyRuns = proxyRuns
  }
}

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

  /// Whether both do the same, whatever the words.
  func isSame(as other: SharingDecision) -> Bool {
    sharing.way == other.sharing.way && sharing.session == other.sharing.session && usesProxy == other.usesProxy
      && inhibits == other.inhibits
  }
}

/// How a port and ModemManager get along: a function of the configuration and of what runs.
public struct SharingPolicy: Hashable, Sendable {
  /// The session or multiplexing id of a bearer beside ModemManager's. ModemManager numbers its own from 1.
  public static let usualSession = 77

  public var preference: ModemSettings.Sharing
  /// The session or multiplexing id for modemd's own bearer, 1 to 254; nil leaves it to the policy.
  public var session: Int?

  public init(_ preference: ModemSettings.Sharing = .auto, session: Int? = nil) {
    self.preference = preference
    self.session = session
  }

  /// What to do, given what runs.
  public func decide(_ facts: SharingFacts) -> SharingDecision {
    switch preference {
    case .own: own("own, as configured", facts)
    case .follow:
      SharingDecision(
        Sharing(way: .follow, reason: "follow, as configured", manager: facts.version), usesProxy: false)
    case .share: share("share, as configured", facts)
    case .auto: automatic(facts)
    }
  }

  private func automatic(_ facts: SharingFacts) -> SharingDecision {
    guard case .running(let version, let modem) = facts.manager else {
      return own("ModemManager does not run", facts)
    }
    guard let modem else { return own("ModemManager runs, and does not have this modem", facts) }
    if modem.isConnected {
      return SharingDecision(
        Sharing(way: .follow, reason: "ModemManager has the modem, with a connected bearer", manager: version),
        usesProxy: false)
    }
    if modem.canMultiplex || session != nil {
      return share("ModemManager has the modem, and there is room for a session beside its own", facts)
    }
    return SharingDecision(
      Sharing(
        way: .follow, reason: "ModemManager has the modem, and there is no room for a session beside its own",
        manager: version), usesProxy: false)
  }

  private func own(_ reason: String, _ facts: SharingFacts) -> SharingDecision {
    // ModemManager opens ports through the proxies: a direct reader would steal its replies, and it ours.
    SharingDecision(
      Sharing(way: .own, reason: reason, session: session, manager: facts.version),
      usesProxy: facts.proxyRuns || facts.manager != .absent,
      inhibits: preference == .own && facts.manager != .absent)
  }

  private func share(_ reason: String, _ facts: SharingFacts) -> SharingDecision {
    var number = session
    if number == nil, case .running(_, let modem?) = facts.manager, modem.canMultiplex { number = Self.usualSession }
    return SharingDecision(
      Sharing(
        way: .share,
        reason: number == nil ? reason + "; both use the modem's only session, whoever connects first" : reason,
        session: number, manager: facts.version), usesProxy: true)
  }

  /// Whether a port that works one way has to be opened anew to work another way.
  ///
  /// - Parameter hasBearer: whether the port's bearer is up, or on its way up or down. What works is not ended for a way that
  ///   would be chosen today; two readers on one control port, however, work for nobody.
  public static func mustChange(from old: SharingDecision, to new: SharingDecision, hasBearer: Bool) -> Bool {
    if old.isSame(as: new) { return false }
    let readsDirectly = old.sharing.way != .follow && !old.usesProxy
    if readsDirectly, new.usesProxy || new.sharing.way == .follow { return true }
    // Back to direct reading there is no hurry: a proxy does no harm.
    if old.sharing.way == new.sharing.way, old.sharing.session == new.sharing.session {
      return old.inhibits != new.inhibits
    }
    return !hasBearer
  }
}

extension SharingFacts {
  /// ModemManager's version while it runs.
  var version: String? { if case .running(let version, _) = manager { version } else { nil } }
}
