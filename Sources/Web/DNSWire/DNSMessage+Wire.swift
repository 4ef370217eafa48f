extension DNSMessage {
  /// Reads a message. Bytes after its last record are ignored. In a truncated message, the records
  /// before the cut are kept.
  ///
  /// - Throws: `DNSError`.
  package init(decoding bytes: [UInt8]) throws(DNSError) {
    guard bytes.count <= 65_535 else { throw DNSError(.tooLong, "the message is over 65535 bytes") }
    var reader = DNSReader(bytes)
    self.init(id: try reader.short())
    let flags = try reader.short()
    isResponse = flags & 0x8000 != 0
    operation = UInt8(flags >> 11 & 0xf)
    isAuthoritative = flags & 0x0400 != 0
    isTruncated = flags & 0x0200 != 0
    recursionDesired = flags & 0x0100 != 0
    recursionAvailable = flags & 0x0080 != 0
    responseCode = ResponseCode(number: UInt8(flags & 0xf))
    let counts = (try reader.short(), try reader.short(), try reader.short(), try reader.short())
    for _ in 0..<counts.0 { questions.append(try reader.question()) }
    do {
      for _ in 0..<counts.1 { answers.append(try reader.record()) }
      for _ in 0..<counts.2 { authorities.append(try reader.record()) }
      for _ in 0..<counts.3 { additionals.append(try reader.record()) }
    } catch  where isTruncated && error.code == .truncated {
      // Some servers cut inside a record.
    }
  }

  /// The bytes of the message, names uncompressed.
  ///
  /// - Throws: `DNSError` `tooLong`.
  package func encoded() throws(DNSError) -> [UInt8] {
    guard max(questions.count, answers.count, authorities.count, additionals.count) <= 65_535 else {
      throw DNSError(.tooLong, "a section of the message has over 65535 entries")
    }
    var writer = DNSWriter()
    writer.short(id)
    writer.short(flags)
    for count in [questions.count, answers.count, authorities.count, additionals.count] { writer.short(UInt16(count)) }
    for question in questions { writer.question(question) }
    for record in answers + authorities + additionals { try writer.record(record) }
    guard writer.bytes.count <= 65_535 else { throw DNSError(.tooLong, "the message is over 65535 bytes") }
    return writer.bytes
  }

  private var flags: UInt16 {
    (isResponse ? 0x8000 : 0) | UInt16(operation & 0xf) << 11 | (isAuthoritative ? 0x0400 : 0)
      | (isTruncated ? 0x0200 : 0) | (recursionDesired ? 0x0100 : 0) | (recursionAvailable ? 0x0080 : 0)
      | UInt16(responseCode.number)
  }
}

/// Writes the fields of a message.
struct DNSWriter {
  private(set) var bytes: [UInt8] = []

  mutating func short(_ value: UInt16) { bytes += [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)] }

  mutating func long(_ value: UInt32) {
    short(UInt16(value >> 16))
    short(UInt16(truncatingIfNeeded: value))
  }

  mutating func name(_ name: DomainName) {
    for label in name.labels {
      bytes.append(UInt8(label.count))
      bytes += label
    }
    bytes.append(0)
  }

  mutating func question(_ question: DNSQuestion) {
    name(question.name)
    short(question.type.number)
    short(question.recordClass)
  }

  mutating func record(_ record: DNSRecord) throws(DNSError) {
    name(record.name)
    short(record.type.number)
    short(record.recordClass)
    long(record.ttl)
    var content = DNSWriter()
    content.content(record.content)
    guard let length = UInt16(exactly: content.bytes.count) else {
      throw DNSError(.tooLong, "the data of a \(record.type) record is over 65535 bytes")
    }
    short(length)
    bytes += content.bytes
  }

  private mutating func content(_ content: DNSRecord.Content) {
    switch content {
    case .a(let address): bytes += address.bytes
    case .aaaa(let address): bytes += address.bytes
    case .cname(let target): name(target)
    case .soa(let primary, let mailbox, let serial, let minimum):
      name(primary)
      name(mailbox)
      for value in [serial, 7200, 1800, 86_400, minimum] { long(value) }
    case .other(_, let data): bytes += data
    }
  }
}
