import ModemModel

/// Probes each bearer that comes up for traffic, and reports the result to its port. A bearer may
/// be up, with addresses and routes, and carry nothing.
package struct TrafficProbe: Sendable {
  /// Whether a DNS server of the bearer answered; nil where nothing could be sent. It ends when its
  /// task is cancelled.
  package typealias Probe = @Sendable (InstalledBearer) async -> Bool?

  private let registry: ModemRegistry
  private let probe: Probe

  /// - Parameter probe: asks the bearer's own servers, only over the bearer.
  package init(registry: ModemRegistry, probe: @escaping Probe) {
    self.registry = registry
    self.probe = probe
  }

  /// Runs until the task is cancelled. A bearer that is lost is not asked any longer.
  package func run() async {
    var probes: [String: Task<Void, Never>] = [:]
    for await news in registry.bearerNews() {
      switch news {
      case .comingUp: continue
      case .up(let bearer, let port):
        probes[port]?.cancel()
        probes[port] = Task { await look(at: bearer, of: port) }
      case .lost(let loss): probes.removeValue(forKey: loss.port)?.cancel()
      }
    }
    for probe in probes.values { probe.cancel() }
    for probe in probes.values { await probe.value }
  }

  private func look(at bearer: InstalledBearer, of port: String) async {
    guard !bearer.settings.dns.isEmpty, let modem = try? registry.find(port), modem.state.bearer.traffic == .untested,
      let isAnswered = await probe(bearer), !Task.isCancelled
    else { return }
    _ = try? await modem.link.noteTraffic(isAnswered: isAnswered, interfaceIndex: bearer.interfaceIndex)
  }
}
