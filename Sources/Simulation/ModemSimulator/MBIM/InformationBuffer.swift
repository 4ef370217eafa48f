/// Writes an MBIM information buffer: fields of fixed size first, what they point to behind them
/// (MBIM 1.0, 10.3).
struct InformationBuffer {
  private var fixed: [UInt8] = []
  private var data: [UInt8] = []
  /// Where in `fixed` an offset into `data` is written.
  private var references: [(position: Int, target: Int)] = []

  mutating func u32(_ value: UInt32) { fixed += value.littleEndianBytes }
  mutating func u64(_ value: UInt64) { fixed += value.littleEndianBytes }
  mutating func uuid(_ service: MBIMService) { fixed += service.bytes }

  /// A string in UTF-16 by offset and size in bytes; both are 0 for an empty one.
  mutating func string(_ text: String) {
    let bytes = text.utf16.flatMap(\.littleEndianBytes)
    reference(bytes)
    u32(UInt32(bytes.count))
  }

  /// The offset of some bytes that follow the fixed part, padded to four; 0 for none.
  mutating func reference(_ bytes: [UInt8]) {
    if !bytes.isEmpty { references.append((fixed.count, data.count)) }
    u32(0)
    data += bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
  }

  /// A structure by offset and size in bytes.
  mutating func structure(_ body: InformationBuffer) {
    let bytes = body.bytes
    reference(bytes)
    u32(UInt32(bytes.count))
  }

  /// Bytes in place, at the end of the fixed part.
  mutating func append(_ bytes: [UInt8]) { fixed += bytes }

  var bytes: [UInt8] {
    var result = fixed
    for reference in references {
      let offset = UInt32(fixed.count + reference.target).littleEndianBytes
      result.replaceSubrange(reference.position..<reference.position + 4, with: offset)
    }
    return result + data
  }

  static func build(_ fill: (inout InformationBuffer) -> Void) -> [UInt8] {
    var buffer = InformationBuffer()
    fill(&buffer)
    return buffer.bytes
  }
}

/// Reads an information buffer from the host; nil where it is too short or points outside itself.
struct InformationReader {
  private let body: [UInt8]
  private var fields: ByteReader

  init(_ body: [UInt8]) {
    self.body = body
    fields = ByteReader(body)
  }

  mutating func u32() -> UInt32? { fields.u32() }

  mutating func uuid() -> MBIMService? { fields.take(16).map { MBIMService($0) } }

  mutating func string() -> String? {
    guard let bytes = bytes(), bytes.count.isMultiple(of: 2) else { return nil }
    let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map {
      UInt16(littleEndian: bytes[$0..<$0 + 2])
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Bytes in place.
  mutating func take(_ count: Int) -> [UInt8]? { fields.take(count).map(Array.init) }

  /// Bytes named by size and offset, in this order.
  mutating func sizedBytes() -> [UInt8]? {
    guard let size = u32(), let offset = u32() else { return nil }
    return slice(offset: offset, size: size).map(Array.init)
  }

  /// Bytes named by offset and size.
  mutating func bytes() -> ArraySlice<UInt8>? {
    guard let offset = u32(), let size = u32() else { return nil }
    return slice(offset: offset, size: size)
  }

  private func slice(offset: UInt32, size: UInt32) -> ArraySlice<UInt8>? {
    guard size > 0 else { return [] }
    guard Int(offset) + Int(size) <= body.count else { return nil }
    return body[Int(offset)..<Int(offset) + Int(size)]
  }
}
