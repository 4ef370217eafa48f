import NetworkAddress

/// The type of a record, by its number (RFC 1035, 3.2.2).
public struct DNSRecordType: Hashable, Sendable, CustomStringConvertible {
  public let number: UInt16

  public init(number: UInt16) { self.number = number }

  public static let a = DNSRecordType(number: 1)
  public static let ns = DNSRecordType(number: 2)
  public static let cname = DNSRecordType(number: 5)
  public static let soa = DNSRecordType(number: 6)
  public static let ptr = DNSRecordType(number: 12)
  public static let txt = DNSRecordType(number: 16)
  /// RFC 3596.
  public static let aaaa = DNSRecordType(number: 28)
  /// The pseudo-record of EDNS0 (RFC 6891).
  public static let opt = DNSRecordType(number: 41)

  public var description: String {
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
public struct DNSQuestion: Hashable, Sendable {
  public var name: DomainName
  public var type: DNSRecordType
  /// 1 is the Internet.
  public var recordClass: UInt16

  public init(_ name: DomainName, _ type: DNSRecordType, recordClass: UInt16 = 1) {
    self.name = name
    self.type = type
    self.recordClass = recordClass
  }
}

/// A resource record (RFC 1035, 4.1.3).
public struct DNSRecord: Hashable, Sendable {
  /// The data of a record, decoded if its type is known.
  public enum Content: Hashable, Sendable {
    case a(IPv4Address)
    case aaaa(IPv6Address)
    case cname(DomainName)
    /// The start of a zone. `minimum` is the number of seconds for which a missing record may be
    /// remembered.
    case soa(primary: DomainName, mailbox: DomainName, serial: UInt32, minimum: UInt32)
    case other(DNSRecordType, [UInt8])
  }

  public var name: DomainName
  public var content: Content
  /// Seconds; a value with the highest bit set counts as 0 (RFC 2181, 8).
  public var ttl: UInt32
  /// 1 is the Internet. In an OPT record: the largest datagram in bytes that the sender can
  /// receive.
  public var recordClass: UInt16

  public init(_ name: DomainName, _ content: Content, ttl: UInt32, recordClass: UInt16 = 1) {
    self.name = name
    self.content = content
    self.ttl = ttl
    self.recordClass = recordClass
  }

  public var type: DNSRecordType {
    switch content {
    case .a: .a
    case .aaaa: .aaaa
    case .cname: .cname
    case .soa: .soa
    case .other(let type, _): type
    }
  }
}
