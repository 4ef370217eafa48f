/// The Internet checksum (RFC 1071).
enum InternetChecksum {
  /// The complement of the sum over all parts. Every part except the last must have an even length.
  static func of(_ parts: any Collection<UInt8>...) -> UInt16 {
    var sum: UInt64 = 0
    for part in parts {
      var isHigh = true
      for byte in part {
        sum += isHigh ? UInt64(byte) << 8 : UInt64(byte)
        isHigh.toggle()
      }
    }
    while sum > 0xffff { sum = sum & 0xffff + sum >> 16 }
    return ~UInt16(truncatingIfNeeded: sum)
  }
}

extension FixedWidthInteger {
  /// In network order.
  var networkBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

/// Reads numbers in network byte order. Every read is checked against the end.
struct NetworkReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: some Collection<UInt8>) { rest = ArraySlice(Array(bytes)) }

  mutating func take(_ count: Int) -> [UInt8]? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func number<N: FixedWidthInteger>(_ type: N.Type = N.self) -> N? {
    take(MemoryLayout<N>.size).map { $0.reduce(0) { $0 << 8 | N(truncatingIfNeeded: $1) } }
  }
}
