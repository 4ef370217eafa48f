import ModemModel
import NetworkAddress

/// A bearer as ModemManager describes it.
package struct ManagedBearer: Hashable, Sendable {
  /// How the interface gets its address (MMBearerIpMethod).
  package enum Method: Hashable, Sendable {
    /// The family is missing or not reported.
    case none
    /// The address is in the properties.
    case `static`
    /// The interface asks the network itself: DHCP, or router advertisements.
    case dynamic
  }

  package let path: String
  package let isConnected: Bool
  /// Whether it runs on a link beside other bearers.
  package let isMultiplexed: Bool
  package let interface: String?
  /// The requested access point; nil for the subscription's default.
  package let apn: String?
  package let ipv4: Method
  package let ipv6: Method
  /// Addresses, DNS servers and MTU, as far as ModemManager reports them.
  package let settings: BearerSettings

  init(_ path: String, _ properties: ManagedObjects.Properties) {
    self.path = path
    isConnected = properties["Connected"]?.bool ?? false
    isMultiplexed = properties["Multiplexed"]?.bool ?? false
    interface = properties["Interface"]?.someText
    apn = properties["Properties"]?.dictionary?["apn"]?.someText
    let (first, second) = (properties["Ip4Config"]?.dictionary ?? [:], properties["Ip6Config"]?.dictionary ?? [:])
    ipv4 = Self.method(first)
    ipv6 = Self.method(second)
    var settings = BearerSettings(ipv4: Self.assignment(first), ipv6: Self.assignment(second))
    settings.dns = [first, second].flatMap { config in
      ["dns1", "dns2", "dns3"].compactMap { config[$0]?.text.flatMap(IPAddress.init) }.filter { !$0.isUnspecified }
    }
    settings.mtu = [first, second].compactMap { $0["mtu"]?.number }.filter { $0 > 0 }.min()
    self.settings = settings
  }

  private static func method(_ config: [String: DBusValue]) -> Method {
    switch config["method"]?.number {
    case 2: .static
    // PPP also configures the interface.
    case 1, 3: .dynamic
    default: .none
    }
  }

  private static func assignment(_ config: [String: DBusValue]) -> BearerSettings.Assignment? {
    guard method(config) == .static, let address = config["address"]?.text.flatMap(IPAddress.init),
      let length = config["prefix"]?.number, let prefix = IPPrefix(address, length: length)
    else { return nil }
    let gateway = config["gateway"]?.text.flatMap(IPAddress.init).flatMap { $0.isUnspecified ? nil : $0 }
    return .init(prefix: prefix, gateway: gateway)
  }
}
