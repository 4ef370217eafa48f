import NetworkAddress

/// What a rule of nf_tables asks of a packet; all that it asks must be so.
public enum FilterMatch: Hashable, Sendable {
  case arrivesBy(String)
  case leavesBy(String)
  /// The socket that sends it was made by another user than this one. What the kernel sends of its own has no user, and never matches.
  case isOfAnotherUser(than: UInt32)
  /// The protocol of the transport layer (IANA's numbers).
  case carries(UInt8)
  case carriesNot(UInt8)
  case goesTo(IPAddress)
  /// These flags of TCP's 14th byte, of those in the mask.
  case hasTCPFlags(UInt8, mask: UInt8)
  /// The type of an ICMP or ICMPv6 message.
  case hasMessageType(UInt8)
  /// Whether its destination is an address of the interface by which it arrives.
  case isForArrivingInterface(Bool)
  /// A socket is there for it, with an address of its own and not the wildcard.
  case isForBoundSocket
}

/// What becomes of a packet that a rule matches.
public enum FilterVerdict: Hashable, Sendable {
  /// Goes on to the chains of others.
  case accept
  case drop
  /// Drops it, and tells the sender that it is prohibited (ICMP).
  case reject
}

/// A rule of nf_tables (linux/netfilter/nf_tables.h).
public struct FilterRule: Hashable, Sendable {
  public var matches: [FilterMatch]
  public var verdict: FilterVerdict

  public init(_ matches: [FilterMatch], _ verdict: FilterVerdict) {
    self.matches = matches
    self.verdict = verdict
  }

  /// The value of NFTA_RULE_EXPRESSIONS: a list of named expressions.
  var expressions: [UInt8] {
    var writer = FilterExpressionWriter()
    for match in matches { writer.append(match) }
    writer.append(verdict)
    return writer.bytes
  }

  /// Tells rules apart without reading expressions back: FNV-1a of the expressions, as the comment that `nft list` shows.
  var mark: String {
    let hash = expressions.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "modemd \(String(hash, radix: 16))"
  }
}
