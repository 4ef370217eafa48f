import NetworkAddress

/// What a rule of nf_tables tests. All tests of a rule must succeed.
package enum FilterMatch: Hashable, Sendable {
  case arrivesBy(String)
  case arrivesNotBy(String)
  case leavesBy(String)
  case leavesNotBy(String)
  /// By the interface with this index, whatever its name.
  case leavesByIndex(Int)
  /// Another user than this one made the socket that sends it. The kernel's own packets have no
  /// user and never match.
  case isOfAnotherUser(than: UInt32)
  /// The protocol of the transport layer (IANA's numbers).
  case carries(UInt8)
  case carriesNot(UInt8)
  case goesTo(IPAddress)
  /// These flags of TCP's 14th byte, among those in the mask.
  case hasTCPFlags(UInt8, mask: UInt8)
  /// The type of an ICMP or ICMPv6 message.
  case hasMessageType(UInt8)
  /// Whether its destination is an address of the interface on which it arrives.
  case isForArrivingInterface(Bool)
  /// There is a socket for it that is bound to an address and not to the wildcard.
  case isForBoundSocket
}

/// What happens to a packet that matches a rule.
package enum FilterVerdict: Hashable, Sendable {
  /// The packet continues to other chains.
  case accept
  case drop
  /// Drops it, and sends an ICMP message to the sender that it is prohibited.
  case reject
}

/// A rule of nf_tables (linux/netfilter/nf_tables.h).
package struct FilterRule: Hashable, Sendable {
  package var matches: [FilterMatch]
  package var verdict: FilterVerdict

  package init(_ matches: [FilterMatch], _ verdict: FilterVerdict) {
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

  /// Identifies rules without reading expressions back: FNV-1a of the expressions, as the comment
  /// that `nft list` shows.
  var mark: String {
    let hash = expressions.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return "modemd \(String(hash, radix: 16))"
  }
}
