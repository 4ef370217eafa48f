import NetworkAddress

/// The parts of a packet that the simulated network examines.
struct IPPacket: Hashable {
  let source: IPAddress
  let destination: IPAddress

  /// Reads the head of a bare IP packet (RFC 791, 3.1; RFC 8200, 3); nil when it is too short or of
  /// another version.
  init?(_ bytes: some RandomAccessCollection<UInt8>) {
    guard let first = bytes.first else { return nil }
    // Each packet of every chain passes here four times, so IPv4 is read without any collection.
    if first >> 4 == 4 {
      guard let source = Self.number(in: bytes, at: 12), let destination = Self.number(in: bytes, at: 16) else {
        return nil
      }
      (self.source, self.destination) = (.v4(IPv4Address(number: source)), .v4(IPv4Address(number: destination)))
      return
    }
    let (width, offset) = (16, 8)
    guard first >> 4 == 6, bytes.count >= offset + 2 * width,
      let source = IPAddress(bytes: bytes.dropFirst(offset).prefix(width)),
      let destination = IPAddress(bytes: bytes.dropFirst(offset + width).prefix(width))
    else { return nil }
    self.source = source
    self.destination = destination
  }

  /// Four bytes in network order; nil behind the end.
  private static func number(in bytes: some RandomAccessCollection<UInt8>, at offset: Int) -> UInt32? {
    guard bytes.count >= offset + 4 else { return nil }
    let start = bytes.index(bytes.startIndex, offsetBy: offset)
    return (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[bytes.index(start, offsetBy: $1)]) }
  }
}
