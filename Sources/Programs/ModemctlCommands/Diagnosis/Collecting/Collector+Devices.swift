extension Collector {
  /// udev's properties that are shown. Of all others, only the names are shown, because their
  /// values include serial numbers.
  private static let shownProperties: Set<String> = [
    "DEVNAME", "DEVPATH", "DEVTYPE", "SUBSYSTEM", "DRIVER", "MAJOR", "MINOR", "INTERFACE", "IFINDEX", "ID_BUS",
    "ID_VENDOR_ID",
    "ID_MODEL_ID", "ID_VENDOR", "ID_MODEL", "ID_REVISION", "ID_USB_DRIVER", "ID_USB_INTERFACE_NUM", "ID_USB_INTERFACES",
    "ID_PATH",
    "ID_NET_DRIVER", "ID_NET_LINK_FILE", "ID_NET_NAME_PATH", "ID_NET_NAMING_SCHEME", "ID_NET_MANAGED_BY",
    "NM_UNMANAGED",
    "SYSTEMD_WANTS", "MODEMD_PROTOCOL", "MODEMD_IGNORE",
  ]

  /// Control ports, network devices and the USB devices behind them.
  mutating func lookAtDevices() {
    var text = ""
    for (category, names) in [
      ("usbmisc", machine.names(in: "/sys/class/usbmisc")), ("wwan", machine.names(in: "/sys/class/wwan")),
    ] {
      for name in (names ?? []).prefix(32) {
        let folder = "/sys/class/\(category)/\(name)"
        // A device of the class wwan has no number of its own; the ports below it have.
        guard let number = machine.file("\(folder)/dev").line else { continue }
        text += port(name, folder, number)
      }
    }
    add("Control ports", text.isEmpty ? "There is none." : text)
    lookAtInterfaces()
    lookAtUSB()
  }

  private mutating func port(_ name: String, _ folder: String, _ number: String) -> String {
    let driver = machine.target(of: "\(folder)/device/driver").map { String($0.split(separator: "/").last ?? "") }
    let reading = machine.file("/run/udev/data/c\(number)")
    let properties = properties(in: reading.text ?? "")
    seen.ports.append(
      Observations.ControlPort(
        name: name, driver: driver, protocol: properties.values["MODEMD_PROTOCOL"], isInUdev: reading.text != nil,
        isIgnored: properties.values["MODEMD_IGNORE"] == "1"))
    var text = "\(name): driver \(driver ?? "none"), type \(machine.file("\(folder)/type").line ?? "-"), "
    text += "/dev/\(name) \(machine.rights(of: "/dev/\(name)") ?? "not there")\n"
    text += reading.text == nil ? "  (udev has no entry for it)\n" : properties.text
    return text
  }

  /// Parses udev's own record of a device.
  private mutating func properties(in text: String) -> (values: [String: String], text: String) {
    var values: [String: String] = [:]
    var lines: [String] = []
    var hidden: [String] = []
    for line in text.split(separator: "\n").prefix(256) {
      if line.hasPrefix("G:") || line.hasPrefix("Q:") { lines.append("  tag \(line.dropFirst(2))") }
      guard line.hasPrefix("E:"), let mark = line.firstIndex(of: "=") else { continue }
      let key = String(line[..<mark].dropFirst(2))
      let value = String(line[line.index(after: mark)...])
      values[key] = value
      if key.contains("SERIAL") { mask.learn(value, as: .serial) }
      if Self.shownProperties.contains(key) || key.hasPrefix("ID_MM_") {
        lines.append("  \(key)=\(value)")
      } else {
        hidden.append(key)
      }
    }
    if !hidden.isEmpty { lines.append("  not shown: \(hidden.joined(separator: " "))") }
    return (values, lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n")
  }

  private mutating func lookAtInterfaces() {
    var text = ""
    for name in (machine.names(in: "/sys/class/net") ?? []).prefix(128) {
      let folder = "/sys/class/net/\(name)"
      let driver = machine.target(of: "\(folder)/device/driver").map { String($0.split(separator: "/").last ?? "") }
      let kind = (machine.file("\(folder)/uevent").text ?? "").split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }
      let isModems = name.hasPrefix("ww") || kind == "DEVTYPE=wwan" || ["cdc_mbim", "qmi_wwan"].contains(driver ?? "")
      guard isModems || seen.modems.contains(where: { $0.modem.interface == name }) else { continue }
      text += "\(name): driver \(driver ?? "none"), \(machine.file("\(folder)/operstate").line ?? "-")"
      if let raw = machine.file("\(folder)/qmi/raw_ip").line {
        seen.rawIP[name] = raw
        text += ", qmi/raw_ip \(raw)"
      }
      for counter in ["rx_packets", "tx_packets", "rx_errors", "tx_errors", "tx_dropped"] {
        text += ", \(counter) \(machine.file("\(folder)/statistics/\(counter)").line ?? "-")"
      }
      text += "\n"
      if let index = machine.file("\(folder)/ifindex").line {
        text += properties(in: machine.file("/run/udev/data/n\(index)").text ?? "").text
      }
    }
    add("Modems' network devices", text.isEmpty ? "There is none." : text)
  }

  /// USB devices that are or may be modems.
  private mutating func lookAtUSB() {
    let folder = "/sys/bus/usb/devices"
    let names = machine.names(in: folder, limit: 1024) ?? []
    var text = ""
    for name in names where !name.contains(":") {
      let path = "\(folder)/\(name)"
      guard let vendor = machine.file("\(path)/idVendor").line, let product = machine.file("\(path)/idProduct").line
      else {
        continue
      }
      mask.learn(machine.file("\(path)/serial").line, as: .serial)
      let interfaces = names.filter { $0.hasPrefix("\(name):") }.map { interface in
        let parts = ["bInterfaceClass", "bInterfaceSubClass", "bInterfaceProtocol"]
        return Observations.USBDevice.Interface(
          kind: parts.map { machine.file("\(folder)/\(interface)/\($0)").line ?? "" }.joined(),
          driver: machine.target(of: "\(folder)/\(interface)/driver").map {
            String($0.split(separator: "/").last ?? "")
          })
      }
      // Hubs and input devices are left out.
      guard interfaces.contains(where: { !["09", "03", "01", "0e"].contains(String($0.kind.prefix(2))) }) else {
        continue
      }
      let device = Observations.USBDevice(
        path: name, id: "\(vendor):\(product)",
        configurations: machine.file("\(path)/bNumConfigurations").line.flatMap { Int($0) } ?? 1,
        configuration: machine.file("\(path)/bConfigurationValue").line.flatMap { Int($0) } ?? 0, interfaces: interfaces
      )
      seen.usb.append(device)
      text +=
        "\(name): \(device.id) \(machine.file("\(path)/manufacturer").line ?? "") \(machine.file("\(path)/product").line ?? ""), "
      text +=
        "configuration \(device.configuration) of \(device.configurations), power \(machine.file("\(path)/power/control").line ?? "-")\n"
      text += interfaces.map { "  interface \($0.kind) driver \($0.driver ?? "none")\n" }.joined()
    }
    add("USB devices", text.isEmpty ? "There is none that a modem may be." : text)
  }

  /// Which processes have control ports open, and where the proxies run.
  mutating func lookAtProcesses() {
    var text = ""
    var isPartial = false
    let devices = Set(seen.ports.map { "/dev/\($0.name)" } + seen.modems.map(\.modem.device))
    for id in machine.names(in: "/proc", limit: 32_768) ?? [] where id.utf8.allSatisfy(ReportScan.isDigit) {
      guard let name = machine.file("/proc/\(id)/comm", bytes: 64).line else { continue }
      var ports: [String] = []
      if let descriptors = machine.names(in: "/proc/\(id)/fd", limit: 4096) {
        if !devices.isEmpty {
          ports = descriptors.compactMap { machine.target(of: "/proc/\(id)/fd/\($0)") }.filter { devices.contains($0) }
        }
      } else if !machine.isRoot, machine.exists("/proc/\(id)") {
        isPartial = true
      }
      guard !ports.isEmpty || ["mbim-proxy", "qmi-proxy", "ModemManager"].contains(name) else { continue }
      let unit = unit(inControlGroup: machine.file("/proc/\(id)/cgroup", bytes: 4096).text ?? "")
      seen.processes.append(Observations.Process(name: name, unit: unit, ports: Array(Set(ports)).sorted()))
      text +=
        "\(name) in \(unit.isEmpty ? "no unit" : unit): \(ports.isEmpty ? "no control port" : Set(ports).sorted().joined(separator: " "))\n"
    }
    if isPartial { unread.append("which processes have control ports open: only root sees it of all processes") }
    add("Processes", text.isEmpty ? "None that is known has a control port open." : text)
  }

  private func unit(inControlGroup text: String) -> String {
    let path = text.split(separator: "\n").last.map { $0.split(separator: ":", maxSplits: 2).last ?? "" } ?? ""
    return path.split(separator: "/").last { $0.hasSuffix(".service") || $0.hasSuffix(".scope") }.map { String($0) }
      ?? ""
  }
}
