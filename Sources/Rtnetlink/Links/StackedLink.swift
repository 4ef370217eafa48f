import CLinux

/// A link that carries one part of what another one carries, told apart by a number.
public enum StackedLink: Hashable, Sendable {
  /// An IEEE 802.1Q link, 0 to 4094. cdc_mbim takes its number for an MBIM session (Linux, Documentation/networking/cdc_mbim).
  case vlan(UInt16)
  /// A link of the rmnet driver over a Qualcomm data port, by its multiplexing id.
  case rmnet(UInt16)
  /// A link of a WWAN class device, as in `wwan0`, by its session.
  case wwan(UInt32, device: String)

  /// The kind that the kernel calls it (IFLA_INFO_KIND).
  public var kind: String {
    switch self {
    case .vlan: "vlan"
    case .rmnet: "rmnet"
    case .wwan: "wwan"
    }
  }

  var words: String {
    switch self {
    case .vlan(let number): "VLAN \(number)"
    case .rmnet(let number): "rmnet link \(number)"
    case .wwan(let number, let device): "session \(number) of \(device)"
    }
  }
}

extension NetlinkSession {
  /// Makes a link over `parent`, down.
  ///
  /// - Throws: `NetlinkError`: `exists`, and `familyNotSupported` where the kernel has no such kind of link.
  public func make(_ stacked: StackedLink, named name: String, over parent: Link) throws {
    var writer = Self.linkHeader(index: 0)
    writer.attribute(IFLA_IFNAME, text: name)
    switch stacked {
    case .vlan, .rmnet: writer.attribute(IFLA_LINK, number: UInt32(parent.index))
    case .wwan(_, let device): writer.attribute(Number.parentDeviceName, text: device)
    }
    writer.nested(IFLA_LINKINFO) { info in
      info.attribute(IFLA_INFO_KIND, text: stacked.kind)
      info.nested(IFLA_INFO_DATA) { data in
        switch stacked {
        case .vlan(let number): data.attribute(Number.id, number: number)
        case .rmnet(let number):
          data.attribute(Number.id, number: number)
          // struct ifla_rmnet_flags: the flags, and which of them are set: take aggregated packets apart.
          data.attribute(Number.rmnetFlags, Array(repeating: [1, 0, 0, 0], count: 2).flatMap { $0 })
        case .wwan(let number, _): data.attribute(Number.id, number: number)
        }
      }
    }
    try perform(
      "make \(name), \(stacked.words), over \(parent.name)", type: RTM_NEWLINK, flags: NLM_F_CREATE | NLM_F_EXCL,
      writer.bytes)
  }

  /// Whether the kernel has this kind of link, or can load it: it is asked for one without the fields that any such link needs.
  public func knowsLinks(ofKind kind: String) throws -> Bool {
    var writer = Self.linkHeader(index: 0)
    writer.nested(IFLA_LINKINFO) { $0.attribute(IFLA_INFO_KIND, text: kind) }
    do {
      try perform(
        "ask for links of kind \(kind)", type: RTM_NEWLINK, flags: NLM_F_CREATE | NLM_F_EXCL, writer.bytes)
      return true
    } catch let error as NetlinkError where error.code == .familyNotSupported {
      return false
    } catch let error as NetlinkError where error.code == .failed || error.code == .noDevice {
      return true
    }
  }

  /// Numbers of linux/if_link.h and linux/wwan.h that not every header has.
  private enum Number {
    /// IFLA_VLAN_ID, IFLA_RMNET_MUX_ID, IFLA_WWAN_LINK_ID.
    static let id = 1
    static let rmnetFlags = 2
    static let parentDeviceName = 56
  }
}
