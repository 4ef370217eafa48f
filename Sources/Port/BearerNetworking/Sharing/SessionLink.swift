import ModemModel
import Rtnetlink

/// How a modem's driver carries several sessions.
package enum SessionLink: Hashable, Sendable {
  /// cdc_mbim: session N is VLAN N over the interface.
  case vlan
  /// A WWAN class device (iosm, t7xx, mhi_wwan_mbim): links of kind `wwan`.
  case wwan(device: String)
  /// qmi_wwan: writing a multiplexing id to `qmi/add_mux` makes a link.
  case qmimux
  /// ipa, mhi_net, and qmi_wwan with `pass_through`: links of kind `rmnet`.
  case rmnet

  /// What to make over netlink; nil for a link that is made through sysfs.
  ///
  /// - Parameter flags: how an rmnet link processes packets besides their ids.
  func stacked(_ session: Int, flags: RmnetFlags = .takesApart) -> StackedLink? {
    switch self {
    case .vlan: .vlan(UInt16(clamping: session))
    case .wwan(let device): .wwan(UInt32(clamping: session), device: device)
    case .rmnet: .rmnet(UInt16(clamping: session), flags)
    case .qmimux: nil
    }
  }
}

extension RmnetFlags {
  init(up: Multiplexing.Version, down: Multiplexing.Version) {
    self = .takesApart
    switch down {
    case .v1: break
    case .v4: formUnion(.readsChecksumsV4)
    case .v5: formUnion(.readsChecksumsV5)
    }
    switch up {
    case .v1: break
    case .v4: formUnion(.writesChecksumsV4)
    case .v5: formUnion(.writesChecksumsV5)
    }
  }
}

extension LinkFiles {
  /// Name of the driver, as in `cdc_mbim`; nil if the interface has no device.
  func driver(of interface: String) -> String? { linkTarget("class/net/\(interface)/device/driver") }

  /// The WWAN class device that an interface belongs to, as in `wwan0`.
  func wwanDevice(of interface: String) -> String? {
    guard linkTarget("class/net/\(interface)/device/subsystem") == "wwan" else { return nil }
    return linkTarget("class/net/\(interface)/device")
  }

  /// `pass_through` of qmi_wwan: rmnet does the multiplexing.
  func passesThrough(_ interface: String) -> Bool { line("class/net/\(interface)/qmi/pass_through")?.first == "Y" }

  /// Makes qmi_wwan add a link (sysfs-class-net-qmi, add_mux). Returns 0 or an errno.
  func addMux(_ id: Int, to interface: String) -> Int32 { put("\(id)\n", "class/net/\(interface)/qmi/add_mux") }

  /// Makes qmi_wwan remove a link. Returns 0 or an errno.
  func deleteMux(_ id: Int, of interface: String) -> Int32 { put("\(id)\n", "class/net/\(interface)/qmi/del_mux") }

  /// The link with a multiplexing id over a qmi_wwan interface.
  func muxLink(_ id: Int, over interface: String) -> String? {
    uppers(of: interface).first { muxID(of: $0) == id }
  }

  /// The multiplexing ids of the links over a qmi_wwan interface.
  func muxIDs(over interface: String) -> Set<Int> { Set(uppers(of: interface).compactMap(muxID)) }

  private func uppers(of interface: String) -> [String] {
    entries("class/net/\(interface)").compactMap { name in
      name.hasPrefix("upper_") ? String(name.dropFirst("upper_".count)) : nil
    }
  }

  /// What the checksum engine of ipa does with packets (sysfs-devices-platform-soc-ipa).
  func ipaFlags(of interface: String) -> RmnetFlags? {
    guard driver(of: interface) == "ipa" else { return nil }
    func version(_ way: String) -> Multiplexing.Version {
      switch line("class/net/\(interface)/device/feature/\(way)_offload") {
      case "MAPv4": .v4
      case "MAPv5": .v5
      default: .v1
      }
    }
    return RmnetFlags(up: version("tx"), down: version("rx"))
  }

  private func muxID(of link: String) -> Int? {
    line("class/net/\(link)/qmap/mux_id").flatMap { text in
      text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
    }
  }
}
