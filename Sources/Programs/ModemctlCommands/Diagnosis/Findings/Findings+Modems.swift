import ModemAPI

extension Findings {
  /// The modems' own states, from the fault to the traffic.
  static let modems: [Rule] = [faults, sims, registrations, bearers, traffic, guards, portal]

  @Sendable private static func faults(_ seen: Observations) -> [Finding] {
    seen.modems.compactMap { entry in
      guard let fault = entry.modem.fault else { return nil }
      if fault.cause.contains("left alone") {
        return Finding(
          "left-alone", .wrong, seen: "\(entry.modem.id) is left alone since \(fault.since): \(fault.cause)",
          why: "Each end of its process takes the bearer along, so after 5 within 10 minutes nothing more is tried.",
          next:
            "Update the modem's firmware; then plug it in anew, or sudo systemctl restart 'modemd-port@*'. Please report the journal "
            + "of the ends: a message of the modem's should not end the port.")
      }
      return Finding(
        "fault", .wrong, seen: "\(entry.modem.id) does not work since \(fault.since): \(fault.cause)",
        why: "What is shown of it is what was known before.",
        next:
          "Look at the port's journal below. Does another program read from the control port? Else plug the modem in anew."
      )
    }
  }

  /// Working modems: what is known about others is out of date.
  private static func working(_ seen: Observations) -> [Observations.Modem] {
    seen.modems.filter { $0.modem.fault == nil }
  }

  @Sendable private static func sims(_ seen: Observations) -> [Finding] {
    working(seen).compactMap { entry in
      let name = entry.modem.id
      let sim = entry.modem.sim
      switch sim.state {
      case .ready, .unknown, .initialising, .other: return nil
      case .absent:
        return Finding(
          "sim-absent", .wrong, seen: "\(name) sees no SIM.",
          why: "Without one there is no subscription and no number.",
          next:
            "Check the seat of the card; modemctl sim shows the slots, sudo modemctl switch-slot changes them; some modems want a reset "
            + "after a card was put in.")
      case .pinRequired:
        let left = sim.retriesLeft.map { "; \($0) attempt\($0 == 1 ? "" : "s") left" } ?? ""
        return Finding(
          "sim-locked", .wrong, seen: "The SIM of \(name) waits for its PIN\(left).",
          why: "Until then it registers nowhere.",
          next:
            "sudo modemctl unlock, or the credential sim-pin of the port (Docs/operations.md, Settings). A refused PIN is not tried again: "
            + "the port's journal says so.")
      case .pukRequired:
        return Finding(
          "sim-blocked", .wrong, seen: "The SIM of \(name) is blocked and wants its PUK.",
          why: "Too many wrong PINs were entered.", next: "Enter the operator's PUK in a phone.")
      case .notActivated:
        return Finding(
          "sim-not-activated", .wrong, seen: "The SIM of \(name) is not activated.",
          why: "The operator has not switched the subscription on.", next: "Activate it as the operator says.")
      case .failed:
        return Finding(
          "sim-failed", .wrong, seen: "\(name) cannot read its SIM.",
          why: "The card or its contacts are damaged, or it sits wrong.",
          next: "Take it out, clean it and put it back; try it in a phone.")
      }
    }
  }

  @Sendable private static func registrations(_ seen: Observations) -> [Finding] {
    working(seen).compactMap { entry in
      guard entry.modem.sim.state == .ready else { return nil }
      let name = entry.modem.id
      let registration = entry.modem.registration
      switch registration.state {
      case .home, .roaming, .partner, .unknown, .other: return nil
      case .denied:
        let cause = registration.cause.map { ": " + BearerText.text($0.code, $0.text) } ?? ""
        return Finding(
          "registration-denied", .wrong, seen: "The network refuses \(name)\(cause).",
          why: "Without a network there is no bearer.",
          next:
            "Cause 11, 13 or 15: this network or area is not for this SIM. 3 or 6: SIM or modem barred; ask the operator."
        )
      case .deregistered, .searching:
        return Finding(
          "not-registered", .wrong,
          seen: "\(name) is \(registration.state == .searching ? "searching for a network" : "not registered").",
          why: "Without a network there is no bearer.",
          next:
            "Antenna, coverage, and the modem's bands. Some laptops' modems need an \"FCC unlock\". Is the radio off? rfkill list"
        )
      }
    }
  }

  @Sendable private static func bearers(_ seen: Observations) -> [Finding] {
    working(seen).compactMap { entry in
      guard let bearer = entry.bearer, bearer.state == .failed || bearer.state == .down, let cause = bearer.cause else {
        return nil
      }
      let advice =
        switch cause.code {
        case 8, 27, 33: "Wrong access point, or not subscribed: modemctl connect --apn NAME."
        case 29: "User name or password of the access point: bearer.user and the credential apn-password."
        case 50, 51: "The other address family only: modemctl connect --ip-type ipv4 (or ipv6)."
        case 26: "The network is full: try later."
        default: "modemctl connect tries at once; the port's journal has the modem's own words."
        }
      return Finding(
        "bearer-failed", .wrong,
        seen: "The bearer of \(entry.modem.id) is \(bearer.state.rawValue) since \(bearer.since): "
          + BearerText.text(cause.code, cause.text),
        why: "No check can run over it" + (bearer.nextAttempt.map { "; the next attempt is at \($0)." } ?? "."),
        next: advice)
    }
  }

  @Sendable private static func traffic(_ seen: Observations) -> [Finding] {
    working(seen).compactMap { entry in
      guard let bearer = entry.bearer, bearer.state == .up, bearer.traffic == .silent else { return nil }
      return Finding(
        "silent", .wrong,
        seen: "The bearer of \(entry.modem.id) is up, and no DNS server of it answers"
          + (bearer.trafficText.map { ": \($0)" } ?? "."),
        why: "Every check fails at its first name.",
        next: "\"Ethernet frames\" or qmi/raw_ip: modem and driver mean different packets. Else the access point "
          + "(modemctl connect --apn), or the subscription has no data or no credit left: ask the operator.")
    }
  }

  @Sendable private static func guards(_ seen: Observations) -> [Finding] {
    working(seen).compactMap { entry in
      guard let bearer = entry.bearer, bearer.state == .up else { return nil }
      switch bearer.guard {
      case .some(.none):
        return Finding(
          "no-guard", .wrong,
          seen: "Nothing guards the bearer of \(entry.modem.id)" + (bearer.guardText.map { ": \($0)" } ?? "."),
          why: "Every program of this machine can send over it, and so prove the SIM's number.",
          next:
            "bearer.guard in the port's settings: auto, vrf or nftables (Docs/operations.md, What guards the bearer).")
      case .vrf:
        return bearer.guardText.map {
          Finding(
            "guard-gap", .attention, seen: "The guard of \(entry.modem.id) has a gap: \($0)",
            why: "Some packets of other users' programs may leave by the bearer.",
            next: "A kernel with nf_tables closes it.")
        }
      case .nftables, .other, nil: return nil
      }
    }
  }

  /// How many of the last failed checks are considered.
  private static let lastChecks = 5

  @Sendable private static func portal(_ seen: Observations) -> [Finding] {
    let causes = seen.failedChecks.prefix(lastChecks)
    var findings: [Finding] = []
    if causes.contains("possibleCaptivePortal") {
      findings.append(
        Finding(
          "portal", .wrong, seen: "Something answered a check in the operator's place: a portal, as it seems.",
          why: "Many operators send SIMs without credit, or not activated, to a page of their own.",
          next: "Top up or activate the SIM."))
    }
    if causes.contains("tlsFailed") {
      findings.append(
        Finding(
          "tls", .attention, seen: "A check failed in TLS.",
          why: "The machine's clock, an authority that is not trusted, or somebody in between.",
          next: "timedatectl; tls.extraRoots for an authority of the provider; modemctl open URL --trace shows the hop."
        ))
    }
    return findings
  }
}
