import ModemModel

/// The model as programs see it over org.modemd.Bearer.
extension BearerInterface.Bearer {
  public init(of modem: ModemState) {
    let (state, cause) = modem.bearer.state.wordAndCause
    self.init(
      modem: modem.id, state: State(rawValue: state) ?? .down, apn: modem.bearer.apn,
      settings: modem.bearer.state.installed.map(BearerInterface.Settings.init),
      since: modem.bearer.since.description,
      cause: cause.map { BearerInterface.Cause(code: $0.code, text: $0.text) },
      apnSource: modem.bearer.apnSource.flatMap { ApnSource(rawValue: $0.rawValue) },
      nextAttempt: modem.bearer.nextAttempt?.description, failures: modem.bearer.failures,
      traffic: modem.bearer.traffic.flatMap { Traffic(rawValue: $0.word) }, trafficText: modem.bearer.traffic?.text,
      guard: modem.bearer.state.installed?.guardian.flatMap { Guard(rawValue: $0.word) },
      guardText: modem.bearer.state.installed?.guardian?.text, releasing: modem.bearer.isReleasing ? true : nil,
      resumption: modem.bearer.resumption.flatMap { Resumption(rawValue: $0.word) },
      resumptionText: modem.bearer.resumption?.text)
  }
}

extension BearerInterface.Settings {
  init(_ bearer: InstalledBearer) {
    self.init(
      interface: bearer.interface, ipv4: bearer.settings.ipv4.map(BearerInterface.Address.init),
      ipv6: bearer.settings.ipv6.map(BearerInterface.Address.init), dns: bearer.settings.dns.map(\.description),
      mtu: bearer.settings.mtu, table: bearer.table)
  }
}

extension BearerInterface.Address {
  init(_ assignment: BearerSettings.Assignment) {
    self.init(
      address: assignment.prefix.address.description, prefixLength: assignment.prefix.length,
      gateway: assignment.gateway?.description)
  }
}
