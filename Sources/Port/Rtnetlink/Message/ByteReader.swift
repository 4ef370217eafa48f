import NetworkAddress

/// Reads netlink bytes. Every read is checked against the end, and none traps.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var count: Int { bytes.count }

  /// The number at `offset` in host byte order; nil if the bytes end before it does.
  func number<N: FixedWidthInteger>(at offset: Int, as type: N.Type = N.self) -> N? {
    guard let part = slice(from: offset, count: MemoryLayout<N>.size) else { return nil }
    var value: N = 0
    withUnsafeMutableBytes(of: &value) { $0.copyBytes(from: part) }
    return value
  }

  func slice(from offset: Int, count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
    return bytes.dropFirst(offset).prefix(count)
  }

  /// The attributes from `offset` on, by type. The last of several counts; a malformed one ends the
  /// list.
  func attributes(from offset: Int) -> Attributes {
    var found: [UInt16: ArraySlice<UInt8>] = [:]
    var position = offset
    while let length: UInt16 = number(at: position), let type: UInt16 = number(at: position + 2),
      length >= 4, let value = slice(from: position + 4, count: Int(length) - 4)
    {
      // The two high bits mean "nested" and "network byte order".
      found[type & 0x3fff] = value
      position += (Int(length) + 3) & ~3
    }
    return Attributes(found)
  }
}

/// Attributes by their type.
struct Attributes {
  private let values: [UInt16: ArraySlice<UInt8>]

  init(_ values: [UInt16: ArraySlice<UInt8>]) { self.values = values }

  func bytes(_ type: some BinaryInteger) -> ArraySlice<UInt8>? { values[UInt16(type)] }

  func number<N: FixedWidthInteger>(_ type: some BinaryInteger, as number: N.Type = N.self) -> N? {
    bytes(type).flatMap { ByteReader($0).number(at: 0) }
  }

  /// A string without the trailing zero byte.
  func text(_ type: some BinaryInteger) -> String? {
    bytes(type).map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  func address(_ type: some BinaryInteger) -> IPAddress? { bytes(type).flatMap { IPAddress(bytes: $0) } }

  func nested(_ type: some BinaryInteger) -> Attributes? {
    bytes(type).map { ByteReader($0).attributes(from: 0) }
  }
}
