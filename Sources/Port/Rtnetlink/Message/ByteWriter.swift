import NetworkAddress

/// Builds netlink bytes: numbers in host byte order, attributes padded to four bytes (RFC 3549,
/// 2.2).
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func append(_ number: some FixedWidthInteger) {
    withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
  }

  mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  private mutating func pad() { bytes.append(contentsOf: repeatElement(0, count: -bytes.count & 3)) }

  mutating func attribute(_ type: some BinaryInteger, _ value: [UInt8]) {
    pad()
    append(UInt16(4 + value.count))
    append(UInt16(type))
    append(value)
    pad()
  }

  mutating func attribute(_ type: some BinaryInteger, number: some FixedWidthInteger) {
    attribute(type, withUnsafeBytes(of: number) { Array($0) })
  }

  /// A string with the trailing zero byte that the kernel expects.
  mutating func attribute(_ type: some BinaryInteger, text: String) {
    attribute(type, Array(text.utf8) + [0])
  }

  mutating func attribute(_ type: some BinaryInteger, address: IPAddress) {
    attribute(type, address.bytes)
  }

  /// Attributes inside an attribute.
  mutating func nested(_ type: some BinaryInteger, _ fill: (inout ByteWriter) -> Void) {
    var inner = ByteWriter()
    fill(&inner)
    attribute(type, inner.bytes)
  }
}
