/// How one modem is to be used.
public struct ModemSettings: Hashable, Sendable {
  /// How the modem is shared with ModemManager.
  public enum Sharing: String, Sendable, CaseIterable {
    /// As what runs on the machine allows.
    case auto
    /// ModemManager is told to let go.
    case own
    /// Through the proxies, with a session or mux id of our own.
    case share
    /// ModemManager's bearer is used as it is.
    case follow
  }

  /// What guards the bearer against the machine's other users, and the machine against the network behind it.
  public enum Guard: String, Sendable, CaseIterable {
    /// A VRF, else the packet filter, else nothing, which is said.
    case auto
    /// A VRF, and no bearer without one.
    case vrf
    /// The packet filter alone, and no bearer without it.
    case nftables
    /// Nothing: every user's sockets may leave by the bearer, and the machine's services answer over it.
    case off
  }

  /// When a bearer that was kept is brought up again by a port that starts.
  public enum Resume: String, Sendable, CaseIterable {
    /// Never; nothing is written down.
    case off
    /// After the port's own end, and when the modem comes back, until the machine starts anew.
    case restart
    /// After the machine's start too.
    case boot
  }

  public var sharing = Sharing.auto
  /// The subscription's own numbers as the user knows them, for a SIM that carries none.
  public var numbers: [String] = []
  /// Calling code of the country whose national numbers the SIM holds, 1 to 3 digits without `+` (ITU-T E.164); nil to
  /// take it from the home network.
  public var homeCountry: String?
  /// Physical slot to use, from 1; nil to leave the active one.
  public var slot: Int?
  /// MBIM session, or QMAP mux id, of our own bearer, 1 to 254; nil to choose by what runs. 0 is the modem's only plain one.
  public var session: Int?
  /// Whether a bearer that was asked for is brought up again after it was lost.
  public var reconnects = true
  /// When one that was asked for is brought up again though the port's process or the modem went away meanwhile.
  public var resumes = Resume.restart
  /// Whether a new bearer is tried for traffic before anyone relies on it.
  public var probes = true
  public var guardian = Guard.auto

  /// Makes the settings of a modem that the configuration says nothing of.
  public init() {}
}
