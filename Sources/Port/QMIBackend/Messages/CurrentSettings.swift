import ModemModel
import NetworkAddress

/// The addresses of one data session (WDS Get Current Settings).
struct CurrentSettings: Sendable {
  /// What to request: DNS servers, addresses, gateways, MTU, family.
  static let requested: UInt32 = 1 << 4 | 1 << 8 | 1 << 9 | 1 << 13 | 1 << 15

  var ipv4: BearerSettings.Assignment?
  var ipv6: BearerSettings.Assignment?
  var dns: [IPAddress]
  var mtu: Int?
  /// What to request from the link, because the modem gave no address.
  var onLink: BearerSettings.OnLink

  init(_ reply: QMIReply, family: DataSession.Family) throws(ModemError) {
    func v4(_ type: UInt8) throws(ModemError) -> IPAddress? {
      try reply.read(type) { field throws(FieldReader.Short) in .v4(IPv4Address(number: try field.u32())) }
    }
    func v6(_ type: UInt8) throws(ModemError) -> IPAddress? {
      try reply.read(type) { field throws(FieldReader.Short) in IPAddress(bytes: try field.bytes(16)) } ?? nil
    }
    let mask = try reply.read(0x21) { field throws(FieldReader.Short) in try field.u32() }
    let prefixLength = try reply.read(0x25) { field throws(FieldReader.Short) in
      _ = try field.bytes(16)
      return Int(try field.u8())
    }
    // Without a mask, the link is point-to-point.
    ipv4 = Self.assignment(
      try v4(0x1e), length: mask.flatMap(Self.prefixLength) ?? 32, gateway: mask == nil ? nil : try v4(0x20))
    // A device has its /64 to itself (RFC 6459, 5.2). Some firmware reports /128, or leaves the
    // length unset.
    let length6 = prefixLength.flatMap { (1...64).contains($0) ? $0 : nil } ?? 64
    ipv6 = Self.assignment(try v6(0x25), length: length6, gateway: try v6(0x26))
    dns = [try v4(0x15), try v4(0x16), try v6(0x27), try v6(0x28)].compactMap { $0 }.filter(\.isHost)
    var link = BearerSettings.OnLink()
    switch family {
    case .ipv4: link.usesDHCP = ipv4 == nil
    case .ipv6:
      link.usesAdvertisements = ipv6 == nil
      if ipv6 == nil, case .v6(let address)? = try v6(0x25), address.isLinkLocal { link.interfaceID = address.low }
    }
    onLink = link
    mtu = try reply.read(0x29) { field throws(FieldReader.Short) in Int(try field.u32()) }
  }

  private static func assignment(_ address: IPAddress?, length: Int, gateway: IPAddress?) -> BearerSettings.Assignment?
  {
    guard let address, address.isHost, !address.isLinkLocal, let prefix = IPPrefix(address, length: length) else {
      return nil
    }
    return BearerSettings.Assignment(prefix: prefix, gateway: gateway.flatMap { $0.isGateway(for: prefix) ? $0 : nil })
  }

  /// The length of a contiguous netmask; nil for any other.
  private static func prefixLength(_ mask: UInt32) -> Int? {
    mask != 0 && (~mask &+ 1).nonzeroBitCount == 1 ? mask.nonzeroBitCount : nil
  }
}

extension BearerSettings {
  /// Combines the settings of a bearer's sessions, one for each family that came up.
  init(_ sessions: [CurrentSettings]) {
    let ipv4 = sessions.lazy.compactMap(\.ipv4).first
    let ipv6 = sessions.lazy.compactMap(\.ipv6).first
    let mtus = sessions.compactMap { session in
      session.mtu.flatMap { ((session.ipv6 == nil ? 576 : 1280)...65535).contains($0) ? $0 : nil }
    }
    let dns = sessions.flatMap(\.dns)
    var seen: Set<IPAddress> = []
    let ordered = dns.filter { $0.bytes.count == 4 } + dns.filter { $0.bytes.count == 16 }
    self.init(
      ipv4: ipv4, ipv6: ipv6, dns: ordered.filter { seen.insert($0).inserted }, mtu: mtus.min(),
      onLink: OnLink(
        usesDHCP: sessions.contains(where: \.onLink.usesDHCP),
        usesAdvertisements: sessions.contains(where: \.onLink.usesAdvertisements),
        interfaceID: sessions.lazy.compactMap(\.onLink.interfaceID).first))
  }
}

extension IPAddress {
  /// Whether it can be the address of one host.
  fileprivate var isHost: Bool { !isUnspecified && !isLoopback && !isMulticast }

  /// Whether it is another host on the link of `prefix`. Other gateways are leftovers of the
  /// firmware. The link is point-to-point, so a route to the device itself is enough.
  fileprivate func isGateway(for prefix: IPPrefix) -> Bool {
    guard isHost, self != prefix.address, bytes.count == prefix.address.bytes.count else { return false }
    if case .v6 = self, isLinkLocal { return true }
    return zip(bytes, prefix.address.bytes).enumerated().allSatisfy { index, pair in
      let bits = min(max(prefix.length - index * 8, 0), 8)
      return (pair.0 ^ pair.1) >> (8 - bits) == 0
    }
  }
}
