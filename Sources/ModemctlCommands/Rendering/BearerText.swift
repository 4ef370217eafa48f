import ModemAPI

/// Bearers for people.
enum BearerText {
  /// A bearer in full.
  static func details(_ bearer: BearerInterface.Bearer) -> Details.Group {
    let settings = bearer.settings
    return Details.Group(
      "Bearer",
      cells: [
        ("State", Cell("\(bearer.state.rawValue) (since \(bearer.since))", colour(bearer.state))),
        ("Cause", bearer.cause.map { Cell(text($0.code, $0.text), .bad) }),
        ("Access point", bearer.apn.map { Cell($0) }),
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
    return parts.joined(separator: ", ")
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
    case .attaching, .connecting, .configuring, .disconnecting: .attention
    }
  }
}
