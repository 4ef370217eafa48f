/// Reads the fields of a PDU from its front.
struct OctetReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ octets: [UInt8]) { rest = octets[...] }

  mutating func octet(_ field: String) throws(ShortMessageError) -> UInt8 {
    // Impossible: a short read throws.
    try octets(1, field).first!
  }

  mutating func octets(_ count: Int, _ field: String) throws(ShortMessageError) -> ArraySlice<UInt8> {
    guard (0...rest.count).contains(count) else {
      throw ShortMessageError(
        .truncated, "\(field): the message has \(rest.count) more octets where \(count) are expected")
    }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
