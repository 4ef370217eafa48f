import NetworkAddress

/// What an answer says about a name's addresses.
package enum AddressAnswer: Hashable, Sendable {
  /// At least one address, with the shortest time to live in seconds of the records that led to
  /// them.
  case addresses([IPAddress], ttl: UInt32)
  /// The name exists and has no address of this family. It may be remembered for `ttl` seconds.
  case none(ttl: UInt32)
  /// The name does not exist.
  case noSuchName(ttl: UInt32)
  /// The name is an alias of this one, and the server did not resolve it further. Ask for it. It
  /// may be remembered for `ttl` seconds.
  case alias(DomainName, ttl: UInt32)
  /// It did not fit into a datagram. Ask over TCP.
  case truncated
  /// The server could not answer or refused to.
  case failed(DNSMessage.ResponseCode)
  /// Not an answer to this question: another id, another question, or not an answer at all. Drop it
  /// and continue to wait.
  case foreign

  /// Longest chain of aliases to follow.
  package static let maximumAliases = 16

  /// Reads the answer to an A or AAAA query, through its chain of aliases.
  ///
  /// - Parameters:
  ///   - question: what was asked, type A or AAAA.
  ///   - id: the query's.
  package init(_ message: DNSMessage, to question: DNSQuestion, id: UInt16) {
    guard message.isResponse, message.id == id, message.operation == 0 else {
      self = .foreign
      return
    }
    // A server that cannot read a query may omit the question.
    let repeatsQuestion = message.questions == [question]
    let isComplaint = message.questions.isEmpty && ![.noError, .nameError].contains(message.responseCode)
    guard repeatsQuestion || isComplaint else {
      self = .foreign
      return
    }
    switch message.responseCode {
    case .noError, .nameError: self = Self.read(message, question)
    default: self = .failed(message.responseCode)
    }
  }

  private static func read(_ message: DNSMessage, _ question: DNSQuestion) -> AddressAnswer {
    var name = question.name
    var ttl = UInt32.max
    var isOpen = false
    for _ in 0...maximumAliases {
      let records = message.answers.filter { $0.name == name && $0.recordClass == question.recordClass }
      let found = records.filter { $0.type == question.type }
      if !found.isEmpty, !message.isTruncated {
        let addresses = found.compactMap(\.address)
        ttl = found.reduce(ttl) { min($0, $1.ttl) }
        return .addresses(unique(addresses), ttl: ttl)
      }
      guard case .cname(let target)? = records.first(where: { $0.type == .cname })?.content else {
        isOpen = name != question.name
        break
      }
      ttl = min(ttl, records.first { $0.type == .cname }?.ttl ?? ttl)
      name = target
    }
    if message.isTruncated { return .truncated }
    // With an SOA record, the server states that there is nothing else (RFC 2308, 2.2).
    let isFinal = message.responseCode == .nameError || message.authorities.contains { $0.type == .soa }
    if isOpen, !isFinal { return .alias(name, ttl: ttl) }
    let negative = min(ttl, negativeTTL(message))
    return message.responseCode == .nameError ? .noSuchName(ttl: negative) : .none(ttl: negative)
  }

  /// RFC 2308, 5: the smaller of the SOA record's time to live and its minimum; 0 without an SOA
  /// record.
  private static func negativeTTL(_ message: DNSMessage) -> UInt32 {
    for record in message.authorities {
      if case .soa(_, _, _, let minimum) = record.content { return min(record.ttl, minimum) }
    }
    return 0
  }

  private static func unique(_ addresses: [IPAddress]) -> [IPAddress] {
    var seen: Set<IPAddress> = []
    return addresses.filter { seen.insert($0).inserted }
  }
}

extension DNSRecord {
  /// The address in an A or AAAA record.
  package var address: IPAddress? {
    switch content {
    case .a(let address): .v4(address)
    case .aaaa(let address): .v6(address)
    default: nil
    }
  }
}
