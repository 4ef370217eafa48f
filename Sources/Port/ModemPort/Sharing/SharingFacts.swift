/// What runs beside a port, and what is known about its modem, as far as it matters for sharing.
public struct SharingFacts: Hashable, Sendable {
  /// ModemManager, as seen on the system bus.
  public enum Manager: Hashable, Sendable {
    /// It does not run, or there is no system bus.
    case absent
    /// It runs; `modem` is nil if it does not have this port's modem.
    case running(version: String?, modem: ManagedModem?)
  }

  /// This port's modem, as ModemManager describes it.
  public struct ManagedModem: Hashable, Sendable {
    /// How many of its bearers are connected; each uses a session.
    public var connectedBearers: Int
    /// Whether a connected bearer has the data port to itself: over QMI, one without multiplexing.
    public var takesDataPort: Bool

    public var isConnected: Bool { connectedBearers > 0 }

    public init(connectedBearers: Int = 0, takesDataPort: Bool = false) {
      self.connectedBearers = connectedBearers
      self.takesDataPort = takesDataPort
    }
  }

  public var manager: Manager
  /// Whether a proxy for the modem's protocol listens. It may have the port open, and then every
  /// program must use it.
  public var proxyRuns: Bool
  /// Whether ModemManager is installed, so that it may start at any time, and a proxy listens
  /// through which both can use the modem.
  public var managerMayCome = false
  /// Whether the modem's driver and the kernel support links for several sessions.
  public var carriesSessions: Bool
  /// The highest session number that the driver has a link for.
  public var lastSession = 254
  /// How many sessions the modem carries at the same time, by its own report; nil if it was not
  /// asked or does not report it.
  public var sessionLimit: Int?
  /// The modem's answer when it refused a session of modemd's own; nil if it never did.
  public var refusal: String?
  /// Whether ModemManager has released the modem because this port asked it to.
  public var isHeld = false
  /// Whether the port's bearer is up, or coming up or going down.
  public var hasBearer = false
  /// Whether a bearer was wanted that ModemManager did not have, and is still wanted.
  public var takesOver = false

  public init(manager: Manager, proxyRuns: Bool = false, carriesSessions: Bool = false, sessionLimit: Int? = nil) {
    self.manager = manager
    self.proxyRuns = proxyRuns
    self.carriesSessions = carriesSessions
    self.sessionLimit = sessionLimit
  }

  /// ModemManager's version while it runs.
  var version: String? { if case .running(let version, _) = manager { version } else { nil } }

  /// The modem as ModemManager describes it; nil if ModemManager does not have it.
  var managed: ManagedModem? { if case .running(_, let modem) = manager { modem } else { nil } }
}
