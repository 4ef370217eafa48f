import CLinux

/// Something changed in the kernel. The event names what to read again, not its new state.
package enum NetlinkEvent: Hashable, Sendable {
  /// A link appeared, changed or, with `isGone`, vanished.
  case link(index: Int, isGone: Bool)
  /// An address of a link was added or removed.
  case address(interfaceIndex: Int)
  case route(table: UInt32)
  case rule(table: UInt32)
  /// A table of the packet filter, or its content, was added, changed or removed.
  case filter(table: String)
  /// Events were lost: read everything again.
  case resync

  /// Reads one message of a multicast group; nil for an irrelevant one.
  package init?(_ message: NetlinkMessage) {
    switch Int(message.type) {
    case Int(RTM_NEWLINK), Int(RTM_DELLINK):
      guard let index: Int32 = message.reader.number(at: 4) else { return nil }
      self = .link(index: Int(index), isGone: message.type == UInt16(RTM_DELLINK))
    case Int(RTM_NEWADDR), Int(RTM_DELADDR):
      guard let index: UInt32 = message.reader.number(at: 4) else { return nil }
      self = .address(interfaceIndex: Int(index))
    case Int(RTM_NEWROUTE), Int(RTM_DELROUTE):
      guard let route = Route(message) else { return nil }
      self = .route(table: route.table)
    case Int(RTM_NEWRULE), Int(RTM_DELRULE):
      guard let rule = RoutingRule(message) else { return nil }
      self = .rule(table: rule.table)
    default:
      guard let table = FilterTable.name(of: message) else { return nil }
      self = .filter(table: table)
    }
  }
}
