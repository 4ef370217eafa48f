import ModemAPI

extension Findings {
  /// The kernel's features and settings.
  static let kernel: [Rule] = [reversePath, advertisements, earlierRules, modules, memory]

  private static func isUp(_ entry: Observations.Modem) -> Bool { entry.bearer?.state == .up }

  @Sendable private static func reversePath(_ seen: Observations) -> [Finding] {
    seen.modems.compactMap { entry in
      // In a VRF, the bearer's own table is used, in which the way back is right.
      guard isUp(entry), let bearer = entry.bearer, bearer.guard != .vrf, let interface = bearer.settings?.interface,
        let all = seen.sysctls["ipv4/conf/all/rp_filter"].flatMap({ Int($0) })
      else { return nil }
      let own = seen.sysctls["ipv4/conf/\(interface)/rp_filter"].flatMap { Int($0) } ?? 0
      guard max(all, own) == 1, !hasSourceRule(seen) else { return nil }
      return Finding(
        "rp-filter", .wrong,
        seen: "rp_filter of \(interface) is strict, and no rule looks up the bearer's table for its address.",
        why: "The kernel drops replies that come in by another interface than its default route's.",
        next: "sudo sysctl net.ipv4.conf.\(interface).rp_filter=2, or restart the port, which makes the rule anew.")
    }
  }

  /// Rules from the bearer's address are at 7701.
  private static func hasSourceRule(_ seen: Observations) -> Bool {
    seen.rules.isEmpty || seen.rules.contains { $0.priority == 7701 }
  }

  @Sendable private static func advertisements(_ seen: Observations) -> [Finding] {
    seen.modems.compactMap { entry in
      guard isUp(entry), entry.modem.sharing?.way != .follow, let interface = entry.bearer?.settings?.interface,
        let value = seen.sysctls["ipv6/conf/\(interface)/accept_ra"], value != "0"
      else { return nil }
      return Finding(
        "accept-ra", .attention, seen: "accept_ra of \(interface) is \(value) while the bearer is up.",
        why: "A router's advertisement from the network may give the machine a default route over the bearer.",
        next: "Which program set it after modemd did? sudo sysctl net.ipv6.conf.\(interface).accept_ra=0")
    }
  }

  @Sendable private static func earlierRules(_ seen: Observations) -> [Finding] {
    guard let entry = seen.modems.first(where: isUp) else { return [] }
    // The kernel looks up a VRF's table at 1000; modemd's own rules start at 7700.
    let limit = entry.bearer?.guard == .vrf ? 1000 : 7700
    let earlier = seen.rules.filter { rule in
      guard rule.priority > 0, rule.priority < limit, !(770...773).contains(rule.priority) else { return false }
      let words = rule.text.split(separator: " ").map { String($0) }
      // A rule for other interfaces, users or marks does not affect the bearer's sockets.
      guard !words.contains("iif"), !words.contains("oif"), !words.contains("uidrange"), !words.contains("fwmark"),
        !words.contains("l3mdev]"), !words.contains("l3mdev"), words.starts(with: ["from", "all"])
      else { return false }
      return true
    }
    guard let first = earlier.first else { return [] }
    return [
      Finding(
        "earlier-rule", .attention,
        seen: "A routing rule comes before modemd's: \(first.priority): \(first.text)"
          + (earlier.count > 1 ? ", and \(earlier.count - 1) more." : "."),
        why:
          "VPNs add such rules. The bearer's sockets pass a table with routes over other interfaces, but an unreachable, prohibit or "
          + "blackhole route in it (a \"kill switch\") stops them.",
        next: "ip route show table all shows that table; give its rule a priority above 7703, or none of those routes.")
    ]
  }

  @Sendable private static func modules(_ seen: Observations) -> [Finding] {
    guard let modules = seen.modules else { return [] }
    var findings: [Finding] = []
    if !modules.contains("vrf") {
      let hasTables = modules.contains("nf_tables")
      findings.append(
        Finding(
          "kernel-vrf", hasTables ? .attention : .wrong,
          seen: "The kernel has no VRF" + (hasTables ? "." : " and no nf_tables."),
          why: hasTables
            ? "The bearer is guarded by nf_tables, which leaves one thing open: an address of somebody far away."
            : "Nothing can guard the bearer: every program may send over it.",
          next: "A kernel with CONFIG_NET_VRF (Debian's has it)" + (hasTables ? "." : ", or with CONFIG_NF_TABLES.")))
    } else if !modules.contains("nf_tables") {
      findings.append(
        Finding(
          "kernel-nf-tables", .attention, seen: "The kernel has no nf_tables.",
          why: "Sockets that are bound to the VRF's device, and multicast, are not guarded against.",
          next: "A kernel with CONFIG_NF_TABLES and CONFIG_NF_TABLES_INET."))
    }
    return findings
  }

  @Sendable private static func memory(_ seen: Observations) -> [Finding] {
    guard seen.journal.contains("Out of memory") || seen.journal.contains("oom-kill") else { return [] }
    return [
      Finding(
        "memory", .attention, seen: "The journal tells of a process that was ended for its memory.",
        why: "A malformed message can make the modem's library ask for gigabytes; the unit's limit ends the port then.",
        next: "If that was modemd-port: report the journal, with the modem's model and firmware.")
    ]
  }
}
