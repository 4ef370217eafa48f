import ModemModel
import NetworkAddress
import Rtnetlink

/// Addresses that a network must not give to a bearer.
extension BearerNetwork {
  /// Leaves out addresses that cannot belong to a host, if another one remains.
  ///
  /// - Throws: `ModemError` `networking`.
  static func usable(_ settings: BearerSettings) throws -> BearerSettings {
    var settings = settings
    // Some modems report the link-local address instead of the one that comes over the link.
    if settings.ipv4 != nil, settings.ipv6?.prefix.address.isLinkLocal == true { settings.ipv6 = nil }
    for assignment in [settings.ipv4, settings.ipv6].compactMap({ $0 }) where !assignment.prefix.address.isHosts {
      throw ModemError(
        .networking,
        "the network gave the bearer the address \(assignment.prefix.address), which no host can have; "
          + "ask the operator, or try another APN")
    }
    return settings
  }

  /// Without a VRF, the bearer's addresses belong to the whole machine.
  func requireNoConflict(_ settings: BearerSettings, on link: Link, _ kernel: NetlinkSession) throws {
    let given = [settings.ipv4, settings.ipv6].compactMap { $0?.prefix.address }
    guard !given.isEmpty else { return }
    let own = try kernel.addresses().filter { $0.interfaceIndex != link.index }
    let routes = try kernel.routes().filter { $0.origin != BearerPlan.Numbers.origin }
    let resolvers = files.resolvers()
    for address in given {
      if let other = own.first(where: { $0.prefix.address == address }) {
        throw try Self.conflict(address, "is an address of \(Self.name(other.interfaceIndex, kernel)) already")
      }
      if routes.contains(where: { if case .unicast(_, address) = $0.kind { true } else { false } }) {
        throw Self.conflict(address, "is a gateway of this machine")
      }
      if resolvers.contains(address) { throw Self.conflict(address, "is a name server of this machine") }
      if let subnet = own.first(where: { $0.prefix.covers(address) && !$0.prefix.address.isLinkLocal }) {
        throw try Self.conflict(
          address, "lies in \(subnet.prefix), to which \(Self.name(subnet.interfaceIndex, kernel)) belongs")
      }
    }
  }

  private static func name(_ index: Int, _ kernel: NetlinkSession) throws -> String {
    try kernel.link(index: index)?.name ?? "interface \(index)"
  }

  private static func conflict(_ address: IPAddress, _ reason: String) -> ModemError {
    ModemError(
      .networking,
      "the network gave the bearer \(address), which \(reason): without a VRF it would take packets of the machine's "
        + "own; use a kernel with VRF (CONFIG_NET_VRF) and leave `bearer.guard` at auto")
  }
}

extension IPAddress {
  /// Whether it can be the address of one host. Addresses of this network, loopback, multicast,
  /// reserved ones, and IPv4 addresses in IPv6 form cannot.
  fileprivate var isHosts: Bool {
    switch self {
    case .v4(let address): !address.isLoopback && address.number >> 24 != 0 && address.number >> 28 < 0xe
    case .v6(let address): !address.isMulticast && !address.isLinkLocal && address.high >> 48 != 0
    }
  }
}

extension IPPrefix {
  /// Whether it contains an address of the same family. A single address contains no other.
  fileprivate func covers(_ other: IPAddress) -> Bool {
    guard AddressFamily(address) == AddressFamily(other), length > 0 else { return false }
    let pairs = zip(address.bytes, other.bytes).enumerated()
    return pairs.allSatisfy { place, pair in
      let bits = min(8, max(0, length - 8 * place))
      let mask = UInt8(truncatingIfNeeded: 0xff00 >> bits)
      return pair.0 & mask == pair.1 & mask
    }
  }
}

extension LinkFiles {
  /// The name servers of the machine's resolver, including those behind systemd-resolved.
  func resolvers() -> Set<IPAddress> {
    Set(
      ["/etc/resolv.conf", "/run/systemd/resolve/resolv.conf"].flatMap { path in
        (text(path) ?? "").split(separator: "\n").compactMap { line -> IPAddress? in
          let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" })
          guard words.first == "nameserver", words.count > 1 else { return nil }
          return IPAddress(words[1].prefix { $0 != "%" })
        }
      })
  }
}
