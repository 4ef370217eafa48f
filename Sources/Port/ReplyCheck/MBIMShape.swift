/// The layout of a message's information buffer, in the order of its fields (MBIM 1.0, 10.3).
package struct MBIMShape: Sendable {
  /// One field or a group of fields, under its name in the specification.
  indirect enum Field: Sendable {
    case u16(String)
    case u32(String)
    case u64(String)
    case uuid(String)
    /// A number in place that must be within these limits.
    case limited(String, ClosedRange<UInt32>)
    /// Bytes in place.
    case fixed(String, size: Int)
    /// A string by offset and size, in UTF-16.
    case text(String)
    case utf8(String)
    /// Strings by offset and size, as many as an earlier field counts.
    case texts(String, counted: String)
    /// Numbers in place.
    case numbers(String, counted: String)
    /// Bytes by offset and size.
    case bytes(String)
    /// Bytes by size and offset, as in UICC Low Level Access.
    case sizedBytes(String)
    /// Bytes up to the end of the buffer.
    case rest(String)
    /// A structure in place. Its offsets count from its beginning.
    case structure(String, [Field])
    /// Consecutive structures, by offset.
    case adjacent(String, counted: String, size: Int, [Field])
    /// Structures, each by offset and size.
    case referenced(String, counted: String, [Field])
    /// A count followed by structures, by offset and size, as in Microsoft's extensions; offset 0
    /// means none.
    case block(String, size: Int, [Field])
    /// An address by offset; 0 means none.
    case address(String, size: Int)
    /// Consecutive addresses, by offset.
    case addresses(String, counted: String, size: Int)
    /// A WCHAR_STR TLV in place (MBIMEx 3.0).
    case textTLV(String)
    /// A UINT16_TBL TLV in place.
    case numbersTLV(String)
    /// TLVs until the buffer ends.
    case list(String)
    /// Fields that only exist if an earlier number has this value.
    case when(String, is: UInt32, [Field])
  }

  let fields: [Field]

  /// Checks that every count, offset and length in an information buffer stays within it, and that
  /// its strings are valid.
  ///
  /// - Throws: `ReplyFlaw` with the first wrong field.
  package func check(_ information: ArraySlice<UInt8>) throws(ReplyFlaw) {
    var walk = ShapeWalk(information)
    try walk.take(fields)
  }
}

/// The numbers of a structure by their names: a few, for which a list is faster than a dictionary.
private struct Numbers {
  private var all: [(name: String, value: UInt32)] = []

  /// The number that was read last under this name; nil if there is none.
  subscript(name: String) -> UInt32? { all.last { $0.name == name }?.value }

  mutating func add(_ value: UInt32, _ name: String) { all.append((name, value)) }
}

/// One pass through an information buffer.
struct ShapeWalk {
  private let bytes: WireBytes
  /// The beginning of the present structure, from which offsets count.
  private var base = 0
  private var position = 0
  private var numbers = Numbers()
  /// The number of bytes that may still be referenced. A parser copies each reference, so without a
  /// limit, a small message with repeated references to the same bytes would become a large one.
  private var allowance: Int

  init(_ information: ArraySlice<UInt8>) {
    bytes = WireBytes(information)
    allowance = 4 * information.count + 4096
  }

  mutating func take(_ fields: [MBIMShape.Field]) throws(ReplyFlaw) {
    for field in fields { try take(field) }
  }

  private mutating func take(_ field: MBIMShape.Field) throws(ReplyFlaw) {
    switch field {
    case .u16(let name): try skip(2, name)
    case .u32(let name): numbers.add(try number(name), name)
    case .u64(let name): try skip(8, name)
    case .uuid(let name): try skip(16, name)
    case .limited(let name, let limits):
      guard limits.contains(try number(name)) else {
        throw ReplyFlaw("\(name) is not within \(limits.lowerBound) to \(limits.upperBound)")
      }
    case .fixed(let name, let size): try skip(size, name)
    case .text(let name):
      let (start, size) = try reference(name)
      if size > 0 { try bytes.requireUTF16(start, size, name) }
    case .utf8(let name):
      let (start, size) = try reference(name)
      if size > 0 { try bytes.requireUTF8(start, size, name) }
    case .texts(let name, let counter):
      for _ in 0..<(try count(counter, of: name, size: 8)) { try take(.text(name)) }
    case .numbers(let name, let counter): try skip(4 * count(counter, of: name, size: 4), name)
    case .bytes(let name):
      let (start, size) = try reference(name)
      try bytes.require(start, size, name)
    case .sizedBytes(let name):
      let size = Int(try number(name))
      let start = base + Int(try number(name))
      try spend(size, name)
      try bytes.require(start, size, name)
    case .rest: position = bytes.count
    case .structure(_, let fields): try within(position) { walk throws(ReplyFlaw) in try walk.take(fields) }
    case .address(let name, let size):
      let offset = Int(try number(name))
      if offset != 0 { try bytes.require(offset, size, name) }
    case .addresses(let name, let counter, let size):
      let (count, offset) = (Int(numbers[counter] ?? 0), Int(try number(name)))
      if count > 0 { try bytes.require(offset, count * size, "\(count) \(name)") }
    case .adjacent(let name, let counter, let size, let fields):
      let (count, offset) = (Int(numbers[counter] ?? 0), Int(try number(name)))
      try takeAdjacent(name, count, at: offset, size, fields)
    case .referenced(let name, let counter, let fields): try takeReferenced(name, counter, fields)
    case .block(let name, let size, let fields):
      let (offset, length) = (Int(try number(name)), Int(try number(name)))
      guard offset != 0 else { return }
      try bytes.require(offset, length, name)
      let count = Int(try bytes.u32(at: offset, name))
      try takeAdjacent(name, count, at: offset + 4, size, fields)
    case .textTLV(let name):
      let (start, size) = try tlv(10, name)
      try bytes.requireUTF16(start, size, name)
    case .numbersTLV(let name):
      guard try tlv(11, name).size.isMultiple(of: 2) else { throw ReplyFlaw("\(name) has half a number at its end") }
    case .list(let name):
      // libmbim ignores trailing bytes that are not a TLV.
      while bytes.count - position >= 8 { _ = try tlv(nil, name) }
    case .when(let name, let value, let fields): if numbers[name] == value { try take(fields) }
    }
  }

  private mutating func takeAdjacent(
    _ name: String, _ count: Int, at offset: Int, _ size: Int, _ fields: [MBIMShape.Field]
  ) throws(ReplyFlaw) {
    guard count > 0 else { return }
    try bytes.require(offset, count * size, "\(count) \(name)")
    let after = position
    for index in 0..<count {
      try within(offset + index * size) { walk throws(ReplyFlaw) in try walk.take(fields) }
    }
    position = after
  }

  private mutating func takeReferenced(
    _ name: String, _ counter: String, _ fields: [MBIMShape.Field]
  ) throws(ReplyFlaw) {
    for _ in 0..<(try count(counter, of: name, size: 8)) {
      let (start, size) = try reference(name)
      try bytes.require(start, size, name)
      let after = position
      try within(start) { walk throws(ReplyFlaw) in try walk.take(fields) }
      position = after
    }
  }

  /// Reads a structure from its beginning; the numbers in it are its own.
  private mutating func within(
    _ start: Int, _ body: (inout ShapeWalk) throws(ReplyFlaw) -> Void
  ) throws(ReplyFlaw) {
    let (outerBase, outerNumbers) = (base, numbers)
    (base, position, numbers) = (start, start, Numbers())
    try body(&self)
    (base, numbers) = (outerBase, outerNumbers)
  }

  /// An earlier count, if the buffer has room for that many.
  private func count(_ counter: String, of name: String, size: Int) throws(ReplyFlaw) -> Int {
    let count = Int(numbers[counter] ?? 0)
    let room = (bytes.count - position) / size
    guard count <= room else { throw ReplyFlaw("\(counter) is \(count), but there is only room for \(room) \(name)") }
    return count
  }

  /// Reads an offset and a size: where the data begins in the buffer, and its length.
  private mutating func reference(_ name: String) throws(ReplyFlaw) -> (start: Int, size: Int) {
    let start = base + Int(try number(name))
    let size = Int(try number(name))
    try spend(size, name)
    return (start, size)
  }

  private mutating func spend(_ size: Int, _ name: String) throws(ReplyFlaw) {
    allowance -= size
    guard allowance >= 0 else { throw ReplyFlaw("\(name) refers to bytes that the message refers to too often") }
  }

  /// Reads a TLV: where its data begins, and its length (MBIMEx 3.0).
  private mutating func tlv(_ type: UInt16?, _ name: String) throws(ReplyFlaw) -> (start: Int, size: Int) {
    let found = try bytes.u16(at: position, name)
    let padding = Int(try bytes.u8(at: position + 3, name))
    let (start, size) = (position + 8, Int(try bytes.u32(at: position + 4, name)))
    if let type, type != found { throw ReplyFlaw("\(name) is a TLV of type \(found), expected \(type)") }
    try bytes.require(start, size + padding, name)
    position = start + size + padding
    return (start, size)
  }

  private mutating func number(_ name: String) throws(ReplyFlaw) -> UInt32 {
    defer { position += 4 }
    return try bytes.u32(at: position, name)
  }

  private mutating func skip(_ size: Int, _ name: String) throws(ReplyFlaw) {
    try bytes.require(position, size, name)
    position += size
  }
}
