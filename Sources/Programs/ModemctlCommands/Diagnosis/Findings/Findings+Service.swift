extension Findings {
  /// The caller, and whether modemd and its units run.
  static let service: [Rule] = [reach, group, socketUnit, serviceUnit, reload, portUnits, versions, clock]

  @Sendable private static func reach(_ seen: Observations) -> [Finding] {
    switch seen.reach {
    case nil, .answers, .denied: []
    case .missing:
      [
        Finding(
          "no-socket", .wrong, seen: "modemd's socket does not exist.", why: "Nobody can ask modemd.",
          next: "sudo systemctl enable --now modemd.socket; by hand: name the socket with --socket or MODEMD_SOCKET.")
      ]
    case .refused:
      [
        Finding(
          "nobody-listens", .wrong, seen: "modemd's socket exists and nobody listens on it.",
          why: "It was left by a process that has ended.", next: "sudo systemctl restart modemd.socket modemd")
      ]
    case .silent:
      [
        Finding(
          "no-answer", .wrong, seen: "modemd took the call and did not answer in time.",
          why: "The service hangs, ends while it starts, or is busy with others' calls.",
          next: "Look at the journal below; sudo systemctl restart modemd, and report what the journal says.")
      ]
    }
  }

  @Sendable private static func group(_ seen: Observations) -> [Finding] {
    guard !seen.caller.isRoot else { return [] }
    guard let isMember = seen.caller.isMember else {
      return [
        Finding(
          "no-group", .attention, seen: "This machine has no group modemd.", why: "Only root can ask modemd.",
          next: "sudo systemd-sysusers (the package does it when it is installed)")
      ]
    }
    if isMember {
      guard seen.reach == .denied else { return [] }
      return [
        Finding(
          "denied", .wrong, seen: "You are in the group modemd, and modemd refuses your call.",
          why: "The socket's rights were changed, or access.groups names other groups.",
          next: "Compare \"Service\" below with the table \"Folders and sockets\" in Docs/security.md.")
      ]
    }
    return [
      Finding(
        "not-in-group", seen.reach == .denied ? .wrong : .attention,
        seen: seen.caller.isListed
          ? "You were added to the group modemd after you logged in." : "You are not in the group modemd.",
        why: "Only root and members of that group may ask modemd.",
        next: seen.caller.isListed ? "Log in again." : "sudo adduser $USER modemd, and log in again; or use sudo.")
    ]
  }

  @Sendable private static func socketUnit(_ seen: Observations) -> [Finding] {
    guard let unit = seen.unit("modemd.socket"), unit.active != "active" else { return [] }
    if unit.load == "not-found" {
      // Without a unit, as in a world, modemd was started by hand.
      guard seen.reach != nil, !isAnswered(seen) else { return [] }
      return [
        Finding(
          "not-installed", .wrong, seen: "systemd knows no modemd.socket.", why: "modemd is not installed, or in part.",
          next: "Install the package, or run sudo make install and sudo systemctl daemon-reload.")
      ]
    }
    guard !isAnswered(seen) else { return [] }
    return [
      Finding(
        "socket-inactive", .wrong, seen: "modemd.socket is \(unit.active) (\(unit.result)).",
        why: "Without it nobody starts modemd when it is asked.", next: "sudo systemctl enable --now modemd.socket")
    ]
  }

  private static func isAnswered(_ seen: Observations) -> Bool {
    if case .answers = seen.reach { true } else { false }
  }

  @Sendable private static func serviceUnit(_ seen: Observations) -> [Finding] {
    guard let unit = seen.unit("modemd.service"), unit.load != "not-found" else { return [] }
    if unit.load == "masked" {
      return [
        Finding(
          "service-masked", .wrong, seen: "modemd.service is masked.", why: "systemd does not start it.",
          next: "sudo systemctl unmask modemd.service")
      ]
    }
    guard unit.active == "failed" || unit.result != "success" else {
      guard unit.restarts > 0 else { return [] }
      return [
        Finding(
          "service-restarted", .attention, seen: "modemd was restarted \(unit.restarts) times by systemd.",
          why: "It ended by itself: calls that ran then were lost.",
          next: "Look at the journal below for the reason, and report it.")
      ]
    }
    return [
      Finding(
        "service-failed", .wrong, seen: "modemd.service ended: \(words(of: unit)).",
        why: unit.result == "exit-code"
          ? "Most often a wrong value in a settings file; the journal names it." : "The service does not run.",
        next: "Look at the last lines of modemd in the journal below, then sudo systemctl restart modemd.")
    ]
  }

  @Sendable private static func reload(_ seen: Observations) -> [Finding] {
    let units = seen.units.filter { $0.needsReload && $0.name.hasPrefix("modemd") }.map(\.name)
    guard !units.isEmpty else { return [] }
    return [
      Finding(
        "reload", .attention, seen: "Unit files changed since systemd read them: \(units.joined(separator: ", ")).",
        why: "What was changed does not hold yet.", next: "sudo systemctl daemon-reload, then restart these units.")
    ]
  }

  @Sendable private static func portUnits(_ seen: Observations) -> [Finding] {
    seen.portUnits.compactMap { unit in
      // If another port of the same modem is served, this instance ends because of its condition.
      guard unit.active == "failed" || unit.restarts > 0 && unit.active != "inactive" else { return nil }
      guard unit.active == "failed" else {
        return Finding(
          "port-restarted", .attention, seen: "\(unit.name) was restarted \(unit.restarts) times by systemd.",
          why: "The process that talks to the modem ended: a bearer that was up then was lost.",
          next: "Look at its journal below. After 5 ends within 10 minutes the modem is left alone.")
      }
      return Finding(
        "port-failed", .wrong, seen: "\(unit.name) failed: \(words(of: unit)).",
        why: "This modem is not served.",
        next: "Look at its journal below; then sudo systemctl restart '\(unit.name)', or plug the modem in anew.")
    }
  }

  private static func words(of unit: Observations.Unit) -> String {
    switch unit.result {
    case "oom-kill": "it took more memory than its unit allows"
    case "exit-code": "it ended with an error"
    case "signal", "core-dump": "a signal ended it"
    case "timeout": "it did not get ready in time"
    case "start-limit-hit": "it was started too often in a short time"
    default: unit.result
    }
  }

  @Sendable private static func versions(_ seen: Observations) -> [Finding] {
    var others: [String] = []
    if case .answers(let version) = seen.reach, version != seen.version, !version.isEmpty {
      others.append("modemd \(version)")
    }
    for case let software? in seen.modems.map(\.modem.software) {
      let port = software.split(separator: ",").first.map { String($0) } ?? software
      if port.hasPrefix("modemd-port "), port != "modemd-port \(seen.version)", !others.contains(port) {
        others.append(port)
      }
    }
    guard !others.isEmpty else { return [] }
    return [
      Finding(
        "versions", .attention, seen: "modemctl is \(seen.version), and there run: \(others.joined(separator: ", ")).",
        why: "Processes of before an upgrade still run.", next: "sudo systemctl restart modemd 'modemd-port@*'")
    ]
  }

  /// 2024-01-01: this program is younger.
  private static let leastTime: Int64 = 1_704_067_200

  @Sendable private static func clock(_ seen: Observations) -> [Finding] {
    if let clock = seen.clock, clock < leastTime {
      return [
        Finding(
          "clock", .wrong, seen: "The machine's clock is years behind.",
          why: "No certificate is valid yet: every hop over TLS fails.",
          next: "sudo timedatectl set-ntp true, or set it with sudo date -s.")
      ]
    }
    guard seen.isClockSynchronised == false else { return [] }
    return [
      Finding(
        "clock-free", .attention, seen: "The machine's clock is not synchronised.",
        why: "Certificates and tokens are valid for a time; a clock that is minutes off refuses some.",
        next: "timedatectl shows whether it is right; sudo timedatectl set-ntp true.")
    ]
  }
}
