import ModemModel

/// Warns once for each bearer that comes up without a guard that every program of the machine can
/// use it.
public struct GuardWatch: Sendable {
  private let registry: ModemRegistry
  private let warn: @Sendable (String) -> Void

  /// - Parameter warn: gets one sentence.
  public init(registry: ModemRegistry, warn: @escaping @Sendable (String) -> Void) {
    self.registry = registry
    self.warn = warn
  }

  /// Runs until the task is cancelled.
  public func run() async {
    var told: [String: InstalledBearer] = [:]
    let changes = registry.watch()
    for modem in registry.modems { look(at: modem, &told) }
    for await change in changes {
      if case .removed = change { told[change.modem.device] = nil } else { look(at: change.modem, &told) }
    }
  }

  private func look(at modem: ModemState, _ told: inout [String: InstalledBearer]) {
    guard let bearer = modem.bearer.state.installed else { return told[modem.device] = nil }
    guard told[modem.device] != bearer else { return }
    told[modem.device] = bearer
    switch bearer.guardian {
    case nil, .some(.nftables), .some(.vrf(nil)): return
    case .some(.vrf(let gap?)): warn("the guard of the bearer on \(bearer.interface) has a gap: \(gap)")
    case .some(.none(let reason)):
      warn(
        "nothing guards the bearer on \(bearer.interface), and every user of this machine can prove the number over it: "
          + reason)
    }
  }
}
