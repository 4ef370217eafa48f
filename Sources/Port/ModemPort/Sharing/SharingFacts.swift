/// What runs beside a port, and what is known of its modem, as far as it matters for sharing.
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
    /// How many of its bearers are connected: each takes a session.
    public var connectedBearers: Int
    /// Whether a connected bearer has the data port for itself: over QMI, one without multiplexing.
    public var takesDataPort: Bool

    public var isConnected: Bool { connectedBearers > 0 }

    public init(connectedBearers: Int = 0, takesDataPort: Bool = false) {
      self.connectedBearers = connectedBearers
      self.takesDataPort = takesDataPort
    }
  }

  public var manager: Manager
  /// Whether a proxy of the modem's protocol listens: it may have the port open, and then everyone must use it.
  public var proxyRuns: Bool
  /// Whether ModemManager is installed, so that it may come at any time, and a proxy listens by which it is met half-way.
  public var managerMayCome = false
  /// Whether the modem's driver and the kernel have links for sessions side by side.
  public var carriesSessions: Bool
  /// The highest number of a session that the driver has a link for.
  public var lastSession = 254
  /// How many sessions the modem carries side by side, as it says itself; nil where it was not asked, or does not say.
  public var sessionLimit: Int?
  /// What the modem said when it refused a session of modemd's own; nil when it never did.
  public var refusal: String?
  /// Whether ModemManager has let go of the modem because this port told it to.
  public var isHeld = false
  /// Whether the port's bearer is up, or on its way up or down.
  public var hasBearer = false
  /// Whether a bearer was wanted that ModemManager did not have, and nobody has let go of it since.
  public var takesOver = false

  public init(manager: Manager, proxyRuns: Bool = false, carriesSessions: Bool = false, sessionLimit: Int? = nil) {
    self.manager = manager
    self.proxyRuns = proxyRuns
    self.carriesSessions = carriesSessions
    self.sessionLimit = sessionLimit
  }

  /// ModemManager's version while it runs.
  var version: String? { if case .running(let version, _) = manager { version } else { nil } }

  /// The modem as ModemManager has it; nil while it does not.
  var managed: ManagedModem? { if case .running(_, let modem) = manager { modem } else { nil } }
}
