import AuthFlows
import ModemAPI
import TruIDAPI
import TruIDFlows

extension TruIDInterface.Check {
  init(_ check: TruIDCheckAnswer) {
    self.init(
      id: check.checkID, network: check.network, simChangeWithinMinutes: check.simChangeWithin,
      simChangePeriodMinutes: check.simChangePeriod, lastSIMChange: check.lastSIMChange, rateLimit: check.rate?.limit,
      rateRemaining: check.rate?.remaining)
  }
}

extension TruIDInterface.Served {
  init(_ coverage: TruIDCoverage) {
    self.init(
      network: coverage.network, networkName: coverage.networkName, aliases: coverage.aliases,
      country: coverage.country, dialingCode: coverage.dialingCode, address: coverage.address,
      products: coverage.products?.map {
        .init(id: $0.id, name: $0.name, extent: $0.extent, networks: $0.networks)
      })
  }
}

extension TruIDInterface.Trace {
  init(_ trace: TruIDTrace) {
    self.init(
      id: trace.id,
      entries: trace.entries.map { .init(time: $0.time, message: $0.message, attributes: $0.attributes) })
  }
}
