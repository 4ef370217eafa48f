import ModemModel

/// A modem as ModemManager describes it: the properties that modemd reads, in the model's terms.
package struct ManagedModem: Hashable, Sendable {
  package let path: String
  /// The argument for InhibitDevice (Modem.Device).
  package let uid: String
  /// Names of control ports and network interfaces, as in `cdc-wdm0`.
  package let ports: Set<String>
  package let identity: DeviceIdentity
  package let sim: SIMStatus
  package let registration: Registration
  package let bearers: [ManagedBearer]
  /// Whether it is connecting a bearer.
  package let isConnecting: Bool

  /// The bearer that carries data now; of several, the one with the lowest path.
  package var connectedBearer: ManagedBearer? { bearers.first(where: \.isConnected) }

  init(_ path: String, _ modem: ManagedObjects.Properties, in objects: ManagedObjects) {
    self.path = path
    uid = modem["Device"]?.text ?? ""
    ports = Set((modem["Ports"]?.list ?? []).compactMap { $0.fields?.first?.text })
    let modem3gpp = objects[path, ManagedObjects.Interface.modem3gpp] ?? [:]
    identity = DeviceIdentity(
      manufacturer: modem["Manufacturer"]?.someText, model: modem["Model"]?.someText,
      firmware: modem["Revision"]?.someText,
      imei: modem["EquipmentIdentifier"]?.someText ?? modem3gpp["Imei"]?.someText)
    let card = modem["Sim"]?.text.flatMap { objects[$0, ManagedObjects.Interface.sim] }
    sim = SIMStatus(modem, card)
    registration = Registration(modem, modem3gpp, objects[path, ManagedObjects.Interface.signal] ?? [:])
    // MMModemState: enabling, connecting.
    isConnecting = [5, 10].contains(modem["State"]?.number ?? 0)
    let paths = (modem["Bearers"]?.list ?? []).compactMap(\.text).sorted { ($0.count, $0) < ($1.count, $1) }
    bearers = paths.compactMap { path in
      objects[path, ManagedObjects.Interface.bearer].map { ManagedBearer(path, $0) }
    }
  }
}

extension SIMStatus {
  /// Reads Modem.State, Modem.StateFailedReason, Modem.UnlockRequired and the SIM's properties.
  fileprivate init(_ modem: ManagedObjects.Properties, _ card: ManagedObjects.Properties?) {
    let lock = modem["UnlockRequired"]?.number ?? 0
    let state = Self.state(modem["State"]?.number ?? 0, failure: modem["StateFailedReason"]?.number ?? 0, lock: lock)
    let retries = modem["UnlockRetries"]?.dictionary?[String(lock)]?.number
    let slot = modem["PrimarySimSlot"]?.number.flatMap { $0 > 0 ? $0 : nil }
    self.init(state: state, slot: slot)
    if state == .pinRequired || state == .pukRequired { retriesLeft = retries }
    guard let card else { return }
    iccid = card["SimIdentifier"]?.someText.map(ICCID.init)
    imsi = card["Imsi"]?.someText.map(IMSI.init)
    home = card["OperatorIdentifier"]?.text.flatMap(PLMN.init).map {
      Network($0, name: card["OperatorName"]?.someText)
    }
    // ModemManager reads them if the modem's own commands give them (MBIM Subscriber Ready Status,
    // DMS Get MSISDN).
    numbers = (modem["OwnNumbers"]?.list ?? []).compactMap(\.someText).map {
      PhoneNumber($0, source: .subscriberReady)
    }
  }

  /// MMModemState, MMModemStateFailedReason and MMModemLock.
  private static func state(_ state: Int, failure: Int, lock: Int) -> State {
    switch (state, failure) {
    case (-1, 2): return .absent
    case (-1, _): return .failed
    default: break
    }
    switch lock {
    case 2: return .pinRequired
    case 4: return .pukRequired
    default: break
    }
    switch state {
    case 1: return .initialising
    // From "disabled" on, the SIM has been read. 2 is a lock other than the SIM's own.
    case 2...: return .ready
    default: return .unknown
    }
  }
}

extension Registration {
  /// Reads Modem3gpp.RegistrationState (MMModem3gppRegistrationState), the operator, and the
  /// modem's technology and signal.
  fileprivate init(
    _ modem: ManagedObjects.Properties, _ modem3gpp: ManagedObjects.Properties, _ signal: ManagedObjects.Properties
  ) {
    let state: State =
      switch modem3gpp["RegistrationState"]?.number ?? 4 {
      case 0: .deregistered
      case 1, 6, 9: .home
      case 2: .searching
      case 3: .denied
      case 5, 7, 10: .roaming
      default: .unknown
      }
    self.init(state: state)
    serving = modem3gpp["OperatorCode"]?.text.flatMap(PLMN.init).map {
      Network($0, name: modem3gpp["OperatorName"]?.someText)
    }
    technology = modem["AccessTechnologies"]?.number.flatMap(Technology.init(accessTechnologies:))
    // ModemManager maps -113 to -51 dBm to 0 to 100 %. A quality of 0 means that nothing has been
    // received yet.
    if let quality = modem["SignalQuality"]?.fields?.first?.number, (1...100).contains(quality) {
      rssi = -113 + (quality * 62 + 50) / 100
    }
    referenceSignal = ReferenceSignal(signal, technology)
  }
}

extension ReferenceSignal {
  /// Reads Modem.Signal's Lte and Nr5g. They are empty unless somebody has told ModemManager to
  /// measure (`mmcli --signal-setup`), which costs the modem work; modemd does not.
  fileprivate init(_ signal: ManagedObjects.Properties, _ technology: Registration.Technology?) {
    let cell: [String: DBusValue]? =
      switch technology {
      case .gsm, .umts: nil
      case .lte, .nrNonStandalone: signal["Lte"]?.dictionary
      case .nr: signal["Nr5g"]?.dictionary
      case nil: [signal["Lte"], signal["Nr5g"]].lazy.compactMap { $0?.dictionary }.first { !$0.isEmpty }
      }
    self.init(rsrp: cell?["rsrp"]?.real, rsrq: cell?["rsrq"]?.real, sinr: cell?["snr"]?.real)
  }
}

extension Registration.Technology {
  /// The newest of MMModemAccessTechnology's bits.
  fileprivate init?(accessTechnologies bits: Int) {
    let (lte, nr) = (bits & 0x3_4000 != 0, bits & 0x8000 != 0)
    if nr {
      self = lte ? .nrNonStandalone : .nr
    } else if lte {
      self = .lte
    } else if bits & 0x3e0 != 0 {
      self = .umts
    } else if bits & 0x1e != 0 {
      self = .gsm
    } else {
      return nil
    }
  }
}
