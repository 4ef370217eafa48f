import ModemAPI

/// Modems as tables and lines.
enum ModemText {
  static func list(_ modems: [ModemInterface.Modem], bearers: [String: BearerInterface.Bearer]) -> [String] {
    var table = Table([
      ("MODEM", .left), ("DEVICE", .left), ("SIM", .left), ("NUMBER", .left), ("NETWORK", .left), ("STATE", .left),
      ("SIGNAL dBm", .right), ("BEARER", .left),
    ])
    for modem in modems {
      let network = modem.registration.serving ?? modem.sim.home
      table.add([
        modem.id, modem.device, modem.sim.state.rawValue, modem.sim.numbers.first?.number ?? "-",
        network.map(name) ?? "-", modem.fault == nil ? modem.registration.state.rawValue : "fault",
        modem.registration.rssi.map(String.init) ?? "-", bearers[modem.id].map { $0.state.rawValue } ?? "-",
      ])
    }
    return table.lines
  }

  /// Everything of one modem, a line each.
  static func status(_ modem: ModemInterface.Modem, bearer: BearerInterface.Bearer) -> [String] {
    var facts = Facts()
    facts.add("Modem", "\(modem.id) (\(modem.`protocol`.rawValue.uppercased()) on \(modem.device))")
    facts.add("Fault", modem.fault.map { "\($0.cause), since \($0.since)" })
    facts.add("Hardware", [modem.manufacturer, modem.model, modem.firmware].compactMap(\.self).joined(separator: " "))
    facts.add("IMEI", modem.imei)
    addSIM(modem.sim, to: &facts)
    addRegistration(modem.registration, to: &facts)
    addBearer(bearer, interface: modem.interface, to: &facts)
    return facts.lines
  }

  static func bearer(_ bearer: BearerInterface.Bearer) -> [String] {
    var facts = Facts()
    addBearer(bearer, interface: nil, to: &facts)
    return facts.lines
  }

  private static func addSIM(_ sim: ModemInterface.SIM, to facts: inout Facts) {
    let retries = sim.retriesLeft.map { ", \($0) attempt\($0 == 1 ? "" : "s") left" } ?? ""
    facts.add("SIM", sim.state.rawValue + retries + (sim.slot.map { ", slot \($0)" } ?? ""))
    facts.add("Number", sim.numbers.isEmpty ? (sim.state == .ready ? "none on the SIM" : nil) : nil)
    for number in sim.numbers {
      facts.add("Number", "\(number.number) (\(number.source.rawValue)\(number.normalised ? "" : ", not E.164"))")
    }
    facts.add("ICCID", sim.iccid)
    facts.add("IMSI", sim.imsi)
    facts.add("Home", sim.home.map(name))
  }

  private static func addRegistration(_ registration: ModemInterface.Registration, to facts: inout Facts) {
    let network = registration.serving.map { " with \(name($0))" } ?? ""
    facts.add(
      "Registration",
      registration.state.rawValue + network + (registration.cause.map { ": \(cause($0.code, $0.text))" } ?? ""))
    facts.add("Technology", registration.technology?.rawValue)
    facts.add("Signal", registration.rssi.map { "\($0) dBm" })
  }

  private static func addBearer(_ bearer: BearerInterface.Bearer, interface: String?, to facts: inout Facts) {
    let reason = bearer.cause.map { ": \(cause($0.code, $0.text))" } ?? ""
    facts.add("Bearer", "\(bearer.state.rawValue)\(reason), since \(bearer.since)")
    facts.add("APN", bearer.apn)
    guard let settings = bearer.settings else {
      facts.add("Interface", interface)
      return
    }
    facts.add("Interface", "\(settings.interface), routing table \(settings.table)")
    for address in [settings.ipv4, settings.ipv6].compactMap(\.self) {
      let gateway = address.gateway.map { " by \($0)" } ?? ""
      facts.add("Address", "\(address.address)/\(address.prefixLength)\(gateway)")
    }
    facts.add("DNS", settings.dns.joined(separator: " "))
    facts.add("MTU", settings.mtu.map { "\($0) bytes" })
  }

  /// MCC and MNC with a dash between, so that 310-26 and 310-026 are told apart.
  static func name(_ network: ModemInterface.Network) -> String {
    "\(network.mcc)-\(network.mnc)" + (network.name.map { " \($0)" } ?? "")
  }

  static func cause(_ code: Int?, _ text: String) -> String { code.map { "\(text) (cause \($0))" } ?? text }
}

/// Names and values, one a line, the values in one column.
private struct Facts {
  private var facts: [(name: String, value: String)] = []

  mutating func add(_ name: String, _ value: String?) {
    guard let value, !value.isEmpty else { return }
    facts.append((name, value))
  }

  var lines: [String] {
    let width = facts.map(\.name.count).max() ?? 0
    return facts.map { $0.name + ":" + String(repeating: " ", count: width - $0.name.count + 1) + $0.value }
  }
}
