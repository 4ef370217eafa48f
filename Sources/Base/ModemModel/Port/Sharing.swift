/// How a port and ModemManager get along over one modem.
public enum SharingWay: String, Sendable, CaseIterable {
  /// The modem is modemd's alone: ModemManager does not run, leaves it alone, or was told to let go.
  case own
  /// Both talk to the modem, through mbim-proxy or qmi-proxy; modemd has a bearer of its own.
  case share
  /// ModemManager has the modem. Its bearer is used as it is; modemd adds a routing table and rules, and nothing else.
  case follow
}

/// The way that a port has chosen, and why.
public struct Sharing: Hashable, Sendable {
  /// What ModemManager does with the modem.
  public enum ManagerState: String, Sendable, CaseIterable {
    /// It does not have this modem.
    case without
    /// It has the modem, and no connected bearer.
    case idle
    /// It has a connected bearer on it.
    case connected
    /// It has let go of the modem because the port told it to.
    case inhibited
  }

  public var way: SharingWay
  /// One sentence.
  public var reason: String
  /// MBIM session or QMI multiplexing id of modemd's own bearer; nil where the bearer is the interface itself.
  public var session: Int?
  /// ModemManager's version while it runs.
  public var manager: String?
  /// Nil while ModemManager does not run.
  public var managerState: ManagerState?
  /// What comes before this way, each with what stands against it; nil where nothing does.
  public var passedOver: String?

  public init(
    way: SharingWay, reason: String, session: Int? = nil, manager: String? = nil, managerState: ManagerState? = nil,
    passedOver: String? = nil
  ) {
    self.way = way
    self.reason = reason
    self.session = session
    self.manager = manager
    self.managerState = managerState
    self.passedOver = passedOver
  }
}
