/// How a port and ModemManager share one modem.
public enum SharingWay: String, Sendable, CaseIterable {
  /// modemd alone uses the modem: ModemManager does not run, leaves it alone, or was asked to
  /// release it.
  case own
  /// Both talk to the modem, through mbim-proxy or qmi-proxy; modemd has a bearer of its own.
  case share
  /// ModemManager controls the modem. Its bearer is used as it is; modemd only adds a routing table
  /// and rules.
  case follow
}

/// The way that a port chose, and the reason.
public struct Sharing: Hashable, Sendable {
  /// What ModemManager does with the modem.
  public enum ManagerState: String, Sendable, CaseIterable {
    /// It does not have this modem.
    case without
    /// It has the modem, and no connected bearer.
    case idle
    /// It has a connected bearer on it.
    case connected
    /// It has released the modem because the port asked it to.
    case inhibited
  }

  public var way: SharingWay
  /// One sentence.
  public var reason: String
  /// MBIM session or QMI multiplexing id of modemd's own bearer; nil if the bearer is the interface
  /// itself.
  public var session: Int?
  /// ModemManager's version while it runs.
  public var manager: String?
  /// Nil if ModemManager does not run.
  public var managerState: ManagerState?
  /// The ways that come before this one, each with the obstacle; nil if there are none.
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
