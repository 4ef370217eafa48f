import NetworkAddress

/// Where a user's connections may lead. What no chain may reach is refused before this rule is
/// asked.
package struct DestinationRule: Hashable, Sendable {
  /// A kind of address, or some addresses.
  package enum Addresses: Hashable, Sendable {
    /// Those of the Internet.
    case allPublic
    /// Those of the operator's network and of private ones.
    case allPrivate
    case prefix(IPPrefix)

    /// Reads `public`, `private`, an address, or a prefix as in `10.0.0.0/8`.
    package init?(_ text: String) {
      switch text {
      case "public": self = .allPublic
      case "private": self = .allPrivate
      default:
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(parts[0]) else { return nil }
        guard parts.count == 2 else {
          self = .prefix(IPPrefix(of: address))
          return
        }
        guard let length = Int(parts[1]), let prefix = IPPrefix(address, length: length) else { return nil }
        self = .prefix(prefix)
      }
    }

    func contains(_ address: IPAddress) -> Bool {
      switch self {
      case .allPublic: address.isPublic
      case .allPrivate: !address.isPublic
      case .prefix(let prefix): prefix.contains(address)
      }
    }
  }

  /// Names that may be asked for, each with the names below it: A-labels in lower case; nil for any
  /// name.
  package var domains: Set<String>?
  /// Nil for any port.
  package var ports: [ClosedRange<Int>]?
  /// Addresses that connections may lead to. Nil for public ones, which may also be named in place
  /// of a host if there are no `domains`.
  package var addresses: [Addresses]?
  /// Whether the user gets sockets by descriptor all the same. Their owner can connect them to any
  /// other destination.
  package var allowsSockets: Bool

  package init(
    domains: Set<String>? = nil, ports: [ClosedRange<Int>]? = nil, addresses: [Addresses]? = nil,
    allowsSockets: Bool = false
  ) {
    self.domains = domains
    self.ports = ports
    self.addresses = addresses
    self.allowsSockets = allowsSockets
  }

  /// A name as it is compared: in lower case, without the dot of the root.
  package static func canonical(_ host: String) -> String {
    let host = host.lowercased()
    return host.hasSuffix(".") ? String(host.dropLast()) : host
  }

  /// The key, behind that of the whole rule, that refuses a destination; nil if none does.
  ///
  /// - Parameters:
  ///   - host: a name or an address as the caller gave it.
  ///   - port: the same for the port.
  func refusal(of host: String, port: Int?) -> String? {
    if let port, let ports, !ports.contains(where: { $0.contains(port) }) { return "ports" }
    let host = Self.canonical(host)
    // As in a URL.
    let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    if let address = IPAddress(bare) {
      if addresses == nil, domains != nil { return "domains" }
      return allows(address) ? nil : "addresses"
    }
    guard let domains else { return nil }
    let isNamed = domains.contains { domain in host == domain || host.hasSuffix("." + domain) }
    return isNamed ? nil : "domains"
  }

  /// Whether an address may be connected to.
  func allows(_ address: IPAddress) -> Bool {
    let kinds = addresses ?? [.allPublic]
    if kinds.contains(where: { $0 != .allPublic && $0 != .allPrivate && $0.contains(address) }) { return true }
    // A translator sends on to what an IPv6 address stands for: each reading of it must be allowed.
    return address.embedded.allSatisfy { meant in kinds.contains { $0.contains(meant) } }
  }
}

extension IPAddress {
  /// The addresses that packets to this one reach: an IPv4 address that it contains, else itself.
  fileprivate var embedded: [IPAddress] {
    guard case .v6(let v6) = self else { return [self] }
    let inner = v6.embeddedIPv4.map { IPAddress.v4($0) }
    return inner.isEmpty ? [self] : inner
  }
}

extension IPPrefix {
  /// Whether an address of the same family begins with this prefix.
  func contains(_ other: IPAddress) -> Bool {
    let (own, others) = (address.bytes, other.bytes)
    guard own.count == others.count else { return false }
    let whole = length / 8
    guard own.prefix(whole) == others.prefix(whole) else { return false }
    let rest = length % 8
    guard rest > 0, whole < own.count else { return true }
    let shift = 8 - rest
    return own[whole] >> shift == others[whole] >> shift
  }
}
