import Glibc
import ModemModel

extension Collector {
  /// Programs and libraries with their versions.
  mutating func lookAtVersions() {
    var names = utsname()
    uname(&names)
    let (release, architecture) = (Self.text(of: names.release), Self.text(of: names.machine))
    mask.keep(release)
    var lines = ["modemctl \(Product.version)"]
    if case .answers(let version) = seen.reach { lines.append("modemd \(version) (as it answers)") }
    for name in ["modemd", "modemd-port"] {
      lines.append("\(name) as installed: \(machine.run(name, ["--version"], bytes: 4096).line ?? "not found")")
    }
    lines += seen.modems.compactMap(\.modem.software)
    lines += libraries
    lines.append("kernel \(release) \(architecture)")
    for line in (machine.file("/etc/os-release").text ?? "").split(separator: "\n") where line.hasPrefix("PRETTY_NAME=")
    {
      lines.append("system \(line.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" })")
    }
    for (name, arguments) in [
      ("systemctl", ["--version"]), ("ModemManager", ["--version"]), ("NetworkManager", ["--version"]),
      ("nft", ["--version"]),
      ("ip", ["-V"]),
    ] {
      guard let line = machine.run(name, arguments, bytes: 4096).line else { continue }
      lines.append("\(name): \(line.split(separator: "\n").first ?? "")")
    }
    seen.hasMBIMProxy = hasProgram("mbim-proxy")
    seen.hasQMIProxy = hasProgram("qmi-proxy")
    lines.append("mbim-proxy \(seen.hasMBIMProxy ? "installed" : "not installed")")
    lines.append("qmi-proxy \(seen.hasQMIProxy ? "installed" : "not installed")")
    add("Versions", lines.joined(separator: "\n"))
    lookAtModules(release)
    lookAtClock()
  }

  private func hasProgram(_ name: String) -> Bool {
    machine.exists("/usr/libexec/\(name)") || machine.exists("/usr/lib/libmbim/\(name)")
      || machine.exists("/usr/lib/libqmi/\(name)")
  }

  /// The modem libraries' files, whose names end with versions.
  private var libraries: [String] {
    let folders =
      ["/usr/lib", "/usr/lib64"]
      + (machine.names(in: "/usr/lib") ?? []).filter { $0.contains("-linux-gnu") }.map { "/usr/lib/\($0)" }
    return folders.flatMap { folder in
      (machine.names(in: folder, limit: 16_384) ?? []).filter {
        $0.hasPrefix("libmbim-glib.so.") || $0.hasPrefix("libqmi-glib.so.")
      }
    }
  }

  private static func text<Bytes>(of bytes: Bytes) -> String {
    withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The modules that modemd needs, built in or as files.
  private mutating func lookAtModules(_ release: String) {
    let wanted = ["vrf", "nf_tables", "cdc_mbim", "qmi_wwan", "cdc_wdm", "8021q", "wwan", "rmnet"]
    let folder = "/lib/modules/\(release)"
    let lists = ["modules.dep", "modules.builtin"].map { machine.file("\(folder)/\($0)", bytes: 8 << 20) }
    guard lists.contains(where: { $0.text != nil }) else {
      // A kernel whose modules this system does not have, as in a container: only the loaded ones
      // are known.
      let loaded = wanted.filter { machine.exists("/sys/module/\($0)") }
      return add("Modules", "(no list in \(folder)); loaded: \(loaded.joined(separator: " "))")
    }
    var found: Set<String> = []
    for list in lists {
      for line in (list.text ?? "").utf8.split(separator: UInt8(ascii: "\n")) {
        let path = line.prefix { $0 != UInt8(ascii: ":") }
        let start = path.lastIndex(of: UInt8(ascii: "/")).map { path.index(after: $0) } ?? path.startIndex
        let name = String(decoding: path[start...].prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self)
        found.insert(name.replacing("-", with: "_"))
      }
    }
    for name in wanted where machine.exists("/sys/module/\(name)") { found.insert(name) }
    seen.modules = found.intersection(wanted)
    add(
      "Modules",
      wanted.map {
        "\($0): \(found.contains($0) ? "there" : "missing")\(machine.exists("/sys/module/\($0)") ? ", loaded" : "")"
      }
      .joined(separator: "\n"))
  }

  private mutating func lookAtClock() {
    let reading = machine.run("timedatectl", ["show", "--property=NTPSynchronized", "--property=NTP"], bytes: 4096)
    if let text = reading.text {
      if text.contains("NTPSynchronized=yes") { seen.isClockSynchronised = true }
      if text.contains("NTPSynchronized=no") { seen.isClockSynchronised = false }
    }
    add("Clock", "\(session.console.now())\n" + (reading.text ?? ""))
  }

  // MARK: Units and journal

  private static let units = [
    "modemd.service", "modemd.socket", "modemd-mbim-proxy.service", "modemd-qmi-proxy.service", "ModemManager.service",
    "NetworkManager.service", "systemd-networkd.service", "systemd-resolved.service", "modemd-port@*",
  ]

  mutating func lookAtUnits() {
    let reading = machine.run(
      "systemctl", ["show", "--no-pager", "--property=\(UnitStates.properties.joined(separator: ","))"] + Self.units)
    let units = UnitStates.parse(reading.text ?? "")
    guard !units.isEmpty else {
      return add("Units", shown(reading, "systemd's list of units"))
    }
    seen.units = units.map(\.unit)
    var text = ""
    for (unit, fields) in units {
      text +=
        "\(unit.name): \(unit.load) \(unit.active) (\(unit.sub)), result \(unit.result), \(unit.restarts) restarts"
      for (key, word) in [
        ("UnitFileState", "file"), ("ExecMainStatus", "status"), ("ConditionResult", "condition"),
        ("StateChangeTimestamp", "since"),
        ("DropInPaths", "drop-ins"),
      ] {
        if let value = fields[key], !value.isEmpty { text += ", \(word) \(value)" }
      }
      if unit.needsReload { text += ", wants daemon-reload" }
      text += "\n"
      if unit.name.hasPrefix("modemd"), let environment = fields["Environment"], environment.contains("=-") {
        text += "  options: \(environment)\n"
        optionPaths += UnitStates.option("--configuration", in: environment)
      }
    }
    add("Units", text)
  }

  /// Words of kernel messages about modems.
  private static let words = [
    "cdc_mbim", "qmi_wwan", "cdc-wdm", "cdc_wdm", "wwan", "usb_wwan", "mhi", "iosm", "t7xx", "option1", "oom",
  ]

  mutating func lookAtJournal() {
    let own = machine.run(
      "journalctl",
      [
        "--no-pager", "--no-hostname", "--quiet", "--output=short-iso", "--lines=400", "--unit=modemd.service",
        "--unit=modemd.socket",
      ]
        + ["--unit=modemd-port@*", "--unit=modemd-mbim-proxy.service", "--unit=modemd-qmi-proxy.service"],
      bytes: 256 << 10)
    journal("Journal of modemd and its ports", own)
    journal(
      "Journal of ModemManager, warnings",
      machine.run(
        "journalctl",
        [
          "--no-pager", "--no-hostname", "--quiet", "--output=short-iso", "--lines=60", "--priority=warning",
          "--unit=ModemManager.service",
        ]))
    let kernel = machine.run(
      "journalctl", ["--no-pager", "--no-hostname", "--quiet", "--output=short-iso", "--dmesg", "--lines=4000"],
      bytes: 1 << 20)
    let lines = (kernel.text ?? "").split(separator: "\n").filter { line in Self.words.contains { line.contains($0) } }
    if kernel.text != nil { journal("Kernel's lines about modems", .text(lines.suffix(120).joined(separator: "\n"))) }
  }

  private mutating func journal(_ title: String, _ reading: Machine.Reading) {
    let text = shown(reading, title.prefix(1).lowercased() + title.dropFirst())
    seen.journal += text
    // Without permission, journalctl only shows the user's own lines, with or without a notice.
    let isHidden = !machine.isRoot && (text.trimmingSpace().isEmpty || text.contains("not seeing messages"))
    if isHidden { unread.append("\(title): only root, and the groups adm and systemd-journal, may read it") }
    add(title, text.trimmingSpace().isEmpty ? (isHidden ? "(may not be read)" : "(no lines)") : text)
  }
}
