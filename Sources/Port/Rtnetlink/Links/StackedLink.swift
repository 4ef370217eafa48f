import CLinux

/// A link that carries one part of another link's traffic, identified by a number.
package enum StackedLink: Hashable, Sendable {
  /// An IEEE 802.1Q link, 0 to 4094. cdc_mbim uses its number as the MBIM session (Linux,
  /// Documentation/networking/cdc_mbim).
  case vlan(UInt16)
  /// A link of the rmnet driver over a Qualcomm data port, by its multiplexing id, 1 to 254.
  case rmnet(UInt16, RmnetFlags = .takesApart)
  /// A link of a WWAN class device, as in `wwan0`, by its session.
  case wwan(UInt32, device: String)

  /// The kernel's name for this kind (IFLA_INFO_KIND).
  package var kind: String {
    switch self {
    case .vlan: "vlan"
    case .rmnet: "rmnet"
    case .wwan: "wwan"
    }
  }

  /// VLAN, multiplexing id, or session.
  package var number: Int {
    switch self {
    case .vlan(let number), .rmnet(let number, _): Int(number)
    case .wwan(let number, _): Int(number)
    }
  }

  var words: String {
    switch self {
    case .vlan(let number): "VLAN \(number)"
    case .rmnet(let number, _): "rmnet link \(number)"
    case .wwan(let number, let device): "session \(number) of \(device)"
    }
  }
}

/// How an rmnet link processes packets besides their ids (linux/if_link.h, RMNET_FLAGS_*). The
/// flags apply to all links over one interface; the newest link sets them.
package struct RmnetFlags: OptionSet, Hashable, Sendable {
  package let rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Splits aggregated packets.
  package static let takesApart = RmnetFlags(rawValue: 1)
  package static let readsChecksumsV4 = RmnetFlags(rawValue: 1 << 2)
  package static let writesChecksumsV4 = RmnetFlags(rawValue: 1 << 3)
  package static let readsChecksumsV5 = RmnetFlags(rawValue: 1 << 4)
  package static let writesChecksumsV5 = RmnetFlags(rawValue: 1 << 5)
}

/// A stacked link as the kernel lists it.
package struct StackedPart: Hashable, Sendable {
  /// As in `vlan`, `rmnet` or `wwan`.
  package var kind: String
  /// VLAN, multiplexing id, or session.
  package var number: UInt32
  /// Index of the link below it (IFLA_LINK); nil for a link of a device.
  package var parent: Int?
  /// The device that it is a link of (IFLA_PARENT_DEV_NAME); nil before Linux 5.14.
  package var device: String?

  package init(kind: String, number: UInt32, parent: Int? = nil, device: String? = nil) {
    self.kind = kind
    self.number = number
    self.parent = parent
    self.device = device
  }

  /// Reads it from a link's attributes; nil for another kind of link.
  init?(_ attributes: Attributes) {
    guard let information = attributes.nested(IFLA_LINKINFO), let kind = information.text(IFLA_INFO_KIND),
      let data = information.nested(IFLA_INFO_DATA)
    else { return nil }
    let number: UInt32?
    switch kind {
    case "vlan", "rmnet": number = data.number(StackedNumber.id, as: UInt16.self).map(UInt32.init)
    case "wwan": number = data.number(StackedNumber.id)
    default: return nil
    }
    guard let number else { return nil }
    self.init(
      kind: kind, number: number, parent: attributes.number(IFLA_LINK, as: UInt32.self).map(Int.init),
      device: attributes.text(StackedNumber.parentDeviceName))
  }
}

extension NetlinkSession {
  /// Makes a link over `parent`. It is down.
  ///
  /// - Parameter parent: the interface that carries it; not needed for a session of a WWAN class
  ///   device.
  /// - Throws: `NetlinkError`: `exists`, `familyNotSupported` if the kernel lacks this kind of
  ///   link, and for a session `noDevice`.
  package func make(_ stacked: StackedLink, named name: String, over parent: Link?) throws {
    var writer = Self.linkHeader(index: 0)
    writer.attribute(IFLA_IFNAME, text: name)
    switch stacked {
    case .vlan, .rmnet: if let parent { writer.attribute(IFLA_LINK, number: UInt32(parent.index)) }
    case .wwan(_, let device): writer.attribute(StackedNumber.parentDeviceName, text: device)
    }
    writer.nested(IFLA_LINKINFO) { info in
      info.attribute(IFLA_INFO_KIND, text: stacked.kind)
      info.nested(IFLA_INFO_DATA) { data in
        switch stacked {
        case .vlan(let number): data.attribute(StackedNumber.id, number: number)
        case .rmnet(let number, let flags):
          data.attribute(StackedNumber.id, number: number)
          // struct ifla_rmnet_flags: the flags, and which of them are set.
          data.attribute(
            StackedNumber.rmnetFlags,
            [flags, flags.union(.takesApart)].flatMap { flags in withUnsafeBytes(of: flags.rawValue) { Array($0) } })
        case .wwan(let number, _): data.attribute(StackedNumber.id, number: number)
        }
      }
    }
    try perform(
      "make \(name), \(stacked.words)\(parent.map { ", over \($0.name)" } ?? "")", type: RTM_NEWLINK,
      flags: NLM_F_CREATE | NLM_F_EXCL, writer.bytes)
  }

  /// Whether the kernel has this kind of link, or can load it. It is asked for a link without the
  /// fields that any such link needs.
  package func knowsLinks(ofKind kind: String) throws -> Bool {
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
}

/// Numbers from linux/if_link.h and linux/wwan.h that some headers lack.
private enum StackedNumber {
  /// IFLA_VLAN_ID, IFLA_RMNET_MUX_ID, IFLA_WWAN_LINK_ID.
  static let id = 1
  static let rmnetFlags = 2
  static let parentDeviceName = 56
}
