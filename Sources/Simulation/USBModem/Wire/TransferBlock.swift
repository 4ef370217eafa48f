/// A block of IP packets on the bulk endpoints of an MBIM function: NTB16 with one or more NDP16
/// (NCM 1.0, 3; MBIM 1.0, 7).
enum TransferBlock {
  /// A packet and the session that it belongs to.
  struct Datagram: Hashable, Sendable {
    /// MBIM session or QMI multiplexing id, 0 to 255; 0 is the interface itself.
    var session: UInt8
    var bytes: [UInt8]
  }

  /// Packs one datagram.
  static func pack(_ datagram: Datagram, sequence: UInt16) -> [UInt8] {
    let dataIndex = 12 + 16
    var block: [UInt8] = Array("NCMH".utf8)
    block += little(12) + little(sequence) + little(UInt16(dataIndex + datagram.bytes.count)) + little(12)
    block += Array("IPS".utf8) + [datagram.session]
    block += little(16) + little(0)
    block += little(UInt16(dataIndex)) + little(UInt16(datagram.bytes.count)) + little(0) + little(0)
    return block + datagram.bytes
  }

  /// Unpacks a block from the host; what is broken in it is left out, as a modem would.
  static func unpack(_ block: [UInt8]) -> [Datagram] {
    guard block.count >= 12, block.prefix(4).elementsEqual("NCMH".utf8) else { return [] }
    var datagrams: [Datagram] = []
    var table = number(block, 10)
    // Each table stands behind the one before, so that a ring of them ends.
    while table >= 12, table + 8 <= block.count {
      let next = number(block, table + 6)
      if block[table..<(table + 3)].elementsEqual("IPS".utf8) {
        let length = number(block, table + 4)
        for entry in stride(from: table + 8, to: min(table + length, block.count) - 3, by: 4) {
          let (index, count) = (number(block, entry), number(block, entry + 2))
          guard index > 0, count > 0 else { break }
          guard index + count <= block.count else { continue }
          datagrams.append(Datagram(session: block[table + 3], bytes: Array(block[index..<(index + count)])))
        }
      }
      guard next > table else { break }
      table = next
    }
    return datagrams
  }

  private static func little(_ value: UInt16) -> [UInt8] { [UInt8(truncatingIfNeeded: value), UInt8(value >> 8)] }

  private static func number(_ block: [UInt8], _ offset: Int) -> Int {
    Int(block[offset]) | Int(block[offset + 1]) << 8
  }
}
