import MetricSeries
import ModemModel
import ModemService
import TrafficLedger

/// What is not counted but read when somebody asks.
package struct StateSources: Sendable {
  package let registry: ModemRegistry
  package let bearers: BearerService
  package let ledger: TrafficLedger

  package init(registry: ModemRegistry, bearers: BearerService, ledger: TrafficLedger) {
    self.registry = registry
    self.bearers = bearers
    self.ledger = ledger
  }
}

extension ServiceMetrics {
  /// All figures that have a value now, in the order of `Figures.all`.
  package func samples(_ sources: StateSources) -> [MetricSample] {
    settle()
    var found = store.samples
    found.append(MetricSample(Figures.build, [version], 1))
    found += Self.samples(of: sources.registry)
    found += Self.samples(of: sources.bearers)
    found += Self.samples(of: sources.ledger)
    found.append(MetricSample(Figures.providerFaults, [], Double(providerFaults)))
    found.append(MetricSample(Figures.seriesDropped, [], Double(store.dropped)))
    found += process.samples
    let byFamily = Dictionary(grouping: found, by: \.family.name)
    return Figures.all.flatMap { byFamily[$0.name] ?? [] }
  }

  private static func samples(of registry: ModemRegistry) -> [MetricSample] {
    let modems = registry.modems
    return [MetricSample(Figures.modems, [], Double(modems.count))] + modems.prefix(Self.modems).flatMap(samples)
  }

  private static func samples(of modem: ModemState) -> [MetricSample] {
    let id = [modem.id]
    let (identity, registration, bearer) = (modem.identity, modem.registration, modem.bearer)
    let isUp = bearer.state.installed != nil
    var samples = [
      MetricSample(
        Figures.modem,
        id + [identity.manufacturer, identity.model, identity.firmware].map { ownWord($0 ?? "") }
          + [modem.kind?.rawValue ?? "", modem.sharing?.way.rawValue ?? ""], 1),
      MetricSample(Figures.modemFault, id, modem.fault != nil),
      MetricSample(Figures.simState, id, .word(modem.sim.state.rawValue)),
      MetricSample(Figures.registrationState, id, .word(registration.state.rawValue)),
      MetricSample(Figures.bearerState, id, .word(bearer.state.figureWord)),
      MetricSample(Figures.bearerUp, id, isUp), MetricSample(Figures.trafficSilent, id, isUp && bearer.isSilent),
    ]
    let signal = registration.referenceSignal
    for (family, level) in [
      (Figures.rssi, registration.rssi), (Figures.rsrp, signal.rsrp), (Figures.rsrq, signal.rsrq),
      (Figures.sinr, signal.sinr),
    ] {
      guard let level else { continue }
      samples.append(MetricSample(family, id + [registration.technology?.rawValue ?? ""], Double(level)))
    }
    if isUp { samples.append(MetricSample(Figures.bearerSince, id, Double(bearer.since.milliseconds) / 1000)) }
    return samples
  }

  /// A word of the modem about itself; empty if it may hold a serial number.
  static func ownWord(_ text: String) -> String {
    var (digits, most) = (0, 0)
    for byte in text.utf8 {
      digits = (0x30...0x39).contains(byte) ? digits + 1 : 0
      most = max(most, digits)
    }
    let isPlain = text.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    return isPlain && most < 10 ? String(text.prefix(64)) : ""
  }

  private static func samples(of bearers: BearerService) -> [MetricSample] {
    [
      MetricSample(Figures.checksRunning, [], Double(bearers.runningFlows)),
      MetricSample(Figures.checksWaiting, [], Double(bearers.waitingFlows)),
    ]
  }

  private static func samples(of ledger: TrafficLedger) -> [MetricSample] {
    let bytes = ledger.totals.flatMap { total in
      [
        MetricSample(Figures.receivedBytes, [total.modem, total.purpose.rawValue], Double(total.counts.received)),
        MetricSample(Figures.sentBytes, [total.modem, total.purpose.rawValue], Double(total.counts.sent)),
      ]
    }
    let budgets = ledger.budgetFigures.flatMap { budget in
      let labels = [budget.entry ?? "users", budget.kind.rawValue]
      let (limit, used) =
        budget.kind.isOfBytes
        ? (Figures.budgetLimitBytes, Figures.budgetUsedBytes)
        : (Figures.budgetLimitConnections, Figures.budgetUsedConnections)
      return [MetricSample(limit, labels, Double(budget.limit)), MetricSample(used, labels, Double(budget.used))]
    }
    return bytes + budgets
  }
}

extension BearerStatus {
  fileprivate var isSilent: Bool { if case .silent? = traffic { true } else { false } }
}

extension BearerState {
  /// As org.modemd.Bearer calls it.
  fileprivate var figureWord: String {
    switch self {
    case .down: "down"
    case .attaching: "attaching"
    case .connecting: "connecting"
    case .configuring: "configuring"
    case .up: "up"
    case .disconnecting: "disconnecting"
    case .failed: "failed"
    }
  }
}
