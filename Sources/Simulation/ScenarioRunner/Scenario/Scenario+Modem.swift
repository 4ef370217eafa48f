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
    // MBIM reports no model, only the hardware; modems put their name there.
    configuration.hardware = configuration.model
    configuration.firmware = modem.identity.firmware ?? configuration.firmware
    configuration.imei = modem.identity.imei ?? configuration.imei
    configuration.mbimExtensions = modem.mbimExtensions
    configuration.faults = modem.faults
    configuration.authentication = modem.authentication
    configuration.sim = sim.state == .initialising ? nil : sim.card
    configuration.otherSIMs = otherSIMs.map(\.card)
    configuration.activeSlot = modem.slot
    configuration.reportsNumbersOverMBIM = modem.reportsNumbers
    configuration.reportsNumberOverDMS = modem.reportsNumbers
    configuration.falseAbsences = modem.falseAbsences
    configuration.hasOldSIMCommands = modem.hasOldSIMCommands
    configuration.network.state = network.registration
    configuration.network.serving = network.serving
    configuration.network.technology = network.technology
    configuration.network.rssi = network.rssi
    configuration.network.referenceSignal = network.referenceSignal
    configuration.sessions = modem.sessions
    configuration.bearers = bearers
    configuration.accessPoints = network.accessPoints.map(Set.init)
    configuration.hasDefaultAccessPoint = network.hasDefaultAccessPoint
    configuration.usesRawIP = [.rawIP, .multiplexed].contains(modem.linkLayer)
    configuration.insistsOnMultiplexing = modem.linkLayer == .multiplexed
    configuration.keepsLinkLayer = modem.linkLayer == .ethernetOnly
    configuration.provisioned = modem.accessPoints.map { AccessPoint(name: $0, source: .modem) }
    messages.configure(&configuration)
    let made = SimulatedModem(configuration)
    if sim.state == .initialising, let card = sim.card { made.insertSIM(card, isInitialising: true) }
    return made
  }

  /// What each of the modem's sessions may be given; one at least.
  var bearers: [SimulatedBearer] { (0..<modem.sessions).map { network.session($0).bearer } }
}

extension Scenario.MobileNetwork {
  var bearer: SimulatedBearer {
    let families = [ipv4, ipv6].map { assignment in
      assignment.map { BearerSettings.Assignment(prefix: $0.prefix, gateway: $0.gateway) }
    }
    var bearer = SimulatedBearer(ipv4: families[0], ipv6: families[1], dns: dns, mtu: mtu)
    bearer.ipv4Source = ipv4Source
    bearer.ipv6Source = ipv6Source
    return bearer
  }
}
