extension IPv6Address {
  /// Every IPv4 address that this one stands for, or may stand for, in a form that needs no
  /// knowledge of the network: mapped (RFC 4291, 2.5.5.2), compatible (2.5.5.1), translated under
  /// the well-known and the local prefix (RFC 6052, RFC 8215), 6to4 (RFC 3056), Teredo's server and
  /// client (RFC 4380, 4), and ISATAP (RFC 5214, 6.1).
  ///
  /// More than one if an address can be read in several ways: code that refuses addresses checks
  /// each.
  public var embeddedIPv4: [IPv4Address] {
    let bytes = self.bytes
    let last = IPv4Address(number: UInt32(truncatingIfNeeded: low))
    if high == 0, low >> 32 == 0xffff || low >> 32 == 0 && low > 1 { return [last] }
    if high == 0x0064_ff9b_0000_0000, low >> 32 == 0 { return [last] }
    var found: [IPv4Address] = []
    // 64:ff9b:1::/48: any of the lengths that fit within it.
    if high >> 16 == 0x0064_ff9b_0001 {
      found += [48, 56, 64, 96].compactMap { translatedIPv4(prefixLength: $0) }
    }
    if high >> 48 == 0x2002 { found += [IPv4Address(bytes: bytes[2..<6])].compactMap(\.self) }
    if high >> 32 == 0x2001_0000 {
      found += [IPv4Address(bytes: bytes[4..<8])].compactMap(\.self) + [IPv4Address(number: ~last.number)]
    }
    if low >> 32 | 0x0200_0000 == 0x0200_5efe { found.append(last) }
    return found
  }

  /// The IPv4 address after a translator's prefix (RFC 6052, 2.2); nil for an unknown length.
  ///
  /// - Parameter prefixLength: bits: 32, 40, 48, 56, 64 or 96.
  public func translatedIPv4(prefixLength: Int) -> IPv4Address? {
    guard [32, 40, 48, 56, 64, 96].contains(prefixLength) else { return nil }
    // Around byte 8, which stays 0.
    let positions = (prefixLength / 8..<16).filter { $0 != 8 }.prefix(4)
    let bytes = self.bytes
    return IPv4Address(bytes: positions.map { bytes[$0] })
  }
}
