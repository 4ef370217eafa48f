import NetworkAddress

/// What the network gave a bearer: addresses, gateways, DNS servers and MTU.
public struct BearerSettings: Hashable, Sendable {
  /// The address of one family.
  public struct Assignment: Hashable, Sendable {
    public var prefix: IPPrefix
    /// Nil on point-to-point links, which most modems have: the route then leads to the device
    /// itself.
    public var gateway: IPAddress?

    public init(prefix: IPPrefix, gateway: IPAddress? = nil) {
      self.prefix = prefix
      self.gateway = gateway
    }
  }

  public var ipv4: Assignment?
  public var ipv6: Assignment?
  /// In the order in which the network listed them, IPv4 first. 0.0.0.0 and :: are left out.
  public var dns: [IPAddress]
  /// Bytes; nil if the network does not give it.
  public var mtu: Int?
  /// What must still be requested from the link, because the modem gave no address for a granted
  /// family.
  public var onLink: OnLink

  /// Addresses that come over the link itself.
  public struct OnLink: Hashable, Sendable {
    /// IPv4 by DHCP (RFC 2131).
    public var usesDHCP: Bool
    /// IPv6 from router advertisements (RFC 4862).
    public var usesAdvertisements: Bool
    /// Interface identifier for that address: the low half of the link-local address from the
    /// network (3GPP TS 29.061, 11.2.1.3.2); nil if the network gave none.
    public var interfaceID: UInt64?

    public init(usesDHCP: Bool = false, usesAdvertisements: Bool = false, interfaceID: UInt64? = nil) {
      self.usesDHCP = usesDHCP
      self.usesAdvertisements = usesAdvertisements
      self.interfaceID = interfaceID
    }

    /// Nothing: the modem gave all.
    public static let nothing = OnLink()
  }

  public init(
    ipv4: Assignment? = nil, ipv6: Assignment? = nil, dns: [IPAddress] = [], mtu: Int? = nil,
    onLink: OnLink = .nothing
  ) {
    self.ipv4 = ipv4
    self.ipv6 = ipv6
    self.dns = dns
    self.mtu = mtu
    self.onLink = onLink
  }

  /// Whether there is any address to send from.
  public var hasAddress: Bool { ipv4 != nil || ipv6 != nil }
}

/// A bearer's settings together with the interface and routing table that carry them.
public struct InstalledBearer: Hashable, Sendable {
  public var settings: BearerSettings
  /// Name of the network interface, as in `wwan0`.
  public var interface: String
  /// Index of that interface, never 0. A device that returns under the same name has another index.
  public var interfaceIndex: Int
  /// Number of the routing table that holds the bearer's default route.
  public var table: Int
  /// What guards it; nil if the port does not report it.
  public var guardian: BearerGuard?

  public init(
    settings: BearerSettings, interface: String, interfaceIndex: Int, table: Int, guardian: BearerGuard? = nil
  ) {
    self.guardian = guardian
    self.settings = settings
    self.interface = interface
    self.interfaceIndex = interfaceIndex
    self.table = table
  }
}

extension InstalledBearer {
  /// Whether work begun over `earlier` can continue over this one: the same device and table, and
  /// every address is still there.
  public func carries(_ earlier: InstalledBearer) -> Bool {
    guard interfaceIndex == earlier.interfaceIndex, table == earlier.table else { return false }
    return [\BearerSettings.ipv4, \.ipv6].allSatisfy { family in
      earlier.settings[keyPath: family] == nil
        || earlier.settings[keyPath: family]?.prefix.address == settings[keyPath: family]?.prefix.address
    }
  }
}

/// The bearer's state; each case carries the data that is valid in it.
public enum BearerState: Hashable, Sendable {
  /// Never brought up, or taken down; the cause, unless that was requested.
  case down(NetworkCause?)
  case attaching
  case connecting
  /// The network has accepted; addresses and routes are being set.
  case configuring
  case up(InstalledBearer)
  case disconnecting
  /// The last attempt failed.
  case failed(NetworkCause)

  /// The installed bearer while it is up.
  public var installed: InstalledBearer? {
    if case .up(let bearer) = self { bearer } else { nil }
  }
}
