import NetworkAddress

/// The type of a record, by its number (RFC 1035, 3.2.2).
package struct DNSRecordType: Hashable, Sendable, CustomStringConvertible {
  package let number: UInt16

  package init(number: UInt16) { self.number = number }

  package static let a = DNSRecordType(number: 1)
  package static let ns = DNSRecordType(number: 2)
  package static let cname = DNSRecordType(number: 5)
  package static let soa = DNSRecordType(number: 6)
  package static let ptr = DNSRecordType(number: 12)
  package static let txt = DNSRecordType(number: 16)
  /// RFC 3596.
  package static let aaaa = DNSRecordType(number: 28)
  /// The pseudo-record of EDNS0 (RFC 6891).
  package static let opt = DNSRecordType(number: 41)

  package var description: String {
    switch self {
    case .a: "A"
    case .ns: "NS"
    case .cname: "CNAME"
    case .soa: "SOA"
    case .ptr: "PTR"
    case .txt: "TXT"
    case .aaaa: "AAAA"
    case .opt: "OPT"
    default: "TYPE\(number)"
    }
  }
}

/// A question: a name and a type, in class IN.
package struct DNSQuestion: Hashable, Sendable {
  package var name: DomainName
  package var type: DNSRecordType
  /// 1 is the Internet.
  package var recordClass: UInt16

  package init(_ name: DomainName, _ type: DNSRecordType, recordClass: UInt16 = 1) {
    self.name = name
    self.type = type
    self.recordClass = recordClass
  }
}

/// A resource record (RFC 1035, 4.1.3).
package struct DNSRecord: Hashable, Sendable {
  /// The data of a record, decoded if its type is known.
  package enum Content: Hashable, Sendable {
    case a(IPv4Address)
    case aaaa(IPv6Address)
    case cname(DomainName)
    /// The start of a zone. `minimum` is the number of seconds for which a missing record may be
    /// remembered.
    case soa(primary: DomainName, mailbox: DomainName, serial: UInt32, minimum: UInt32)
    case other(DNSRecordType, [UInt8])
  }

  package var name: DomainName
  package var content: Content
  /// Seconds; a value with the highest bit set counts as 0 (RFC 2181, 8).
  package var ttl: UInt32
  /// 1 is the Internet. In an OPT record: the largest datagram in bytes that the sender can
  /// receive.
  package var recordClass: UInt16

  package init(_ name: DomainName, _ content: Content, ttl: UInt32, recordClass: UInt16 = 1) {
    self.name = name
    self.content = content
    self.ttl = ttl
    self.recordClass = recordClass
  }

  package var type: DNSRecordType {
    switch content {
    case .a: .a
    case .aaaa: .aaaa
    case .cname: .cname
    case .soa: .soa
    case .other(let type, _): type
    }
  }
}
