import CLinux

/// A VRF device: what its ports send and receive is looked up in its own routing table, and sockets that are not bound to it hear
/// nothing of it (Linux, Documentation/networking/vrf).
enum VRFLink {
  /// The kind that the kernel calls it (IFLA_INFO_KIND).
  static let kind = "vrf"
  /// IFLA_VRF_TABLE.
  static let tableAttribute = 1
}

extension NetlinkSession {
  /// Makes a VRF device, down. The first one of a network namespace adds the rules `l3mdev` of both families, at 1000.
  ///
  /// - Parameters:
  ///   - name: at most 15 bytes.
  ///   - table: the routing table that it stands for.
  /// - Throws: `NetlinkError`: `exists`, and `familyNotSupported` where the kernel has no such devices.
  public func makeVRF(_ name: String, table: UInt32) throws {
    var writer = Self.linkHeader(index: 0)
    writer.attribute(IFLA_IFNAME, text: name)
    writer.nested(IFLA_LINKINFO) { info in
      info.attribute(IFLA_INFO_KIND, text: VRFLink.kind)
      info.nested(IFLA_INFO_DATA) { $0.attribute(VRFLink.tableAttribute, number: table) }
    }
    try perform(
      "make the VRF device \(name) with table \(table)", type: RTM_NEWLINK, flags: NLM_F_CREATE | NLM_F_EXCL,
      writer.bytes)
  }
}
