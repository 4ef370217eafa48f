import ModemModel
import NetworkAddress

/// The model read back from org.modemd.Port. Each throws `ConversionError` for what the model cannot hold.
extension ModemState {
  public init(_ wire: PortInterface.State) throws {
    self.init(
      id: wire.id, device: wire.device, kind: wire.`protocol` == .mbim ? .mbim : .qmi,
      identity: DeviceIdentity(
        manufacturer: wire.manufacturer, model: wire.model, firmware: wire.firmware, imei: wire.imei),
      interface: wire.interface, sim: try SIMStatus(wire.sim), registration: try Registration(wire.registration),
      bearer: try BearerStatus(wire.bearer),
      fault: try wire.fault.map {
        Fault(cause: $0.cause, since: try Timestamp(rfc3339: $0.since).required("fault.since", "an RFC 3339 time"))
      }, sharing: try wire.sharing.map { try Sharing($0) }, software: wire.software)
  }
}

extension SIMStatus {
  init(_ wire: PortInterface.SIM) throws {
    self.init(
      state: try State(word: wire.state, "sim.state"), retriesLeft: wire.retriesLeft, slot: wire.slot,
      iccid: wire.iccid.map(ICCID.init), imsi: wire.imsi.map(IMSI.init),
      numbers: try wire.numbers.map {
        PhoneNumber($0.number, source: try PhoneNumber.Source(word: $0.source, "sim.numbers.source"))
      }, home: try wire.home.map { try Network($0, "sim.home") })
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
      state: try State(word: wire.state, "registration.state"),
      serving: try wire.serving.map { try Network($0, "registration.serving") },
      technology: try wire.technology.map { try Technology(word: $0, "registration.technology") }, rssi: wire.rssi,
      cause: wire.cause.map(NetworkCause.init))
  }
}

extension NetworkCause {
  init(_ wire: PortInterface.Cause) { self.init(code: wire.code, text: wire.text) }
}

extension BearerStatus {
  public init(_ wire: PortInterface.Bearer) throws {
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
      }
    self.init(
      state: state, apn: wire.apn,
      apnSource: try wire.apnSource.map { try AccessPoint.Source(word: $0, "bearer.apnSource") },
      since: try Timestamp(rfc3339: wire.since).required("bearer.since", "an RFC 3339 time"),
      nextAttempt: try wire.nextAttempt.map {
        try Timestamp(rfc3339: $0).required("bearer.nextAttempt", "an RFC 3339 time")
      }, failures: wire.failures ?? 0,
      traffic: wire.traffic.map { Traffic($0, text: wire.trafficText) }, isReleasing: wire.releasing ?? false,
      resumption: wire.resumption.map { Resumption($0, text: wire.resumptionText) })
  }
}

extension BearerStatus.Traffic {
  init(_ wire: PortInterface.Bearer.Traffic, text: String?) {
    self =
      switch wire {
      case .untested: .untested
      case .answered: .answered
      case .silent: .silent(text ?? "no DNS server of the bearer answers")
      }
  }
}

extension BearerStatus.Resumption {
  init(_ wire: PortInterface.Bearer.Resumption, text: String?) {
    self =
      switch wire {
      case .pending: .pending(text)
      case .resumed: .resumed
      case .refused: .refused(text ?? "the port does not say why")
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
