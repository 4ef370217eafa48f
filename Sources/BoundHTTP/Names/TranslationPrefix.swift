import NetworkAddress

/// The prefix under which a bearer without IPv4 reaches IPv4 addresses (NAT64; RFC 6052, 2.2).
struct TranslationPrefix: Hashable, Sendable {
  /// A name with IPv4 addresses only: the network's servers make IPv6 ones of them (RFC 7050).
  static let wellKnownName = "ipv4only.arpa"
  private static let wellKnownAddresses: [[UInt8]] = [[192, 0, 0, 170], [192, 0, 0, 171]]
  /// In bits; the longest first, for the addresses must not be taken for a part of a shorter one.
  private static let lengths = [96, 64, 56, 48, 40, 32]

  /// Sixteen, with zeros where the IPv4 address goes.
  private let bytes: [UInt8]
  /// In bits, one of those of RFC 6052.
  let length: Int

  /// Finds the prefix in the IPv6 addresses of the well-known name; nil when there is none.
  init?(in addresses: [IPAddress]) {
    for address in addresses where !address.isIPv4 {
      for length in Self.lengths {
        let positions = Self.positions(length)
        var bytes = address.bytes
        guard Self.wellKnownAddresses.contains(positions.map { bytes[$0] }) else { continue }
        for position in positions { bytes[position] = 0 }
        guard bytes[(length / 8)...].allSatisfy({ $0 == 0 }) else { continue }
        self.bytes = bytes
        self.length = length
        return
      }
    }
    return nil
  }

  /// The IPv6 address that stands for an IPv4 one; nil when it cannot be.
  func address(for address: IPv4Address) -> IPAddress? {
    var bytes = self.bytes
    for (position, byte) in zip(Self.positions(length), address.bytes) { bytes[position] = byte }
    return IPAddress(bytes: bytes)
  }

  /// Where the four bytes go: behind the prefix, around the byte that must be 0.
  private static func positions(_ length: Int) -> [Int] {
    Array((length / 8..<16).filter { $0 != 8 }.prefix(4))
  }
}
