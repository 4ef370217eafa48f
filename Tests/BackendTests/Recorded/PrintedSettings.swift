import ModemModel
import NetworkAddress

/// The settings of a bearer as they were printed, of which the backend takes what can be used.
struct PrintedSettings {
  /// One address family.
  struct Family {
    var addresses: [(address: IPAddress, length: Int)] = []
    var gateway: IPAddress?
    var dns: [IPAddress] = []
    var mtu: Int?

    /// The first address that reaches beyond the link, and the gateway where that is on the link.
    func assignment(lengths: ClosedRange<Int>, otherwise: Int) -> BearerSettings.Assignment? {
      let first = addresses.first { $0.address.isHost && !$0.address.isLinkLocal }
      guard let (address, length) = first,
        let prefix = IPPrefix(address, length: lengths.contains(length) ? length : otherwise)
      else { return nil }
      return BearerSettings.Assignment(prefix: prefix, gateway: gateway.flatMap { $0.isOn(prefix) ? $0 : nil })
    }
  }

  var ipv4 = Family()
  var ipv6 = Family()

  var assignments: (ipv4: BearerSettings.Assignment?, ipv6: BearerSettings.Assignment?) {
    (ipv4.assignment(lengths: 1...32, otherwise: 32), ipv6.assignment(lengths: 1...64, otherwise: 64))
  }

  /// IPv4 first, each once, none that is no host's.
  var dns: [IPAddress] {
    (ipv4.dns + ipv6.dns).reduce(into: []) { if $1.isHost, !$0.contains($1) { $0.append($1) } }
  }

  /// The smaller one that can be one, of the families that have an address.
  var mtu: Int? {
    let (v4, v6) = assignments
    return [(v4, ipv4.mtu, 576), (v6, ipv6.mtu, 1280)].compactMap { assignment, mtu, least in
      assignment == nil ? nil : mtu.flatMap { (least...65535).contains($0) ? $0 : nil }
    }.min()
  }
}

extension IPAddress {
  fileprivate var isHost: Bool { !isUnspecified && !isLoopback && !isMulticast }

  /// Whether it is another host of a prefix, or of an IPv6 link.
  fileprivate func isOn(_ prefix: IPPrefix) -> Bool {
    guard isHost, self != prefix.address, bytes.count == prefix.address.bytes.count else { return false }
    if case .v6 = self, isLinkLocal { return true }
    return bits.prefix(prefix.length) == prefix.address.bits.prefix(prefix.length)
  }

  private var bits: [Bool] { bytes.flatMap { byte in (0..<8).map { byte << $0 & 0x80 != 0 } } }
}
