import ModemModel

/// The model as programs see it over org.modemd.Bearer.
extension BearerInterface.Bearer {
  public init(of modem: ModemState) {
    let (state, cause) = modem.bearer.state.wordAndCause
    self.init(
      modem: modem.id, state: State(word: state), apn: modem.bearer.apn,
      settings: modem.bearer.state.installed.map(BearerInterface.Settings.init),
      since: modem.bearer.since.description,
      cause: cause.map(BearerInterface.Cause.init),
      apnSource: modem.bearer.apnSource.map { ApnSource(word: $0) },
      nextAttempt: modem.bearer.nextAttempt?.description, failures: modem.bearer.failures,
      traffic: modem.bearer.traffic.map { Traffic(word: $0.word) }, trafficText: modem.bearer.traffic?.text,
      guard: modem.bearer.state.installed?.guardian.map { Guard(word: $0.word) },
      guardText: modem.bearer.state.installed?.guardian?.text, releasing: modem.bearer.isReleasing ? true : nil,
      resumption: modem.bearer.resumption.map { Resumption(word: $0.word) },
      resumptionText: modem.bearer.resumption?.text)
  }
}

extension BearerInterface.Settings {
  package init(_ bearer: InstalledBearer) {
    self.init(
      interface: bearer.interface, ipv4: bearer.settings.ipv4.map(BearerInterface.Address.init),
      ipv6: bearer.settings.ipv6.map(BearerInterface.Address.init), dns: bearer.settings.dns.map(\.description),
      mtu: bearer.settings.mtu, table: bearer.table)
  }
}

extension BearerInterface.Address {
  package init(_ assignment: BearerSettings.Assignment) {
    self.init(
      address: assignment.prefix.address.description, prefixLength: assignment.prefix.length,
      gateway: assignment.gateway?.description)
  }
}
