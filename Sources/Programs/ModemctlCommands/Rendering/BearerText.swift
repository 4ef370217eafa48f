import ModemAPI
import ModemctlCore

/// Bearers for people.
enum BearerText {
  /// A bearer in full.
  ///
  /// - Parameter usage: what went over it; nil where that is not known.
  static func details(_ bearer: BearerInterface.Bearer, usage: UsageInterface.Get.Reply? = nil) -> Details.Group {
    let settings = bearer.settings
    return Details.Group(
      "Bearer",
      cells: [
        ("State", Cell("\(bearer.state.rawValue) (since \(ShownTime.text(bearer.since)))", colour(bearer.state))),
        (
          "Modem",
          bearer.releasing == true
            ? Cell("\(releasing); nothing of it is left on this machine", .attention) : nil
        ),
        ("Cause", bearer.cause.map { Cell(text($0.code, $0.text), .bad) }),
        ("Next attempt", bearer.nextAttempt.map { Cell(nextAttempt($0, bearer.failures ?? 0), .attention) }),
        ("Kept", resumption(bearer)),
        ("Access point", accessPoint(bearer).map { Cell($0) }),
        ("Traffic", traffic(bearer)),
        ("Usage", usage.flatMap(UsageText.line).map { Cell($0) }),
        ("Guard", guardian(bearer)),
        ("Interface", settings.map { Cell($0.interface) }),
        ("IPv4 address", settings?.ipv4.map { Cell(text($0)) }),
        ("IPv6 address", settings?.ipv6.map { Cell(text($0)) }),
        ("DNS servers", settings.flatMap { $0.dns.isEmpty ? nil : Cell($0.dns.joined(separator: " ")) }),
        ("MTU", settings?.mtu.map { Cell("\($0) bytes") }),
        ("Routing table", settings.map { Cell(String($0.table)) }),
      ])
  }

  /// A bearer on one line, without its modem.
  static func summary(_ bearer: BearerInterface.Bearer) -> String {
    var parts = ["bearer \(bearer.state.rawValue)"]
    if let settings = bearer.settings {
      parts.append(settings.interface)
      parts += [settings.ipv4, settings.ipv6].compactMap { $0.map { "\($0.address)/\($0.prefixLength)" } }
    }
    if let cause = bearer.cause { parts.append(text(cause.code, cause.text)) }
    if bearer.releasing == true { parts.append(releasing) }
    if bearer.traffic == .silent { parts.append("silent: \(bearer.trafficText ?? "no DNS server answers")") }
    if let next = bearer.nextAttempt { parts.append("next attempt \(ShownTime.text(next))") }
    if bearer.resumption == .refused { parts.append("not resumed: \(bearer.resumptionText ?? unsaid)") }
    return parts.joined(separator: ", ")
  }

  private static let releasing = "the modem has yet to confirm the end"

  /// The access point's name and its source.
  private static func accessPoint(_ bearer: BearerInterface.Bearer) -> String? {
    guard let apn = bearer.apn else {
      return bearer.apnSource == nil ? nil : "the network's default"
    }
    switch bearer.apnSource {
    case nil, .network: return apn
    case .asked: return "\(apn) (as asked for)"
    case .configured: return "\(apn) (from the configuration)"
    case .modem: return "\(apn) (from the modem)"
    case .database: return "\(apn) (from the list of providers)"
    case .other(let word): return "\(apn) (\(word))"
    }
  }

  private static func nextAttempt(_ time: String, _ failures: Int) -> String {
    let shown = ShownTime.text(time)
    return failures == 0 ? shown : "\(shown) (after \(failures) failure\(failures == 1 ? "" : "s"))"
  }

  private static func traffic(_ bearer: BearerInterface.Bearer) -> Cell? {
    switch bearer.traffic {
    case nil: nil
    case .untested: Cell("being probed", .attention)
    case .answered: Cell("a DNS server of the bearer answered", .good)
    case .silent: Cell(bearer.trafficText ?? "no DNS server of the bearer answers", .bad)
    case .other(let word): Cell(word, .attention)
    }
  }

  private static let unsaid = "the port gives no reason"

  /// What happens to a bearer that was kept before the port started; nil if there was none.
  private static func resumption(_ bearer: BearerInterface.Bearer) -> Cell? {
    let text = bearer.resumptionText
    return switch bearer.resumption {
    case nil: nil
    case .pending: Cell("will be resumed\(text.map { ": \($0)" } ?? "")", .attention)
    case .resumed: Cell("resumed", .good)
    case .refused: Cell("not resumed: \(text ?? unsaid)", .bad)
    case .other(let word): Cell(word, .attention)
    }
  }

  /// What guards the bearer; nil if the port does not report it.
  static func guardian(_ bearer: BearerInterface.Bearer) -> Cell? {
    guard let kind = bearer.guard else { return nil }
    let text = bearer.guardText
    switch kind {
    case .vrf: return text.map { Cell("a VRF of its own; \($0)", .attention) } ?? Cell("a VRF of its own", .good)
    case .nftables: return Cell("nftables", .good)
    case .none: return Cell("none: \(text ?? "the port gives no reason")", .bad)
    case .other(let word): return Cell([word, text].compactMap(\.self).joined(separator: ": "), .attention)
    }
  }

  static func text(_ code: Int?, _ text: String) -> String { code.map { "\(text) (cause \($0))" } ?? text }

  private static func text(_ address: BearerInterface.Address) -> String {
    "\(address.address)/\(address.prefixLength)" + (address.gateway.map { ", gateway \($0)" } ?? "")
  }

  private static func colour(_ state: BearerInterface.Bearer.State) -> Paint.Colour {
    switch state {
    case .up: .good
    case .failed: .bad
    case .down: .plain
    case .attaching, .connecting, .configuring, .disconnecting, .other: .attention
    }
  }
}
