import CLinux
import Glibc
import NetworkAddress
import Rtnetlink

/// The links of a world: host and uplink joined by a pair of Ethernet devices, or of TUN devices
/// where packets take their time; host and operator by a pair of TUN devices.
struct WorldLinks: Sendable {
  /// Documentation ranges (RFC 5737, RFC 3849): the link between the host and its other uplink.
  static let uplinkAddresses = ["192.0.2.1/24", "2001:db8:ffff::1/64"].map(prefix)
  static let hostAddresses = ["192.0.2.2/24", "2001:db8:ffff::2/64"].map(prefix)

  let host: NetworkNamespace
  let network: NetworkNamespace
  let uplink: NetworkNamespace

  /// Sets up everything but the bearer itself, which modemd sets up.
  ///
  /// - Parameters:
  ///   - services: addresses of the servers; both the operator and the uplink own them.
  ///   - gateways: the operator's end of the bearer.
  ///   - uplinkDelay: one way, in milliseconds.
  /// - Returns: the operator's end of the bearer, and what carries packets to the uplink, if they
  ///   take their time.
  func make(
    services: [IPAddress], gateways: [IPPrefix], mtu: Int, uplinkDelay: Int
  ) async throws -> (network: TunDevice, uplink: TunnelPump?) {
    let pump = try await joinUplink(delay: uplinkDelay)
    try await uplink.run {
      let kernel = try Kernel()
      try kernel.bringUp("lo", services.map(Self.host))
      try kernel.bringUp("lan1", Self.uplinkAddresses)
    }
    try await host.run {
      let kernel = try Kernel()
      try kernel.bringUp("lo", [])
      try kernel.bringUp("lan0", Self.hostAddresses)
      for gateway in Self.uplinkAddresses { try kernel.setDefaultRoute(through: "lan0", gateway.address) }
    }
    let device = try await network.run {
      let kernel = try Kernel()
      try kernel.bringUp("lo", services.map(Self.host))
      let device = try TunDevice("gw0")
      try kernel.bringUp("gw0", gateways, mtu: mtu)
      return device
    }
    return (device, pump)
  }

  /// Makes both ends of the link between the host and its other uplink.
  private func joinUplink(delay: Int) async throws -> TunnelPump? {
    guard delay > 0 else {
      let uplinkDescriptor = uplink.descriptor
      try await host.run {
        let kernel = try Kernel()
        try kernel.session.makeVirtualEthernet("lan0", peer: "lan1")
        try kernel.session.move(try kernel.link("lan1"), toNamespace: uplinkDescriptor)
      }
      return nil
    }
    let gate = BearerGate()
    gate.open(for: Set(Self.hostAddresses.map(\.address)))
    return try TunnelPump(
      host: try await host.run { try TunDevice("lan0") }, network: try await uplink.run { try TunDevice("lan1") },
      delay: UInt64(delay) * 1_000_000, gate: gate)
  }

  /// Removes what was added to a host that continues to exist.
  func removeUplink() async throws {
    try await host.run {
      let kernel = try Kernel()
      try kernel.session.delete(try kernel.link("lan0"))
    }
  }

  /// The modem's network device: present, down and without an address, as a driver leaves it.
  func makeModemDevice() async throws -> TunDevice { try await host.run { try TunDevice("wwan0") } }

  private static func host(_ address: IPAddress) -> IPPrefix {
    IPPrefix(address, length: address.bytes.count * 8)!
  }

  private static func prefix(_ text: String) -> IPPrefix { IPPrefix(text: text)! }
}

extension IPPrefix {
  /// Reads an address, a slash and a length; nil for anything else.
  init?(text: some StringProtocol) {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, let address = IPAddress(halves[0]), let length = Int(halves[1]) else { return nil }
    self.init(address, length: length)
  }
}

/// The kernel's network settings in the namespace of the calling thread.
struct Kernel {
  let session: NetlinkSession

  init() throws {
    session = NetlinkSession(try KernelNetlinkSocket())
    // Some container engines turn IPv6 off in new namespaces; if it is on, this changes nothing.
    if let file = fopen("/proc/sys/net/ipv6/conf/all/disable_ipv6", "we") {
      fputs("0", file)
      fclose(file)
    }
  }

  func link(_ name: String) throws -> Link {
    guard let link = try session.link(named: name) else {
      throw WorldError(.system, "there is no interface \(name) in this namespace")
    }
    return link
  }

  func bringUp(_ name: String, _ addresses: [IPPrefix], mtu: Int? = nil) throws {
    let link = try link(name)
    try session.set(LinkChange(isUp: true, mtu: mtu), of: link)
    for prefix in addresses {
      let address = InterfaceAddress(interfaceIndex: link.index, prefix: prefix, skipsDuplicateDetection: true)
      try session.set(address, on: name)
    }
  }

  func setDefaultRoute(through interface: String, _ gateway: IPAddress) throws {
    let kind = Route.Kind.unicast(interfaceIndex: try link(interface).index, gateway: gateway)
    try session.replace(
      Route(
        AddressFamily(gateway), table: UInt32(RT_TABLE_MAIN.rawValue), kind: kind, metric: 100,
        origin: UInt8(RTPROT_STATIC)))
  }
}
