extension Collector {
  /// Links, addresses, rules, routes, the guard, and what other programs manage.
  mutating func lookAtNetwork() {
    for (title, arguments) in [
      ("Links", ["-details", "-brief", "link"]), ("Addresses", ["-brief", "address"]), ("VRFs", ["vrf", "show"]),
    ] {
      add(title, shown(machine.run("ip", arguments), "list by `ip \(arguments.joined(separator: " "))`"))
    }
    var rules = ""
    for family in ["-4", "-6"] {
      let text = shown(machine.run("ip", [family, "rule"]), "list by `ip \(family) rule`")
      seen.rules += RuleList.parse(text)
      rules += text
    }
    add("Rules", rules)
    for family in ["-4", "-6"] {
      add(
        "Routes, \(family == "-4" ? "IPv4" : "IPv6")",
        shown(machine.run("ip", [family, "route", "show", "table", "all"], bytes: 96 << 10), "list of routes"))
    }
    lookAtGuard()
    lookAtControls()
    lookAtNeighbours()
  }

  private var interfaces: [String] {
    var names: [String] = []
    for entry in seen.modems {
      for name in [entry.modem.interface, entry.bearer?.settings?.interface] {
        if let name, !names.contains(name), Self.isInterface(name) { names.append(name) }
      }
    }
    return names
  }

  /// A name that the kernel allows and that no path or program could misread.
  private static func isInterface(_ name: String) -> Bool {
    (1...15).contains(name.utf8.count) && name != "." && name != ".." && name.first != "-"
      && name.utf8.allSatisfy { ReportScan.isAlphanumeric($0) || "._-".utf8.contains($0) }
  }

  private mutating func lookAtGuard() {
    let tables = machine.run("nft", ["list", "tables"])
    guard case .text(let names) = tables, !names.contains("ermitted") else {
      if tables == .missing {
        return add("Guard in nf_tables", "(nft is not installed: the package nftables has it)")
      }
      unread.append("the guard in nf_tables" + (machine.isRoot ? "" : ": root can read it"))
      return add("Guard in nf_tables", "(may not be read)")
    }
    let own = names.split(separator: "\n").compactMap { line -> [String]? in
      let words = line.split(separator: " ").map { String($0) }
      return words.count == 3 && words[2].hasPrefix("modemd") ? words : nil
    }
    var text = names
    for words in own.prefix(16) { text += machine.run("nft", ["--numeric", "list"] + words).text ?? "" }
    add("Guard in nf_tables", text)
  }

  private mutating func lookAtControls() {
    var text = ""
    let scopes = ["all", "default"] + interfaces
    for scope in scopes {
      for name in [
        "ipv4/conf/\(scope)/rp_filter", "ipv4/conf/\(scope)/forwarding", "ipv6/conf/\(scope)/accept_ra",
        "ipv6/conf/\(scope)/disable_ipv6", "ipv6/conf/\(scope)/forwarding",
      ] {
        guard let value = machine.file("/proc/sys/net/\(name)").line else { continue }
        seen.sysctls[name] = value
        text += "net/\(name) = \(value)\n"
      }
    }
    for name in ["ipv4/tcp_l3mdev_accept", "ipv4/udp_l3mdev_accept", "ipv4/raw_l3mdev_accept"] {
      if let value = machine.file("/proc/sys/net/\(name)").line { text += "net/\(name) = \(value)\n" }
    }
    add("Controls of the kernel", text)
  }

  /// systemd-networkd's settings about other programs' routes and rules. A later file takes
  /// precedence over an earlier one.
  private var networkdSettings: String {
    var values: [String: String] = [:]
    let folders = ["/usr/lib", "/etc", "/run"].map { "\($0)/systemd/networkd.conf.d" }
    let files =
      ["/etc/systemd/networkd.conf"]
      + folders.flatMap { folder in (machine.names(in: folder, limit: 32) ?? []).map { "\(folder)/\($0)" } }
    for file in files where file.hasSuffix(".conf") {
      for line in (machine.file(file).text ?? "").split(separator: "\n") where line.hasPrefix("ManageForeign") {
        guard let mark = line.firstIndex(of: "=") else { continue }
        let value = line[line.index(after: mark)...].trimmingSpace().lowercased()
        values[line[..<mark].trimmingSpace()] = ["no", "false", "0", "off"].contains(value) ? "no" : "yes"
      }
    }
    return values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)\n" }.joined()
  }

  /// The states of the modems' interfaces in NetworkManager, systemd-networkd and systemd-resolved.
  private mutating func lookAtNeighbours() {
    var text = ""
    if seen.isActive("NetworkManager.service"),
      let states = machine.run("nmcli", ["--terse", "--fields", "DEVICE,TYPE,STATE", "device", "status"]).text
    {
      text += "NetworkManager (device:type:state)\n\(states)"
      for line in states.split(separator: "\n") {
        let parts = line.split(separator: ":").map { String($0) }
        guard parts.count == 3 else { continue }
        seen.networkManager[parts[0]] = parts[2].split(separator: " ").first.map { String($0) } ?? parts[2]
      }
    }
    if seen.isActive("systemd-networkd.service") {
      let settings = networkdSettings
      seen.networkdTakes = ["ManageForeignRoutes", "ManageForeignRoutingPolicyRules"].filter {
        !settings.contains("\($0)=no")
      }
      text += "systemd-networkd (settings, state, file)\n" + settings
      for interface in interfaces {
        guard let index = machine.file("/sys/class/net/\(interface)/ifindex").line,
          let record = machine.file("/run/systemd/netif/links/\(index)").text
        else { continue }
        for line in record.split(separator: "\n")
        where line.hasPrefix("ADMIN_STATE=") || line.hasPrefix("NETWORK_FILE=") {
          text += "\(interface): \(line)\n"
          if line.hasPrefix("ADMIN_STATE=") { seen.networkd[interface] = String(line.dropFirst("ADMIN_STATE=".count)) }
        }
      }
    }
    if seen.isActive("systemd-resolved.service") {
      text += "systemd-resolved\n" + (machine.run("resolvectl", ["--no-pager", "dns"], bytes: 16 << 10).text ?? "")
    }
    add(
      "Other programs of the network",
      text.isEmpty ? "None of NetworkManager, systemd-networkd and systemd-resolved runs." : text)
  }
}

/// The output of `ip rule`: `7700:	from all oif wwan0 lookup 7700007`.
enum RuleList {
  static func parse(_ text: String) -> [Observations.Rule] {
    text.split(separator: "\n").compactMap { line in
      guard let mark = line.firstIndex(of: ":"), let priority = Int(line[..<mark]) else { return nil }
      return Observations.Rule(priority: priority, text: line[line.index(after: mark)...].trimmingSpace())
    }
  }
}
