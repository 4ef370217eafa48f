import DeviceAPI
import ModemModel
import NetworkAddress

// The model read back from org.modemd.Port. A word that the model lacks, such as one from a port of
// a later version, becomes the model's `unknown`, or nil without one. Any other value that the
// model cannot hold throws `ConversionError`.

extension ModemState {
  package init(_ wire: PortInterface.State) throws {
    self.init(
      id: wire.id, device: wire.device, kind: ModemProtocol(word: wire.protocol),
      identity: DeviceIdentity(
        manufacturer: wire.manufacturer, model: wire.model, firmware: wire.firmware, imei: wire.imei),
      interface: wire.interface, sim: try SIMStatus(wire.sim), registration: try Registration(wire.registration),
      bearer: try BearerStatus(wire.bearer),
      fault: try wire.fault.map {
        Fault(cause: $0.cause, since: try Timestamp(rfc3339: $0.since).required("fault.since", "an RFC 3339 time"))
      }, sharing: wire.sharing.flatMap(Sharing.init), software: wire.software)
  }
}

extension SIMStatus {
  init(_ wire: PortInterface.SIM) throws {
    self.init(
      state: State(word: wire.state) ?? .unknown, retriesLeft: wire.retriesLeft, slot: wire.slot,
      iccid: wire.iccid.map(ICCID.init), imsi: wire.imsi.map(IMSI.init),
      numbers: wire.numbers.map { PhoneNumber($0.number, source: PhoneNumber.Source(word: $0.source) ?? .unknown) },
      home: try wire.home.map { try Network($0, "sim.home") })
  }
}

extension Network {
  init(_ wire: PortInterface.Network, _ field: String) throws {
    self.init(
      try PLMN(mcc: wire.mcc, mnc: wire.mnc).required(field, "an MCC of 3 digits and an MNC of 2 or 3"), name: wire.name
    )
  }
}

extension Registration {
  init(_ wire: PortInterface.Registration) throws {
    self.init(
      state: State(word: wire.state) ?? .unknown,
      serving: try wire.serving.map { try Network($0, "registration.serving") },
      technology: wire.technology.flatMap { Technology(word: $0) }, rssi: wire.rssi,
      referenceSignal: ReferenceSignal(
        rsrp: wire.rsrp.map(Double.init), rsrq: wire.rsrq.map(Double.init), sinr: wire.sinr.map(Double.init)),
      cause: wire.cause.map(NetworkCause.init))
  }
}

extension NetworkCause {
  init(_ wire: PortInterface.Cause) { self.init(code: wire.code, text: wire.text) }
}

extension BearerStatus {
  package init(_ wire: PortInterface.Bearer) throws {
    let cause = wire.cause.map(NetworkCause.init)
    let state: BearerState =
      switch wire.state {
      case .down: .down(cause)
      case .attaching: .attaching
      case .connecting: .connecting
      case .configuring: .configuring
      case .up: .up(try InstalledBearer(wire))
      case .disconnecting: .disconnecting
      case .failed: .failed(cause ?? NetworkCause(code: nil, text: "no cause was given"))
      // No chain may run on it.
      case .other(let word):
        .down(NetworkCause(code: nil, text: "the port reports “\(word)”, which this version of modemd does not know"))
      }
    self.init(
      state: state, apn: wire.apn,
      apnSource: wire.apnSource.flatMap { AccessPoint.Source(word: $0) },
      since: try Timestamp(rfc3339: wire.since).required("bearer.since", "an RFC 3339 time"),
      nextAttempt: try wire.nextAttempt.map {
        try Timestamp(rfc3339: $0).required("bearer.nextAttempt", "an RFC 3339 time")
      }, failures: wire.failures ?? 0,
      traffic: wire.traffic.flatMap { Traffic($0, text: wire.trafficText) }, isReleasing: wire.releasing ?? false,
      resumption: wire.resumption.flatMap { Resumption($0, text: wire.resumptionText) })
  }
}

extension BearerStatus.Traffic {
  init?(_ wire: PortInterface.Bearer.Traffic, text: String?) {
    switch wire {
    case .untested: self = .untested
    case .answered: self = .answered
    case .silent: self = .silent(text ?? "no DNS server of the bearer answers")
    case .other: return nil
    }
  }
}

extension BearerStatus.Resumption {
  init?(_ wire: PortInterface.Bearer.Resumption, text: String?) {
    switch wire {
    case .pending: self = .pending(text)
    case .resumed: self = .resumed
    case .refused: self = .refused(text ?? "the port gives no reason")
    case .other: return nil
    }
  }
}

extension InstalledBearer {
  init(_ bearer: PortInterface.Bearer) throws {
    let wire = try bearer.settings.required("bearer.settings", "settings while it is up")
    // Index 0 would unbind a socket from every interface.
    guard wire.interfaceIndex > 0 else {
      throw ConversionError(field: "bearer.settings.interfaceIndex", expected: "a number above 0")
    }
    self.init(
      settings: BearerSettings(
        ipv4: try wire.ipv4.map { try BearerSettings.Assignment($0, "bearer.settings.ipv4") },
        ipv6: try wire.ipv6.map { try BearerSettings.Assignment($0, "bearer.settings.ipv6") },
        dns: try wire.dns.map { try IPAddress($0).required("bearer.settings.dns", "IP addresses") }, mtu: wire.mtu),
      interface: wire.interface, interfaceIndex: wire.interfaceIndex, table: wire.table,
      guardian: bearer.guard.flatMap { BearerGuard(word: $0.rawValue, text: bearer.guardText) })
  }
}

extension BearerSettings.Assignment {
  init(_ wire: PortInterface.Address, _ field: String) throws {
    let address = try IPAddress(wire.address).required(field, "an IP address")
    self.init(
      prefix: try IPPrefix(address, length: wire.prefixLength).required(field, "a prefix length of its family"),
      gateway: try wire.gateway.map { try IPAddress($0).required(field, "an IP address as gateway") })
  }
}

extension Sharing {
  init?(_ wire: PortInterface.Sharing) {
    guard let way = SharingWay(word: wire.way) else { return nil }
    self.init(
      way: way, reason: wire.reason, session: wire.session, manager: wire.manager,
      managerState: wire.managerState.flatMap { ManagerState(word: $0) }, passedOver: wire.passedOver)
  }
}

extension SIMSlot {
  /// A slot as the port reports it.
  package init(_ wire: PortInterface.Slot) {
    self.init(
      number: wire.slot, isActive: wire.active, card: Card(word: wire.card) ?? .unknown,
      iccid: wire.iccid.map(ICCID.init),
      isESIM: wire.esim)
  }
}
