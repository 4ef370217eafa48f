import NetworkAddress

/// The prefix under which an IPv6-only bearer reaches IPv4 addresses (NAT64; RFC 6052, 2.2).
struct TranslationPrefix: Hashable, Sendable, CustomStringConvertible {
  /// A name with only IPv4 addresses. The network's servers turn them into IPv6 addresses (RFC
  /// 7050, RFC 8880).
  static let wellKnownName = "ipv4only.arpa"
  private static let wellKnownAddresses: [UInt32] = [0xc000_00aa, 0xc000_00ab]
  /// In bits, the longest first, so that addresses are not taken as part of a shorter prefix.
  private static let lengths = [96, 64, 56, 48, 40, 32]

  /// Sixteen bytes, with zeros in place of the IPv4 address.
  private let bytes: [UInt8]
  /// In bits, one of the lengths in RFC 6052.
  let length: Int

  /// Finds the prefix in the IPv6 addresses of the well-known name; nil if none of them can hold
  /// one.
  ///
  /// That answer is not signed, so it is trusted only as far as it does no harm (RFC 7050, 3). A
  /// prefix must be in a range that translators use, and must not contain one of the bearer's own
  /// addresses.
  ///
  /// - Parameter own: addresses of the bearer.
  init?(in addresses: [IPAddress], own: [IPAddress] = []) {
    for case .v6(let address) in addresses {
      for length in Self.lengths {
        guard let inner = address.translatedIPv4(prefixLength: length), Self.wellKnownAddresses.contains(inner.number)
        else { continue }
        var bytes = address.bytes
        for position in Self.positions(length) { bytes[position] = 0 }
        let prefix = TranslationPrefix(bytes: bytes, length: length)
        guard bytes[(length / 8)...].allSatisfy({ $0 == 0 }), prefix.isOfTranslators, !own.contains(where: prefix.holds)
        else { continue }
        self = prefix
        return
      }
    }
    return nil
  }

  private init(bytes: [UInt8], length: Int) { (self.bytes, self.length) = (bytes, length) }

  /// As in `64:ff9b::/96`.
  var description: String { "\(IPAddress(bytes: bytes)?.description ?? "")/\(length)" }

  /// The IPv6 address that stands for an IPv4 one; nil if it cannot.
  func address(for address: IPv4Address) -> IPAddress? {
    var bytes = self.bytes
    for (position, byte) in zip(Self.positions(length), address.bytes) { bytes[position] = byte }
    return IPAddress(bytes: bytes)
  }

  /// The IPv4 address that an IPv6 one stands for behind this translator; nil if it does not have
  /// the prefix.
  func translated(in address: IPv6Address) -> IPv4Address? {
    holds(.v6(address)) ? address.translatedIPv4(prefixLength: length) : nil
  }

  private func holds(_ address: IPAddress) -> Bool {
    !address.isIPv4 && address.bytes.starts(with: bytes.prefix(length / 8))
  }

  /// Whether it is the well-known prefix (RFC 6052, 2.1), a local one (RFC 8215), or one of the
  /// unicast ranges that a network can own (RFC 4291, 2.4; RFC 4193). 6to4 and Teredo lead to
  /// machines other than a translator.
  private var isOfTranslators: Bool {
    guard let start = IPv6Address(bytes: bytes) else { return false }
    if start.high == 0x0064_ff9b_0000_0000 { return length == 96 && start.low == 0 }
    if start.high >> 16 == 0x0064_ff9b_0001 { return length >= 48 }
    if start.high >> 48 == 0x2002 || start.high >> 32 == 0x2001_0000 { return false }
    return start.high >> 61 == 1 || start.high >> 57 == 0x7e
  }

  /// The positions of the four bytes: after the prefix, skipping the byte that must be 0.
  private static func positions(_ length: Int) -> [Int] {
    Array((length / 8..<16).filter { $0 != 8 }.prefix(4))
  }
}
