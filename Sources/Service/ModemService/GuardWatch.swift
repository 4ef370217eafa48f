import ModemModel

/// Warns once for each bearer that comes up without a guard that every program of the machine can
/// use it.
package struct GuardWatch: Sendable {
  private let registry: ModemRegistry
  private let warn: @Sendable (String) -> Void

  /// - Parameter warn: gets one sentence.
  package init(registry: ModemRegistry, warn: @escaping @Sendable (String) -> Void) {
    self.registry = registry
    self.warn = warn
  }

  /// Runs until the task is cancelled.
  package func run() async {
    for await news in registry.bearerNews() {
      if case .up(let bearer, _) = news, let words = Self.words(bearer) { warn(words) }
    }
  }

  /// What is wrong with a bearer's guard; nil where nothing is.
  private static func words(_ bearer: InstalledBearer) -> String? {
    switch bearer.guardian {
    case nil, .some(.nftables), .some(.vrf(nil)): nil
    case .some(.vrf(let gap?)): "the guard of the bearer on \(bearer.interface) has a gap: \(gap)"
    case .some(.none(let reason)):
      "nothing guards the bearer on \(bearer.interface), and every user of this machine can prove the number over it: "
        + reason
    }
  }
}
