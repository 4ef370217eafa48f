import DeviceAPI
import ModemModel
import NetworkAddress

/// The model as org.modemd.Port carries it between the two processes. Types that org.modemd.Modem
/// and org.modemd.Bearer share are made there.
extension PortInterface.State {
  package init(_ state: ModemState) {
    self.init(
      id: state.id, device: state.device, protocol: state.kind.map { ProtocolKind(word: $0) } ?? .unknown,
      manufacturer: state.identity.manufacturer, model: state.identity.model, firmware: state.identity.firmware,
      imei: state.identity.imei, interface: state.interface, sim: PortInterface.SIM(state.sim),
      registration: PortInterface.Registration(state.registration), bearer: PortInterface.Bearer(state.bearer),
      fault: state.fault.map(PortInterface.Fault.init),
      sharing: state.sharing.map(PortInterface.Sharing.init), software: state.software)
  }
}

extension PortInterface.SIM {
  init(_ sim: SIMStatus) {
    self.init(
      state: State(word: sim.state), retriesLeft: sim.retriesLeft, slot: sim.slot,
      iccid: sim.iccid?.revealed, imsi: sim.imsi?.revealed,
      numbers: sim.numbers.map {
        PortInterface.PhoneNumber(number: $0.revealed, source: .init(word: $0.source))
      }, home: sim.home.map(PortInterface.Network.init))
  }
}

extension PortInterface.Bearer {
  package init(_ bearer: BearerStatus) {
    let (state, cause) = bearer.state.wordAndCause
    self.init(
      state: State(word: state), settings: bearer.state.installed.map(PortInterface.Settings.init),
      apn: bearer.apn, cause: cause.map(PortInterface.Cause.init), since: bearer.since.description,
      apnSource: bearer.apnSource.map { ApnSource(word: $0) },
      nextAttempt: bearer.nextAttempt?.description, failures: bearer.failures,
      traffic: bearer.traffic.map { Traffic(word: $0.word) }, trafficText: bearer.traffic?.text,
      guard: bearer.state.installed?.guardian.map { Guard(word: $0.word) },
      guardText: bearer.state.installed?.guardian?.text, releasing: bearer.isReleasing ? true : nil,
      resumption: bearer.resumption.map { Resumption(word: $0.word) }, resumptionText: bearer.resumption?.text)
  }
}

extension PortInterface.Settings {
  init(_ bearer: InstalledBearer) {
    self.init(
      interface: bearer.interface, interfaceIndex: bearer.interfaceIndex, table: bearer.table,
      ipv4: bearer.settings.ipv4.map(PortInterface.Address.init),
      ipv6: bearer.settings.ipv6.map(PortInterface.Address.init), dns: bearer.settings.dns.map(\.description),
      mtu: bearer.settings.mtu)
  }
}
