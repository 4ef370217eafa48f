import ModemModel
import NetworkAddress

/// The model as org.modemd.Port carries it between the two processes.
extension PortInterface.State {
  public init(_ state: ModemState) {
    self.init(
      id: state.id, device: state.device, protocol: state.kind == .mbim ? .mbim : .qmi,
      manufacturer: state.identity.manufacturer, model: state.identity.model, firmware: state.identity.firmware,
      imei: state.identity.imei, interface: state.interface, sim: PortInterface.SIM(state.sim),
      registration: PortInterface.Registration(state.registration), bearer: PortInterface.Bearer(state.bearer),
      fault: state.fault.map { PortInterface.Fault(cause: $0.cause, since: $0.since.description) },
      sharing: state.sharing.map(PortInterface.Sharing.init), software: state.software)
  }
}

extension PortInterface.SIM {
  init(_ sim: SIMStatus) {
    self.init(
      state: State(rawValue: sim.state.rawValue) ?? .unknown, retriesLeft: sim.retriesLeft, slot: sim.slot,
      iccid: sim.iccid?.revealed, imsi: sim.imsi?.revealed,
      numbers: sim.numbers.map {
        PortInterface.PhoneNumber(number: $0.revealed, source: .init(rawValue: $0.source.rawValue) ?? .configured)
      }, home: sim.home.map(PortInterface.Network.init))
  }
}

extension PortInterface.Network {
  init(_ network: Network) {
    self.init(mcc: network.plmn.mcc, mnc: network.plmn.mnc, name: network.name)
  }
}

extension PortInterface.Registration {
  init(_ registration: Registration) {
    self.init(
      state: State(rawValue: registration.state.rawValue) ?? .unknown,
      serving: registration.serving.map(PortInterface.Network.init),
      technology: registration.technology.flatMap { Technology(rawValue: $0.rawValue) }, rssi: registration.rssi,
      cause: registration.cause.map(PortInterface.Cause.init))
  }
}

extension PortInterface.Cause {
  init(_ cause: NetworkCause) { self.init(code: cause.code, text: cause.text) }
}

extension PortInterface.Bearer {
  public init(_ bearer: BearerStatus) {
    let (state, cause) = bearer.state.wordAndCause
    self.init(
      state: State(rawValue: state) ?? .down, settings: bearer.state.installed.map(PortInterface.Settings.init),
      apn: bearer.apn, cause: cause.map(PortInterface.Cause.init), since: bearer.since.description,
      apnSource: bearer.apnSource.flatMap { ApnSource(rawValue: $0.rawValue) },
      nextAttempt: bearer.nextAttempt?.description, failures: bearer.failures,
      traffic: bearer.traffic.flatMap { Traffic(rawValue: $0.word) }, trafficText: bearer.traffic?.text,
      guard: bearer.state.installed?.guardian.flatMap { Guard(rawValue: $0.word) },
      guardText: bearer.state.installed?.guardian?.text, releasing: bearer.isReleasing ? true : nil,
      resumption: bearer.resumption.flatMap { Resumption(rawValue: $0.word) }, resumptionText: bearer.resumption?.text)
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

extension PortInterface.Address {
  init(_ assignment: BearerSettings.Assignment) {
    self.init(
      address: assignment.prefix.address.description, prefixLength: assignment.prefix.length,
      gateway: assignment.gateway?.description)
  }
}

extension BearerState {
  /// The state's name on the wire, and its cause where it has one.
  var wordAndCause: (String, NetworkCause?) {
    switch self {
    case .down(let cause): ("down", cause)
    case .attaching: ("attaching", nil)
    case .connecting: ("connecting", nil)
    case .configuring: ("configuring", nil)
    case .up: ("up", nil)
    case .disconnecting: ("disconnecting", nil)
    case .failed(let cause): ("failed", cause)
    }
  }
}

extension BearerStatus.Resumption {
  /// The name on the wire.
  var word: String {
    switch self {
    case .pending: "pending"
    case .resumed: "resumed"
    case .refused: "refused"
    }
  }

  /// The reason, or what is waited for.
  var text: String? {
    switch self {
    case .pending(let text): text
    case .resumed: nil
    case .refused(let text): text
    }
  }
}

extension BearerStatus.Traffic {
  /// The name on the wire.
  var word: String {
    switch self {
    case .untested: "untested"
    case .answered: "answered"
    case .silent: "silent"
    }
  }

  /// The reason of silence.
  var text: String? { if case .silent(let text) = self { text } else { nil } }
}
