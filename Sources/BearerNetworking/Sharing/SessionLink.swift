import ModemModel
import Rtnetlink

/// How a modem's driver carries sessions side by side.
public enum SessionLink: Hashable, Sendable {
  /// cdc_mbim: session N is VLAN N over the interface.
  case vlan
  /// A WWAN class device (iosm, t7xx, mhi_net): links of kind `wwan`.
  case wwan(device: String)
  /// qmi_wwan: a link is made by writing its multiplexing id to `qmi/add_mux`.
  case qmimux
  /// Data ports of Qualcomm SoCs, and qmi_wwan with `pass_through`: links of kind `rmnet`.
  case rmnet

  /// Reads it from sysfs; nil where the driver carries one session only, as far as is known.
  public init?(_ kind: ModemProtocol, interface: String, files: LinkFiles = LinkFiles()) {
    switch (kind, files.driver(of: interface), files.wwanDevice(of: interface)) {
    case (.mbim, _, let device?): self = .wwan(device: device)
    // A simulated modem has no driver.
    case (.mbim, "cdc_mbim", nil), (.mbim, nil, nil): self = .vlan
    case (.qmi, "qmi_wwan", _): self = files.passesThrough(interface) ? .rmnet : .qmimux
    case (.qmi, "ipa", _): self = .rmnet
    default: return nil
    }
  }

  /// What is made over netlink; nil for a link that sysfs makes.
  func stacked(_ session: Int) -> StackedLink? {
    switch self {
    case .vlan: .vlan(UInt16(clamping: session))
    case .wwan(let device): .wwan(UInt32(clamping: session), device: device)
    case .rmnet: .rmnet(UInt16(clamping: session))
    case .qmimux: nil
    }
  }
}

extension LinkFiles {
  /// Name of the driver, as in `cdc_mbim`; nil where the interface has no device.
  func driver(of interface: String) -> String? { linkTarget("class/net/\(interface)/device/driver") }

  /// The WWAN class device that an interface belongs to, as in `wwan0`.
  func wwanDevice(of interface: String) -> String? {
    guard linkTarget("class/net/\(interface)/device/subsystem") == "wwan" else { return nil }
    return linkTarget("class/net/\(interface)/device")
  }

  /// `pass_through` of qmi_wwan: multiplexing is rmnet's.
  func passesThrough(_ interface: String) -> Bool { line("class/net/\(interface)/qmi/pass_through")?.first == "Y" }

  /// Has qmi_wwan make a link (sysfs-class-net-qmi, add_mux). Returns 0 or an errno.
  func addMux(_ id: Int, to interface: String) -> Int32 { put("\(id)\n", "class/net/\(interface)/qmi/add_mux") }

  /// Has qmi_wwan take a link away. Returns 0 or an errno.
  func deleteMux(_ id: Int, of interface: String) -> Int32 { put("\(id)\n", "class/net/\(interface)/qmi/del_mux") }

  /// The link with a multiplexing id over a qmi_wwan interface.
  func muxLink(_ id: Int, over interface: String) -> String? {
    entries("class/net/\(interface)").compactMap { name in
      name.hasPrefix("upper_") ? String(name.dropFirst("upper_".count)) : nil
    }.first { muxID(of: $0) == id }
  }

  private func muxID(of link: String) -> Int? {
    line("class/net/\(link)/qmap/mux_id").flatMap { text in
      text.hasPrefix("0x") ? Int(text.dropFirst(2), radix: 16) : Int(text)
    }
  }
}
