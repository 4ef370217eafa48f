import CLinux

/// A VRF device. Its own routing table applies to the traffic of its ports, and sockets that are
/// not bound to it receive nothing from it (Linux, Documentation/networking/vrf).
enum VRFLink {
  /// The kernel's name for this kind (IFLA_INFO_KIND).
  static let kind = "vrf"
  /// IFLA_VRF_TABLE.
  static let tableAttribute = 1
}

extension NetlinkSession {
  /// Makes a VRF device. It is down. The first one in a network namespace adds the `l3mdev` rules
  /// of both families, at 1000.
  ///
  /// - Parameters:
  ///   - name: at most 15 bytes.
  ///   - table: its routing table.
  /// - Throws: `NetlinkError`: `exists`, and `familyNotSupported` if the kernel lacks such devices.
  package func makeVRF(_ name: String, table: UInt32) throws {
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
