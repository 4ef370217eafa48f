/// Bytes that are read at positions that a modem chose.
struct WireBytes {
  private let bytes: ArraySlice<UInt8>

  /// Positions count from the beginning of these bytes.
  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  var count: Int { bytes.count }

  /// The byte at a position that was checked.
  private subscript(position: Int) -> UInt8 { bytes[bytes.startIndex + position] }

  /// The bytes at a position that was checked.
  private subscript(positions: Range<Int>) -> ArraySlice<UInt8> {
    bytes[bytes.startIndex + positions.lowerBound..<bytes.startIndex + positions.upperBound]
  }

  func u32(at position: Int, _ field: String) throws(ReplyFlaw) -> UInt32 {
    try require(position, 4, field)
    return UInt32(self[position]) | UInt32(self[position + 1]) << 8 | UInt32(self[position + 2]) << 16
      | UInt32(self[position + 3]) << 24
  }

  func u16(at position: Int, _ field: String) throws(ReplyFlaw) -> UInt16 {
    try require(position, 2, field)
    return UInt16(self[position]) | UInt16(self[position + 1]) << 8
  }

  func u8(at position: Int, _ field: String) throws(ReplyFlaw) -> UInt8 {
    try require(position, 1, field)
    return self[position]
  }

  func bytes(at position: Int, count: UInt32, _ field: String) throws(ReplyFlaw) -> [UInt8] {
    try require(position, Int(count), field)
    return Array(self[position..<position + Int(count)])
  }

  /// Throws unless that many bytes exist at the position. Positions and counts are sums of a few
  /// 32-bit numbers, so they do not overflow.
  func require(_ position: Int, _ size: Int, _ field: String) throws(ReplyFlaw) {
    guard position + size <= bytes.count else {
      throw ReplyFlaw("\(field) takes \(size) bytes at \(position), and there are \(bytes.count)")
    }
  }

  /// Throws unless the bytes are UTF-16 up to the first NUL, as g_utf16_to_utf8 requires.
  func requireUTF16(_ position: Int, _ size: Int, _ field: String) throws(ReplyFlaw) {
    try require(position, size, field)
    var isHigh = false
    for index in stride(from: position, to: position + size / 2 * 2, by: 2) {
      let unit = UInt16(self[index]) | UInt16(self[index + 1]) << 8
      if unit == 0 { break }
      let isLow = (0xdc00...0xdfff).contains(unit)
      guard isLow == isHigh else { throw ReplyFlaw("\(field) is no UTF-16") }
      isHigh = (0xd800...0xdbff).contains(unit)
    }
    if isHigh { throw ReplyFlaw("\(field) is not UTF-16: it ends within a character") }
  }

  /// Throws unless the bytes are UTF-8, apart from NULs at their end.
  func requireUTF8(_ position: Int, _ size: Int, _ field: String) throws(ReplyFlaw) {
    try require(position, size, field)
    var text = self[position..<position + size]
    while text.last == 0 { text.removeLast() }
    guard String(validating: text, as: UTF8.self) != nil else { throw ReplyFlaw("\(field) is no UTF-8") }
  }
}
