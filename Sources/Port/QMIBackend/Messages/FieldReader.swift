/// Reads the value of a TLV from its beginning; numbers are little-endian.
struct FieldReader {
  /// The value ended too early.
  struct Short: Error {}

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func u8() throws(Short) -> UInt8 { UInt8(truncatingIfNeeded: try number(1)) }
  mutating func i8() throws(Short) -> Int8 { Int8(bitPattern: try u8()) }
  mutating func u16() throws(Short) -> UInt16 { UInt16(truncatingIfNeeded: try number(2)) }
  mutating func i16() throws(Short) -> Int16 { Int16(bitPattern: try u16()) }
  mutating func u32() throws(Short) -> UInt32 { try number(4) }

  mutating func bytes(_ count: Int) throws(Short) -> [UInt8] {
    guard (0...rest.count).contains(count) else { throw Short() }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Reads a one-byte count and that many elements.
  mutating func array<Element>(_ element: (inout FieldReader) throws(Short) -> Element) throws(Short) -> [Element] {
    var elements: [Element] = []
    for _ in 0..<(try u8()) { elements.append(try element(&self)) }
    return elements
  }

  private mutating func number(_ count: Int) throws(Short) -> UInt32 {
    guard count <= rest.count else { throw Short() }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count).reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }
}

/// Text from a modem, without the white space and control characters that some firmware leaves at
/// the ends, and with replacement characters for invalid UTF-8; nil if nothing is left.
func text(_ bytes: some Sequence<UInt8>) -> String? {
  let text = String(decoding: Array(bytes), as: UTF8.self)
  let isVisible = { (character: Character) in
    !character.isWhitespace && character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
  guard let first = text.firstIndex(where: isVisible), let last = text.lastIndex(where: isVisible) else { return nil }
  return String(text[first...last])
}
