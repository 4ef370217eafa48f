import ModemAPI
import ModemctlCore

/// The service on one screen.
enum OverviewText {
  /// - Parameter usage: what went over the modems' bearers, by modem, where that is known.
  static func details(
    _ overview: Status.Overview, _ usage: [String: UsageInterface.Get.Reply] = [:]
  ) -> Details {
    let faults = overview.modems.count { $0.modem.fault != nil }
    let count = overview.modems.isEmpty ? "none" : String(overview.modems.count)
    let service = Details.Group(
      "\(overview.service.product) \(overview.service.version)",
      cells: [
        ("Socket", Cell(overview.service.socket)),
        ("Modems", faults == 0 ? Cell(count) : Cell("\(count), of which \(faults) do not work", .bad)),
        ("Providers", overview.providers.map(ProviderText.line)),
      ] + (overview.providers?.faults ?? []).map { ("Disabled", Cell(ProviderText.line($0), .bad)) })
    return Details(groups: [service] + overview.modems.map { group($0.modem, $0.bearer, usage[$0.modem.id]) })
  }

  /// A modem in a few lines.
  private static func group(
    _ modem: ModemInterface.Modem, _ bearer: BearerInterface.Bearer, _ usage: UsageInterface.Get.Reply?
  ) -> Details.Group {
    let device = ["\(modem.device) (\(modem.protocol.rawValue.uppercased()))", modem.interface]
    let sim = [ModemText.words(modem.sim.state)] + modem.sim.numbers.map(\.number)
    let registration = [
      ModemText.words(modem.registration.state), modem.registration.serving.map(ModemText.text),
      modem.registration.technology.map(ModemText.words), ModemText.signal(modem.registration),
    ]
    return Details.Group(
      modem.id,
      cells: [
        ("Fault", modem.fault.map { Cell("\($0.cause) (since \(ShownTime.text($0.since)))", .bad) }),
        ("Device", Cell(joined(device))),
        ("Sharing", modem.sharing.map { Cell(SharingText.line($0)) }),
        ("Passed over", modem.sharing?.passedOver.map { Cell($0) }),
        ("SIM", Cell(joined(sim))),
        ("Network", Cell(joined(registration))),
        ("Bearer", Cell(bearerLine(bearer), bearer.state == .failed ? .bad : .plain)),
        ("Usage", usage.flatMap(UsageText.line).map { Cell($0) }),
        ("Guard", BearerText.guardian(bearer)),
        ("Software", modem.software.map { Cell($0) }),
      ])
  }

  private static func bearerLine(_ bearer: BearerInterface.Bearer) -> String {
    // Without the word "bearer", which is the label.
    let summary = BearerText.summary(bearer).dropFirst("bearer ".count)
    return joined([String(summary), bearer.apn.map { "access point \($0)" }, "since \(ShownTime.text(bearer.since))"])
  }

  private static func joined(_ parts: [String?]) -> String { parts.compactMap(\.self).joined(separator: ", ") }
}

/// How a modem is shared with ModemManager, for people.
enum SharingText {
  static func line(_ sharing: ModemInterface.Sharing) -> String {
    var line = "\(sharing.way.rawValue): \(sharing.reason)"
    if let session = sharing.session { line += "; session \(session)" }
    if let manager = sharing.manager { line += " (ModemManager \(manager))" }
    return line
  }

  /// What ModemManager does with the modem.
  static func words(_ state: ModemInterface.Sharing.ManagerState) -> String {
    switch state {
    case .without: "does not have this modem"
    case .idle: "has the modem, without a connected bearer"
    case .connected: "has the modem, with a connected bearer"
    case .inhibited: "was asked to release the modem"
    case .other(let word): word
    }
  }
}
