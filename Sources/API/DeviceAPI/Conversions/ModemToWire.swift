import ModemModel

/// The model as programs see it over org.modemd.Modem.
extension ModemInterface.Modem {
  public init(_ state: ModemState) {
    self.init(
      id: state.id, device: state.device, protocol: state.kind.map { ProtocolKind(word: $0) } ?? .unknown,
      manufacturer: state.identity.manufacturer, model: state.identity.model, firmware: state.identity.firmware,
      imei: state.identity.imei, interface: state.interface,
      sim: ModemInterface.SIM(state.sim),
      registration: ModemInterface.Registration(state.registration),
      fault: state.fault.map(ModemInterface.Fault.init),
      sharing: state.sharing.map(ModemInterface.Sharing.init), software: state.software)
  }
}

extension ModemInterface.SIM {
  package init(_ sim: SIMStatus) {
    self.init(
      state: State(word: sim.state), retriesLeft: sim.retriesLeft, slot: sim.slot,
      iccid: sim.iccid?.revealed, imsi: sim.imsi?.revealed,
      numbers: sim.numbers.map(ModemInterface.PhoneNumber.init),
      home: sim.home.map(ModemInterface.Network.init))
  }
}

extension ModemInterface.PhoneNumber {
  package init(_ number: PhoneNumber) {
    self.init(
      number: number.revealed, normalised: number.isNormalised,
      source: Source(word: number.source))
  }
}

extension ModemInterface.Network {
  package init(_ network: Network) {
    self.init(mcc: network.plmn.mcc, mnc: network.plmn.mnc, name: network.name)
  }
}

extension ModemInterface.Registration {
  package init(_ registration: Registration) {
    self.init(
      state: State(word: registration.state),
      serving: registration.serving.map(ModemInterface.Network.init),
      technology: registration.technology.map { Technology(word: $0) }, rssi: registration.rssi,
      rsrp: registration.referenceSignal.rsrp, rsrq: registration.referenceSignal.rsrq,
      sinr: registration.referenceSignal.sinr, cause: registration.cause.map(ModemInterface.Cause.init))
  }
}

extension ModemInterface.Cause {
  package init(_ cause: NetworkCause) { self.init(code: cause.code, text: cause.text) }
}

extension ModemInterface.Fault {
  package init(_ fault: Fault) { self.init(cause: fault.cause, since: fault.since.description) }
}

extension ModemInterface.Sharing {
  package init(_ sharing: Sharing) {
    self.init(
      way: Way(word: sharing.way), reason: sharing.reason, session: sharing.session, manager: sharing.manager,
      managerState: sharing.managerState.map { ManagerState(word: $0) }, passedOver: sharing.passedOver)
  }
}

extension ModemInterface.Slot {
  public init(_ slot: SIMSlot) {
    self.init(
      slot: slot.number, active: slot.isActive, card: Card(word: slot.card),
      iccid: slot.iccid?.revealed, esim: slot.isESIM)
  }
}
