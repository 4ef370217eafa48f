import CLinux
import NetworkAddress

/// A route in one table (linux/rtnetlink.h, struct rtmsg).
package struct Route: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// To a gateway, or directly to the device.
    case unicast(interfaceIndex: Int, gateway: IPAddress?)
    /// Refuses with EHOSTUNREACH.
    case unreachable
    /// Another type (RTN_*), as in the table `local`.
    case other(UInt8)
  }

  package var family: AddressFamily
  /// Nil for the default route.
  package var destination: IPPrefix?
  package var table: UInt32
  package var kind: Kind
  /// The lower one wins. IPv6 turns 0 into 1024.
  package var metric: UInt32
  /// Who set it (RTPROT_*).
  package var origin: UInt8

  package init(
    _ family: AddressFamily, destination: IPPrefix? = nil, table: UInt32, kind: Kind, metric: UInt32, origin: UInt8
  ) {
    self.family = family
    self.destination = destination
    self.table = table
    self.kind = kind
    self.metric = metric
    self.origin = origin
  }

  /// Reads RTM_NEWROUTE or RTM_DELROUTE; nil for another family, a cached route or a malformed
  /// message.
  init?(_ message: NetlinkMessage) {
    let reader = message.reader
    guard let number: UInt8 = reader.number(at: 0), let family = AddressFamily(number: number),
      let length: UInt8 = reader.number(at: 1), let low: UInt8 = reader.number(at: 4),
      let origin: UInt8 = reader.number(at: 5), let type: UInt8 = reader.number(at: 7),
      let flags: UInt32 = reader.number(at: 8), flags & UInt32(RTM_F_CLONED) == 0
    else { return nil }
    let attributes = reader.attributes(from: 12)
    let index: UInt32 = attributes.number(RTA_OIF.rawValue) ?? 0
    let kind: Kind =
      switch Int(type) {
      case Int(RTN_UNICAST): .unicast(interfaceIndex: Int(index), gateway: attributes.address(RTA_GATEWAY.rawValue))
      case Int(RTN_UNREACHABLE): .unreachable
      default: .other(type)
      }
    self.init(
      family, destination: attributes.address(RTA_DST.rawValue).flatMap { IPPrefix($0, length: Int(length)) },
      table: attributes.number(RTA_TABLE.rawValue) ?? UInt32(low), kind: kind,
      metric: attributes.number(RTA_PRIORITY.rawValue) ?? 0,
      origin: origin)
  }

  /// The route's target in the words of `ip route`.
  package var words: String {
    let target = destination.map { "\($0)" } ?? "default"
    return switch kind {
    case .unicast(_, let gateway?): "\(target) via \(gateway)"
    case .unicast: target
    case .unreachable: "unreachable \(target)"
    case .other(let type): "\(target) of type \(type)"
    }
  }

  func payload(matching: Bool) -> [UInt8] {
    var writer = ByteWriter()
    writer.append(family.number)
    writer.append(UInt8(destination?.length ?? 0))
    writer.append(UInt16(0))
    // Table numbers above 255 only fit into the attribute.
    writer.append(table < 256 ? UInt8(table) : UInt8(RT_TABLE_UNSPEC.rawValue))
    writer.append(origin)
    writer.append(matching ? UInt8(RT_SCOPE_NOWHERE.rawValue) : scope)
    writer.append(type)
    writer.append(UInt32(isOnLink && !matching ? RTNH_F_ONLINK : 0))
    if let destination { writer.attribute(RTA_DST.rawValue, address: destination.address) }
    writer.attribute(RTA_TABLE.rawValue, number: table)
    if metric != 0 { writer.attribute(RTA_PRIORITY.rawValue, number: metric) }
    if case .unicast(let index, let gateway) = kind {
      if let gateway { writer.attribute(RTA_GATEWAY.rawValue, address: gateway) }
      writer.attribute(RTA_OIF.rawValue, number: UInt32(index))
    }
    return writer.bytes
  }

  private var type: UInt8 {
    switch kind {
    case .unicast: UInt8(RTN_UNICAST)
    case .unreachable: UInt8(RTN_UNREACHABLE)
    case .other(let type): type
    }
  }

  // IPv4 needs the scope of the far end; IPv6 ignores it.
  private var scope: UInt8 {
    if case .unicast(_, nil) = kind, family == .ipv4 { UInt8(RT_SCOPE_LINK.rawValue) } else { 0 }
  }

  // A bearer's gateway is reached through the device even if its address does not fit the prefix.
  private var isOnLink: Bool { hasGateway }

  /// Whether it leads to a gateway rather than to the device itself.
  package var hasGateway: Bool {
    if case .unicast(_, .some) = kind { true } else { false }
  }
}

/// Routes: RTM_GETROUTE, RTM_NEWROUTE, RTM_DELROUTE.
extension NetlinkSession {
  /// Adds a route, or replaces the route to the same destination with the same metric in its table.
  package func replace(_ route: Route) throws {
    try perform(
      "set route \(route.words) in table \(route.table)", type: RTM_NEWROUTE, flags: NLM_F_CREATE | NLM_F_REPLACE,
      route.payload(matching: false))
  }

  package func delete(_ route: Route) throws {
    try perform(
      "delete route \(route.words) from table \(route.table)", type: RTM_DELROUTE, route.payload(matching: true))
  }

  /// The routes of both families; with `table`, only those of one table.
  package func routes(inTable table: UInt32? = nil) throws -> [Route] {
    try AddressFamily.allCases.flatMap { family in
      var writer = ByteWriter()
      writer.append(family.number)
      writer.append([UInt8](repeating: 0, count: 11))
      return try dump("list \(family) routes", type: RTM_GETROUTE, writer.bytes).compactMap(Route.init)
        .filter { $0.family == family && (table == nil || $0.table == table) }
    }
  }
}
