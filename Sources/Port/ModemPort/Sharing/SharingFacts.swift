/// What runs beside a port, and what is known about its modem, as far as it matters for sharing.
package struct SharingFacts: Hashable, Sendable {
  /// ModemManager, as seen on the system bus.
  package enum Manager: Hashable, Sendable {
    /// It does not run, or there is no system bus.
    case absent
    /// It runs; `modem` is nil if it does not have this port's modem.
    case running(version: String?, modem: ManagedModem?)
  }

  /// This port's modem, as ModemManager describes it.
  package struct ManagedModem: Hashable, Sendable {
    /// How many of its bearers are connected; each uses a session.
    package var connectedBearers: Int
    /// Whether a connected bearer has the data port to itself: over QMI, one without multiplexing.
    package var takesDataPort: Bool

    package var isConnected: Bool { connectedBearers > 0 }

    package init(connectedBearers: Int = 0, takesDataPort: Bool = false) {
      self.connectedBearers = connectedBearers
      self.takesDataPort = takesDataPort
    }
  }

  package var manager: Manager
  /// Whether a proxy for the modem's protocol listens. It may have the port open, and then every
  /// program must use it.
  package var proxyRuns: Bool
  /// Whether ModemManager is installed, so that it may start at any time, and a proxy listens
  /// through which both can use the modem.
  package var managerMayCome = false
  /// Whether the modem's driver and the kernel support links for several sessions.
  package var carriesSessions: Bool
  /// The highest session number that the driver has a link for.
  package var lastSession = 254
  /// How many sessions the modem carries at the same time, by its own report; nil if it was not
  /// asked or does not report it.
  package var sessionLimit: Int?
  /// The modem's answer when it refused a session of modemd's own; nil if it never did.
  package var refusal: String?
  /// Whether ModemManager has released the modem because this port asked it to.
  package var isHeld = false
  /// Whether the port's bearer is up, or coming up or going down.
  package var hasBearer = false
  /// Whether a bearer was wanted that ModemManager did not have, and is still wanted.
  package var takesOver = false

  package init(manager: Manager, proxyRuns: Bool = false, carriesSessions: Bool = false, sessionLimit: Int? = nil) {
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
