import ModemModel

/// The model as programs see it over org.modemd.Modem.
extension ModemInterface.Modem {
  /// - Parameter showsIdentity: whether IMEI, ICCID, IMSI and numbers are given.
  public init(_ state: ModemState, showsIdentity: Bool) {
    self.init(
      id: state.id, device: state.device, protocol: state.kind == .mbim ? .mbim : .qmi,
      manufacturer: state.identity.manufacturer, model: state.identity.model, firmware: state.identity.firmware,
      imei: showsIdentity ? state.identity.imei : nil, interface: state.interface,
      sim: ModemInterface.SIM(state.sim, showsIdentity: showsIdentity),
      registration: ModemInterface.Registration(state.registration),
      fault: state.fault.map { ModemInterface.Fault(cause: $0.cause, since: $0.since.description) },
      sharing: state.sharing.map(ModemInterface.Sharing.init), software: state.software)
  }
}

extension ModemInterface.SIM {
  init(_ sim: SIMStatus, showsIdentity: Bool) {
    self.init(
      state: State(rawValue: sim.state.rawValue) ?? .unknown, retriesLeft: sim.retriesLeft, slot: sim.slot,
      iccid: showsIdentity ? sim.iccid?.revealed : nil, imsi: showsIdentity ? sim.imsi?.revealed : nil,
      numbers: showsIdentity ? sim.numbers.map(ModemInterface.PhoneNumber.init) : [],
      home: sim.home.map(ModemInterface.Network.init))
  }
}

extension ModemInterface.PhoneNumber {
  init(_ number: PhoneNumber) {
    self.init(
      number: number.revealed, normalised: number.isNormalised,
      source: Source(rawValue: number.source.rawValue) ?? .configured)
  }
}

extension ModemInterface.Network {
  init(_ network: Network) {
    self.init(mcc: network.plmn.mcc, mnc: network.plmn.mnc, name: network.name)
  }
}

extension ModemInterface.Registration {
  init(_ registration: Registration) {
    self.init(
      state: State(rawValue: registration.state.rawValue) ?? .unknown,
      serving: registration.serving.map(ModemInterface.Network.init),
      technology: registration.technology.flatMap { Technology(rawValue: $0.rawValue) }, rssi: registration.rssi,
      cause: registration.cause.map { ModemInterface.Cause(code: $0.code, text: $0.text) })
  }
}
