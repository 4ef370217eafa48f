import NetworkAddress

/// What the network gave a bearer: addresses, gateways, DNS servers and MTU.
public struct BearerSettings: Hashable, Sendable {
  /// The address of one family.
  public struct Assignment: Hashable, Sendable {
    public var prefix: IPPrefix
    /// Nil on the point-to-point links that most modems are: the route is then to the device itself.
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
  /// Bytes; nil where the network does not say.
  public var mtu: Int?

  public init(ipv4: Assignment? = nil, ipv6: Assignment? = nil, dns: [IPAddress] = [], mtu: Int? = nil) {
    self.ipv4 = ipv4
    self.ipv6 = ipv6
    self.dns = dns
    self.mtu = mtu
  }

  /// Whether there is any address to send from.
  public var hasAddress: Bool { ipv4 != nil || ipv6 != nil }
}

/// A bearer's settings together with the interface and routing table that carry them.
public struct InstalledBearer: Hashable, Sendable {
  public var settings: BearerSettings
  /// Name of the network interface, as in `wwan0`.
  public var interface: String
  /// Index of that interface, never 0. A device that comes back under the same name has another one.
  public var interfaceIndex: Int
  /// Number of the routing table that holds the bearer's default route.
  public var table: Int

  public init(settings: BearerSettings, interface: String, interfaceIndex: Int, table: Int) {
    self.settings = settings
    self.interface = interface
    self.interfaceIndex = interfaceIndex
    self.table = table
  }
}

/// The bearer's life: each case carries what is valid in it.
public enum BearerState: Hashable, Sendable {
  /// Never brought up, or taken down; the cause says why where it was not asked for.
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
