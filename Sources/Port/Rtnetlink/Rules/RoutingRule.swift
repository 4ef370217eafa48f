import CLinux
import NetworkAddress

/// A rule that decides which packets use a table (linux/fib_rules.h, struct fib_rule_hdr).
package struct RoutingRule: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// Looks up the table; the next rule is tried if it has no route.
    case lookUp
    /// Refuses with EHOSTUNREACH.
    case unreachable
    /// Another action (FR_ACT_*).
    case other(UInt8)
  }

  package var family: AddressFamily
  /// The lower one is tried first; the table `main` has 32766.
  package var priority: UInt32
  /// Sockets bound to this interface; nil for all. The interface need not exist.
  package var outgoingInterface: String?
  /// Packets with a source in this prefix; nil for all.
  package var source: IPPrefix?
  /// Only sockets of these users (FRA_UID_RANGE); nil for all. The kernel's own packets count as
  /// root's.
  package var users: ClosedRange<UInt32>?
  /// Whether it looks up the table of a packet's VRF (FRA_L3MDEV); `table` is then 0.
  package var asksVRF: Bool
  /// 0 for none.
  package var table: UInt32
  package var action: Action
  /// What set it (FRA_PROTOCOL, Linux 4.17; RTPROT_*).
  package var origin: UInt8

  package init(
    _ family: AddressFamily, priority: UInt32, outgoingInterface: String? = nil, source: IPPrefix? = nil,
    users: ClosedRange<UInt32>? = nil, asksVRF: Bool = false, table: UInt32, action: Action = .lookUp, origin: UInt8
  ) {
    self.users = users
    self.asksVRF = asksVRF
    self.family = family
    self.priority = priority
    self.outgoingInterface = outgoingInterface
    self.source = source
    self.table = table
    self.action = action
    self.origin = origin
  }

  /// Reads RTM_NEWRULE or RTM_DELRULE; nil for another family or a malformed message.
  init?(_ message: NetlinkMessage) {
    let reader = message.reader
    guard let number: UInt8 = reader.number(at: 0), let family = AddressFamily(number: number),
      let length: UInt8 = reader.number(at: 2), let low: UInt8 = reader.number(at: 4),
      let action: UInt8 = reader.number(at: 7)
    else { return nil }
    let attributes = reader.attributes(from: 12)
    let kind: Action =
      switch Int(action) {
      case Int(FR_ACT_TO_TBL): .lookUp
      case Int(FR_ACT_UNREACHABLE): .unreachable
      default: .other(action)
      }
    self.init(
      family, priority: attributes.number(FRA_PRIORITY) ?? 0, outgoingInterface: attributes.text(FRA_OIFNAME),
      source: attributes.address(FRA_SRC).flatMap { IPPrefix($0, length: Int(length)) },
      users: attributes.bytes(FRA_UID_RANGE).flatMap(Self.users),
      asksVRF: attributes.number(FRA_L3MDEV, as: UInt8.self) == 1,
      table: attributes.number(FRA_TABLE) ?? UInt32(low), action: kind, origin: attributes.number(FRA_PROTOCOL) ?? 0)
  }

  /// struct fib_rule_uid_range; nil if it is not valid.
  private static func users(_ bytes: ArraySlice<UInt8>) -> ClosedRange<UInt32>? {
    let reader = ByteReader(bytes)
    guard let first: UInt32 = reader.number(at: 0), let last: UInt32 = reader.number(at: 4), first <= last else {
      return nil
    }
    return first...last
  }

  /// The rule in the words of `ip rule`.
  package var words: String {
    var words = "from \(source.map { "\($0)" } ?? "all")"
    if let outgoingInterface { words += " oif \(outgoingInterface)" }
    if let users { words += " uidrange \(users.lowerBound)-\(users.upperBound)" }
    return switch action {
    case .lookUp where asksVRF: words + " lookup [l3mdev-table]"
    case .lookUp: words + " lookup \(table)"
    case .unreachable: words + " unreachable"
    case .other(let number): words + " action \(number)"
    }
  }

  var payload: [UInt8] {
    var writer = ByteWriter()
    writer.append(family.number)
    writer.append(UInt8(0))
    writer.append(UInt8(source?.length ?? 0))
    writer.append(UInt8(0))
    writer.append(table < 256 ? UInt8(table) : UInt8(RT_TABLE_UNSPEC.rawValue))
    writer.append(UInt16(0))
    writer.append(number)
    writer.append(UInt32(0))
    writer.attribute(FRA_PRIORITY, number: priority)
    if let source { writer.attribute(FRA_SRC, address: source.address) }
    if let outgoingInterface { writer.attribute(FRA_OIFNAME, text: outgoingInterface) }
    if let users {
      writer.attribute(
        FRA_UID_RANGE, [users.lowerBound, users.upperBound].flatMap { withUnsafeBytes(of: $0, Array.init) })
    }
    if asksVRF { writer.attribute(FRA_L3MDEV, number: UInt8(1)) }
    if table != 0 { writer.attribute(FRA_TABLE, number: table) }
    if origin != 0 { writer.attribute(FRA_PROTOCOL, number: origin) }
    return writer.bytes
  }

  private var number: UInt8 {
    switch action {
    case .lookUp: UInt8(FR_ACT_TO_TBL)
    case .unreachable: UInt8(FR_ACT_UNREACHABLE)
    case .other(let number): number
    }
  }
}

/// Rules: RTM_GETRULE, RTM_NEWRULE, RTM_DELRULE.
extension NetlinkSession {
  /// Adds a rule; throws `exists` if the same rule exists.
  package func add(_ rule: RoutingRule) throws {
    try perform(
      "add \(rule.family) rule \(rule.words)", type: RTM_NEWRULE, flags: NLM_F_CREATE | NLM_F_EXCL, rule.payload)
  }

  package func delete(_ rule: RoutingRule) throws {
    try perform("delete \(rule.family) rule \(rule.words)", type: RTM_DELRULE, rule.payload)
  }

  /// The rules of both families, as far as the kernel has them, IPv4 first.
  package func rules() throws -> [RoutingRule] {
    try AddressFamily.allCases.flatMap { family in
      do {
        return try rules(family)
      } catch let error as NetlinkError where error.code == .familyNotSupported {
        return []
      }
    }
  }

  /// The rules of one family in the order in which they are tried.
  package func rules(_ family: AddressFamily) throws -> [RoutingRule] {
    var writer = ByteWriter()
    writer.append(family.number)
    writer.append([UInt8](repeating: 0, count: 11))
    return try dump("list \(family) rules", type: RTM_GETRULE, writer.bytes).compactMap(RoutingRule.init)
      .filter { $0.family == family }
  }
}
