import ModemModel

/// Probes each bearer that comes up for traffic, and reports the result to its port. A bearer may
/// be up, with addresses and routes, and carry nothing.
public struct TrafficProbe: Sendable {
  /// Whether a DNS server of the bearer answered; nil if nothing could be sent.
  public typealias Probe = @Sendable (InstalledBearer) async -> Bool?

  private let registry: ModemRegistry
  private let probe: Probe

  /// - Parameter probe: asks the bearer's own servers, only over the bearer.
  public init(registry: ModemRegistry, probe: @escaping Probe) {
    self.registry = registry
    self.probe = probe
  }

  /// Runs until the task is cancelled.
  public func run() async {
    var tried: [String: InstalledBearer] = [:]
    let changes = registry.watch()
    await withDiscardingTaskGroup { group in
      for modem in registry.modems { look(at: modem, &tried, in: &group) }
      for await change in changes {
        if case .removed = change {
          tried[change.modem.device] = nil
        } else {
          look(at: change.modem, &tried, in: &group)
        }
      }
    }
  }

  private func look(
    at modem: ModemState, _ tried: inout [String: InstalledBearer], in group: inout DiscardingTaskGroup
  ) {
    guard let bearer = modem.bearer.state.installed else { return tried[modem.device] = nil }
    guard modem.bearer.traffic == .untested, tried[modem.device] != bearer, !bearer.settings.dns.isEmpty,
      let link = try? registry.find(modem.device).link
    else { return }
    tried[modem.device] = bearer
    group.addTask {
      guard let isAnswered = await probe(bearer) else { return }
      _ = try? await link.noteTraffic(isAnswered: isAnswered, interfaceIndex: bearer.interfaceIndex)
    }
  }
}
