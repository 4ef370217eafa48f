import NetworkAddress

/// Reads the fields of a message; every read is checked against the end.
struct DNSReader {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func byte() throws(DNSError) -> UInt8 {
    guard position < bytes.count else { throw Self.cut(at: position) }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func short() throws(DNSError) -> UInt16 {
    UInt16(try byte()) << 8 | UInt16(try byte())
  }

  mutating func long() throws(DNSError) -> UInt32 {
    UInt32(try short()) << 16 | UInt32(try short())
  }

  mutating func slice(_ count: Int) throws(DNSError) -> [UInt8] {
    guard count <= bytes.count - position else { throw Self.cut(at: bytes.count) }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// A name, which may end in a pointer to an earlier one (RFC 1035, 4.1.4). Each pointer must
  /// point before the start of the part that holds it, so that following them ends.
  mutating func name() throws(DNSError) -> DomainName {
    var labels: [[UInt8]] = []
    var length = 1
    var start = position
    var cursor = position
    var end: Int?
    while true {
      guard cursor < bytes.count else { throw Self.cut(at: cursor) }
      let head = Int(bytes[cursor])
      switch head >> 6 {
      case 0 where head == 0:
        position = end ?? cursor + 1
        return try DomainName(labels: labels)
      case 0:
        guard cursor + 1 + head <= bytes.count else { throw Self.cut(at: bytes.count) }
        length += head + 1
        guard length <= 255 else { throw DNSError(.badName, "a name in the message is over 255 bytes") }
        labels.append(Array(bytes[cursor + 1..<cursor + 1 + head]))
        cursor += 1 + head
      case 3:
        guard cursor + 1 < bytes.count else { throw Self.cut(at: bytes.count) }
        let target = (head & 0x3f) << 8 | Int(bytes[cursor + 1])
        guard target < start else {
          throw DNSError(.badPointer, "a name at byte \(cursor) points to byte \(target): expected an earlier one")
        }
        end = end ?? cursor + 2
        start = target
        cursor = target
      default:
        throw DNSError(.badName, "a label at byte \(cursor) has a reserved kind: expected a length or a pointer")
      }
    }
  }

  mutating func question() throws(DNSError) -> DNSQuestion {
    let name = try name()
    let type = DNSRecordType(number: try short())
    return DNSQuestion(name, type, recordClass: try short())
  }

  mutating func record() throws(DNSError) -> DNSRecord {
    let name = try name()
    let type = DNSRecordType(number: try short())
    let recordClass = try short()
    let ttl = try long()
    let length = Int(try short())
    guard length <= bytes.count - position else { throw Self.cut(at: bytes.count) }
    let end = position + length
    let content = try content(type, length)
    guard position == end else {
      throw DNSError(
        .badRecord, "the data of a \(type) record is \(length) bytes long, which is not its fields' length")
    }
    return DNSRecord(name, content, ttl: ttl > Int32.max && type != .opt ? 0 : ttl, recordClass: recordClass)
  }

  private mutating func content(_ type: DNSRecordType, _ length: Int) throws(DNSError) -> DNSRecord.Content {
    switch type {
    case .a:
      guard let address = IPv4Address(bytes: try slice(length)) else {
        throw DNSError(.badRecord, "the data of an A record is \(length) bytes: expected 4")
      }
      return .a(address)
    case .aaaa:
      guard let address = IPv6Address(bytes: try slice(length)) else {
        throw DNSError(.badRecord, "the data of an AAAA record is \(length) bytes: expected 16")
      }
      return .aaaa(address)
    case .cname:
      return .cname(try name())
    case .soa:
      let (primary, mailbox, serial) = (try name(), try name(), try long())
      _ = (try long(), try long(), try long())
      return .soa(primary: primary, mailbox: mailbox, serial: serial, minimum: try long())
    default:
      return .other(type, try slice(length))
    }
  }

  private static func cut(at position: Int) -> DNSError {
    DNSError(.truncated, "the message ends at byte \(position), inside a field")
  }
}
