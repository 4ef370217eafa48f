extension IPAddress {
  /// Whether a server on the Internet can see it as a caller's address. It is then neither private
  /// (RFC 1918, RFC 4193), nor shared behind an operator's translation (RFC 6598), nor for a
  /// special use.
  public var isPublic: Bool {
    guard !isUnspecified, !isLoopback, !isLinkLocal, !isMulticast else { return false }
    switch self {
    case .v4(let address): return !address.isPrivate
    case .v6(let address):
      if let inner = address.mappedIPv4 { return IPAddress.v4(inner).isPublic }
      // Excludes unique local addresses; all assigned global addresses begin with 001.
      return address.high >> 61 == 1
    }
  }
}

extension IPv4Address {
  /// Of RFC 1918, RFC 6598, "this network" or the reserved range.
  fileprivate var isPrivate: Bool {
    number >> 24 == 10 || number >> 20 == 0xac1 || number >> 16 == 0xc0a8 || number >> 22 == 0x191 || number >> 24 == 0
      || number >> 28 == 0xf
  }
}
