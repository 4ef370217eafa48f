import ModemAPI

extension Findings {
  /// From the USB bus to the control port that udev passes to systemd.
  static let devices: [Rule] = [noPort, unboundModem, udev, rawIP, noModem]

  private static let drivers: Set<String> = ["cdc_mbim", "qmi_wwan"]

  /// Vendors of modems (the USB-IF's numbers), for devices whose interfaces do not describe
  /// themselves.
  private static let vendors: [String: String] = [
    "1199": "Sierra Wireless", "2c7c": "Quectel", "1e0e": "SIMCom or Qualcomm", "1bc7": "Telit", "12d1": "Huawei",
    "19d2": "ZTE",
    "05c6": "Qualcomm", "413c": "Dell", "2cb7": "Fibocom", "1546": "u-blox", "0bdb": "Ericsson", "0e8d": "MediaTek",
  ]

  @Sendable private static func noPort(_ seen: Observations) -> [Finding] {
    guard seen.ports.isEmpty, likelyModems(seen).isEmpty, !seen.knowsModems || seen.modems.isEmpty else { return [] }
    return [
      Finding(
        "no-control-port", .wrong, seen: "There is no control port: no /dev/cdc-wdm* and no /dev/wwan*.",
        why: "Without one there is no modem for modemd.",
        next:
          "Plug the modem in and look at lsusb -t and the kernel's lines below; many sticks begin as a disk and need usb_modeswitch."
      )
    ]
  }

  /// USB devices that seem to be modems, without an interface that has a driver for modemd.
  private static func likelyModems(_ seen: Observations) -> [(device: Observations.USBDevice, isMBIM: Bool)] {
    seen.usb.compactMap { device in
      guard !device.interfaces.contains(where: { drivers.contains($0.driver ?? "") }) else { return nil }
      // Communications class, MBIM subclass (USB MBIM 1.0, table 6-4).
      let isMBIM = device.interfaces.contains { $0.kind.hasPrefix("020e") }
      let vendor = String(device.id.prefix(4))
      let isModem =
        vendors[vendor] != nil
        && device.interfaces.contains { ["option", "cdc_ether", "cdc_ncm", "usb-storage"].contains($0.driver ?? "") }
      return isMBIM || isModem ? (device, isMBIM) : nil
    }
  }

  @Sendable private static func unboundModem(_ seen: Observations) -> [Finding] {
    likelyModems(seen).map { device, isMBIM in
      let maker = vendors[String(device.id.prefix(4))].map { " (\($0))" } ?? ""
      if isMBIM {
        return Finding(
          "driver-unbound", .wrong,
          seen: "The USB device \(device.id)\(maker) has an MBIM interface, and no driver has taken it.",
          why: "Without cdc_mbim it has no control port.",
          next: "sudo modprobe cdc_mbim; where there is no such module, install the kernel's package of extra modules.")
      }
      let drivers = Set(device.interfaces.compactMap(\.driver)).sorted().joined(separator: ", ")
      return Finding(
        "usb-mode", .wrong,
        seen: "The USB device \(device.id)\(maker) looks like a modem, and has the drivers \(drivers) only.",
        why: "In this mode it shows neither MBIM nor QMI"
          + (device.configurations > 1
            ? "; it has \(device.configurations) USB configurations, of which \(device.configuration) is chosen."
            : "."),
        next: "usb_modeswitch, or the vendor's command for its MBIM or QMI mode.")
    }
  }

  @Sendable private static func udev(_ seen: Observations) -> [Finding] {
    seen.ports.compactMap { port in
      if port.isIgnored {
        return Finding(
          "ignored", .note, seen: "\(port.name) has MODEMD_IGNORE=1.", why: "A udev rule keeps modemd from this port.",
          next: "If that is not meant: grep -r MODEMD_IGNORE /etc/udev/rules.d")
      }
      guard port.protocol == nil else { return unserved(port, seen) }
      guard let driver = port.driver, drivers.contains(driver) || port.name.hasPrefix("wwan") else {
        return Finding(
          "other-driver", .note, seen: "\(port.name) belongs to the driver \(port.driver ?? "none").",
          why: "modemd works with cdc_mbim, qmi_wwan, and ports of the kernel's WWAN class.",
          next: "Nothing, where it is no modem.")
      }
      // In the WWAN class, only MBIM and QMI ports are recognised; modemd does not use others, such
      // as AT and firehose.
      if port.name.hasPrefix("wwan"), !port.name.contains("mbim"), !port.name.contains("qmi") { return nil }
      return Finding(
        "no-udev-property", .wrong, seen: "udev has not marked \(port.name) with MODEMD_PROTOCOL.",
        why: port.isInUdev
          ? "The rule of modemd did not run for it: then nobody starts its port."
          : "udev has not seen the device, as in a container without udev.",
        next:
          "Is /usr/lib/udev/rules.d/70-modemd.rules there? sudo udevadm control --reload, then sudo udevadm trigger --action=add "
          + "/sys/class/*/\(port.name)")
    }
  }

  private static func unserved(_ port: Observations.ControlPort, _ seen: Observations) -> Finding? {
    // Only if systemd reported units at all.
    guard seen.unit("modemd.service").map({ $0.load != "not-found" }) == true else { return nil }
    let instance = port.name.replacing("-", with: "\\x2d")
    guard !seen.units.contains(where: { $0.name == "modemd-port@\(instance).service" && $0.active != "inactive" })
    else { return nil }
    // Usually, another port of the same modem is served.
    guard !seen.portUnits.contains(where: { $0.active == "active" }) else { return nil }
    return Finding(
      "port-not-started", .wrong, seen: "\(port.name) is recognised, and no modemd-port runs for it.",
      why: "udev asks systemd to start it when the device appears; that did not happen, or it was stopped.",
      next: "sudo systemctl start 'modemd-port@\(instance).service'")
  }

  @Sendable private static func rawIP(_ seen: Observations) -> [Finding] {
    seen.rawIP.sorted { $0.key < $1.key }.compactMap { interface, value in
      guard value == "N", let bearer = bearer(over: interface, seen) else { return nil }
      guard bearer.state == .up, bearer.traffic != .answered else { return nil }
      return Finding(
        "raw-ip", .wrong, seen: "\(interface) of qmi_wwan has qmi/raw_ip N while the bearer is up.",
        why:
          "Newer QMI modems carry bare IP packets: with Ethernet frames between them and the driver nothing comes back.",
        next: "Look for \"raw-ip\" in the port's journal; sudo systemctl restart 'modemd-port@*' has it set anew.")
    }
  }

  static func bearer(over interface: String, _ seen: Observations) -> BearerInterface.Bearer? {
    seen.modems.compactMap(\.bearer).first { $0.settings?.interface == interface }
  }

  @Sendable private static func noModem(_ seen: Observations) -> [Finding] {
    guard seen.knowsModems, seen.modems.isEmpty, seen.ports.contains(where: { $0.protocol != nil && !$0.isIgnored })
    else { return [] }
    return [
      Finding(
        "no-modem", .wrong, seen: "There is a control port, and modemd knows no modem.",
        why: "The port's process does not run, or modemd cannot reach its socket in /run/modemd/ports.",
        next:
          "systemctl status 'modemd-port@*'; compare \"Service\" below with \"Folders and sockets\" in Docs/security.md."
      )
    ]
  }
}
