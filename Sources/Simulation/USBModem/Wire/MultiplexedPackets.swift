/// What a transfer on the bulk endpoints of a QMI function carries: one bare IP packet, or packets
/// with multiplexing ids in a row (QMAP version 1: flags and padding, id, length of packet and
/// padding, big-endian; kernel documentation of rmnet).
enum MultiplexedPackets {
  /// Packs one packet; without a header where its session is the interface itself.
  static func pack(_ datagram: TransferBlock.Datagram) -> [UInt8] {
    guard datagram.session != 0 else { return datagram.bytes }
    // Each packet ends on a multiple of 4.
    let padding = (4 - datagram.bytes.count % 4) % 4
    let length = datagram.bytes.count + padding
    let (high, low) = (UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length))
    return [UInt8(padding), datagram.session, high, low] + datagram.bytes + [UInt8](repeating: 0, count: padding)
  }

  /// Unpacks a transfer from the host; what is broken in it, or a command, is left out.
  static func unpack(_ transfer: [UInt8]) -> [TransferBlock.Datagram] {
    guard let first = transfer.first else { return [] }
    // The first byte of an IP packet is its version, 4 or 6 in the upper half; that of a header has
    // 0 to 3 there, or 8 and more in a command.
    if first >> 4 == 4 || first >> 4 == 6 { return [.init(session: 0, bytes: transfer)] }
    var datagrams: [TransferBlock.Datagram] = []
    var rest = transfer[...]
    while rest.count >= 4 {
      let header = Array(rest.prefix(4))
      let length = Int(header[2]) << 8 | Int(header[3])
      let padding = Int(header[0] & 0x3f)
      rest = rest.dropFirst(4)
      guard length <= rest.count, padding <= length else { break }
      let packet = Array(rest.prefix(length - padding))
      if header[0] & 0x80 == 0 { datagrams.append(.init(session: header[1], bytes: packet)) }
      rest = rest.dropFirst(length)
    }
    return datagrams
  }
}
