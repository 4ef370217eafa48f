/// How to use one modem.
public struct ModemSettings: Hashable, Sendable {
  /// How the modem is shared with ModemManager.
  public enum Sharing: String, Sendable, CaseIterable {
    /// As the other programs on the machine allow.
    case auto
    /// ModemManager must release the modem.
    case own
    /// Through the proxies, with our own session or mux id.
    case share
    /// ModemManager's bearer is used as it is.
    case follow
  }

  /// What guards the bearer against the machine's other users, and the machine against the network
  /// behind it.
  public enum Guard: String, Sendable, CaseIterable {
    /// A VRF, else the packet filter, else nothing, which is reported.
    case auto
    /// A VRF, and no bearer without one.
    case vrf
    /// Only the packet filter, and no bearer without it.
    case nftables
    /// Nothing: sockets of all users may leave by the bearer, and the machine's services answer
    /// over it.
    case off
  }

  /// When a starting port brings up a kept bearer again.
  public enum Resume: String, Sendable, CaseIterable {
    /// Never; nothing is written down.
    case off
    /// After the port's own end, and when the modem returns, until a reboot.
    case restart
    /// After the machine's start too.
    case boot
  }

  public var sharing = Sharing.auto
  /// The subscription's own numbers, entered by the user for a SIM without any.
  public var numbers: [String] = []
  /// Calling code of the country whose national numbers the SIM holds, 1 to 3 digits without `+`
  /// (ITU-T E.164); nil to take it from the home network.
  public var homeCountry: String?
  /// Physical slot to use, from 1; nil to leave the active one.
  public var slot: Int?
  /// How often the SIM may be asked to log in within 24 hours, 0 to 1000.
  public var authenticationsPerDay = 100
  /// MBIM session, or QMAP mux id, of our own bearer, 1 to 254; nil to choose automatically. 0 is
  /// the modem's main session.
  public var session: Int?
  /// Whether a requested bearer is brought up again after a loss.
  public var reconnects = true
  /// When a requested bearer is brought up again after the port's process ended or the modem
  /// vanished.
  public var resumes = Resume.restart
  /// Whether a new bearer is probed for traffic before use.
  public var probes = true
  public var guardian = Guard.auto

  /// Makes the settings of a modem without an entry in the configuration.
  public init() {}
}
