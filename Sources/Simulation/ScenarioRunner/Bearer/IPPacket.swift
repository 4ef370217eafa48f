import NetworkAddress

/// The parts of a packet that the simulated network examines.
struct IPPacket: Hashable {
  let source: IPAddress
  let destination: IPAddress

  /// Reads the head of a bare IP packet (RFC 791, 3.1; RFC 8200, 3); nil when it is too short or of
  /// another version.
  init?(_ bytes: some RandomAccessCollection<UInt8>) {
    guard let first = bytes.first else { return nil }
    let (width, offset) = first >> 4 == 4 ? (4, 12) : (16, 8)
    guard first >> 4 == 4 || first >> 4 == 6, bytes.count >= offset + 2 * width,
      let source = IPAddress(bytes: bytes.dropFirst(offset).prefix(width)),
      let destination = IPAddress(bytes: bytes.dropFirst(offset + width).prefix(width))
    else { return nil }
    self.source = source
    self.destination = destination
  }
}
