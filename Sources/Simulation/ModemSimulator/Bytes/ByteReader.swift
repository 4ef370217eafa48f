/// Reads little-endian numbers from the front of a byte string; nil if too few bytes are left.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: some Sequence<UInt8>) {
    self.bytes = ArraySlice(bytes)
    position = self.bytes.startIndex
  }

  var remaining: Int { bytes.endIndex - position }

  mutating func u8() -> UInt8? { take(1)?.first }

  mutating func u16() -> UInt16? { take(2).map { UInt16(littleEndian: $0) } }

  mutating func u32() -> UInt32? { take(4).map { UInt32(littleEndian: $0) } }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= remaining else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func rest() -> [UInt8] { Array(take(remaining) ?? []) }
}

extension FixedWidthInteger {
  /// Makes a number from its bytes, least significant first.
  init(littleEndian bytes: some BidirectionalCollection<UInt8>) {
    self = bytes.reversed().reduce(0) { $0 << 8 | Self($1) }
  }

  /// The bytes of this number, least significant first.
  var littleEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
  }
}
