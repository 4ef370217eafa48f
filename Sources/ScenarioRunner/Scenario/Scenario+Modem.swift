import ModemModel
import ModemSimulator

extension Scenario {
  /// The simulated modem of this scenario.
  ///
  /// - Parameter kind: the protocol it speaks; nil for the scenario's own.
  func makeModem(kind: ModemProtocol?) -> SimulatedModem {
    var configuration = SimulatedModemConfiguration()
    configuration.controlProtocol = (kind ?? modem.kind) == .mbim ? .mbim : .qmi
    configuration.manufacturer = modem.identity.manufacturer ?? configuration.manufacturer
    configuration.model = modem.identity.model ?? configuration.model
    // MBIM tells no model, only the hardware; modems put their name there.
    configuration.hardware = configuration.model
    configuration.firmware = modem.identity.firmware ?? configuration.firmware
    configuration.imei = modem.identity.imei ?? configuration.imei
    configuration.faults = modem.faults
    configuration.sim = sim.state == .ready || sim.state == .pinRequired ? card : nil
    configuration.network.state = network.registration
    configuration.network.serving = network.serving
    configuration.network.technology = network.technology
    configuration.network.rssi = network.rssi
    configuration.bearers = [network.bearer]
    configuration.accessPoints = network.accessPoints.map(Set.init)
    let made = SimulatedModem(configuration)
    if sim.state == .initialising { made.insertSIM(card, isInitialising: true) }
    return made
  }

  private var card: SimulatedSIM {
    var card = SimulatedSIM()
    card.iccid = sim.iccid
    card.imsi = sim.imsi
    card.numbers = sim.numbers
    card.home = sim.home
    card.pin = sim.state == .pinRequired ? sim.pin : nil
    return card
  }
}

extension Scenario.MobileNetwork {
  var bearer: SimulatedBearer {
    let families = [ipv4, ipv6].map { assignment in
      assignment.map { BearerSettings.Assignment(prefix: $0.prefix, gateway: $0.gateway) }
    }
    return SimulatedBearer(ipv4: families[0], ipv6: families[1], dns: dns, mtu: mtu)
  }
}
