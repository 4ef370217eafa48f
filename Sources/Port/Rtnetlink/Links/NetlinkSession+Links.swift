import CLinux

/// Links: RTM_GETLINK, RTM_NEWLINK, RTM_DELLINK.
extension NetlinkSession {
  /// The link of this name; nil when there is none.
  package func link(named name: String) throws -> Link? {
    var writer = Self.linkHeader(index: 0)
    writer.attribute(IFLA_IFNAME, text: name)
    return try link("look up interface \(name)", writer)
  }

  /// The link with this index; nil when there is none.
  package func link(index: Int) throws -> Link? {
    try link("look up interface \(index)", Self.linkHeader(index: index))
  }

  private func link(_ operation: String, _ writer: ByteWriter) throws -> Link? {
    do {
      guard let message = try fetch(operation, type: RTM_GETLINK, writer.bytes) else { return nil }
      guard let link = Link(message) else {
        throw NetlinkError(.badReply, "cannot \(operation): the kernel's answer lacks index or name")
      }
      return link
    } catch let error as NetlinkError where error.code == .noDevice {
      return nil
    }
  }

  package func links() throws -> [Link] {
    try dump("list interfaces", type: RTM_GETLINK, Self.linkHeader(index: 0).bytes).compactMap(Link.init)
  }

  /// Changes a link; properties that are nil in `change` stay.
  package func set(_ change: LinkChange, of link: Link) throws {
    var writer = Self.linkHeader(index: link.index, isUp: change.isUp)
    if let mtu = change.mtu { writer.attribute(IFLA_MTU, number: UInt32(mtu)) }
    if let alias = change.alias { writer.attribute(IFLA_IFALIAS, Array(alias.utf8)) }
    if let master = change.master { writer.attribute(IFLA_MASTER, number: UInt32(master)) }
    if let mode = change.addressGeneration {
      writer.nested(IFLA_AF_SPEC) { families in
        families.nested(AddressFamily.ipv6.number) { $0.attribute(IFLA_INET6_ADDR_GEN_MODE, number: mode) }
      }
    }
    try perform("set interface \(link.name) to \(change.words)", type: RTM_NEWLINK, writer.bytes)
  }

  /// Makes a pair of connected Ethernet devices, both down.
  ///
  /// - Parameter index: the first one's interface index; 0 for any free one.
  package func makeVirtualEthernet(_ name: String, index: Int = 0, peer: String) throws {
    var writer = Self.linkHeader(index: index)
    writer.attribute(IFLA_IFNAME, text: name)
    writer.nested(IFLA_LINKINFO) { info in
      info.attribute(IFLA_INFO_KIND, text: "veth")
      info.nested(IFLA_INFO_DATA) { data in
        data.nested(VETH_INFO_PEER) { end in
          end.append(Self.linkHeader(index: 0).bytes)
          end.attribute(IFLA_IFNAME, text: peer)
        }
      }
    }
    try perform(
      "make the device pair \(name) and \(peer)", type: RTM_NEWLINK, flags: NLM_F_CREATE | NLM_F_EXCL, writer.bytes)
  }

  /// Moves a link to the network namespace of `descriptor`, an open `/proc/PID/ns/net`.
  package func move(_ link: Link, toNamespace descriptor: Int32) throws {
    var writer = Self.linkHeader(index: link.index)
    writer.attribute(IFLA_NET_NS_FD, number: UInt32(descriptor))
    try perform("move interface \(link.name) to another network namespace", type: RTM_NEWLINK, writer.bytes)
  }

  package func delete(_ link: Link) throws {
    try perform("delete interface \(link.name)", type: RTM_DELLINK, Self.linkHeader(index: link.index).bytes)
  }

  /// struct ifinfomsg.
  static func linkHeader(index: Int, isUp: Bool? = nil) -> ByteWriter {
    var writer = ByteWriter()
    writer.append(UInt32(0))
    writer.append(Int32(index))
    writer.append(UInt32(isUp == true ? IFF_UP : 0))
    writer.append(UInt32(isUp == nil ? 0 : IFF_UP))
    return writer
  }
}
