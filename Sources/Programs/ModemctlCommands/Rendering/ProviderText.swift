import ModemAPI
import ModemctlCore

/// Providers, for people.
enum ProviderText {
  /// All in one line, as in `truid (truID), operator (camara)`.
  static func line(_ reply: VerifyInterface.Providers.Reply) -> Cell {
    let names = reply.providers.map { "\($0.name) (\($0.kind))" }
    return Cell(names.isEmpty ? "none" : names.joined(separator: ", "))
  }

  /// A file that cannot be used, in one line: its place, and what is wrong.
  static func line(_ fault: VerifyInterface.ProviderFault) -> String {
    ForeignText.visible((fault.line.map { "\(fault.file):\($0)" } ?? fault.file) + ": " + fault.text)
  }

  /// A table of all, and below it what is wrong with those that are disabled.
  static func table(_ reply: VerifyInterface.Providers.Reply, _ paint: Paint) -> String {
    let faults = reply.faults ?? []
    guard !reply.providers.isEmpty || !faults.isEmpty else {
      return "no provider is configured; `sudo modemctl provider add` configures one\n"
    }
    let good = reply.providers.map { provider in
      [
        Cell(provider.name), Cell(provider.kind), Cell(provider.networks.map { $0.joined(separator: ",") } ?? "all"),
        Cell(abilities(provider)), Cell("ready"),
      ]
    }
    let bad = faults.map { [Cell($0.name), Cell(nil), Cell(nil), Cell(nil), Cell("disabled", .bad)] }
    let table = TableLayout.render(
      [.init("NAME"), .init("KIND"), .init("NETWORKS"), .init("ABILITIES"), .init("STATE")], good + bad, paint)
    return table + faults.map { "\($0.name) is disabled: \(line($0))\n" }.joined()
  }

  /// What a provider can do; nil if the service does not say it.
  static func abilities(_ provider: VerifyInterface.Provider) -> String? {
    provider.abilities.map { $0.map(words).joined(separator: ", ") }
  }

  /// An ability in words of people; one of a newer service stays as it is.
  private static func words(_ ability: String) -> String {
    switch ability {
    case "verifyNumber": "verify numbers"
    case "simChange": "SIM changes"
    case "readNumber": "read the number"
    case "signIn": "sign-in"
    case "sign": "signatures"
    case "numberRecycling": "number recycling"
    default: ability
    }
  }
}
