import FoundationEssentials
import Glibc
import JSONTree
import ModemModel
import ModemSimulator
import NetworkAddress
import OperatorSimulator

extension Scenario {
  /// Reads the scenario of a folder: its file `scenario.json`.
  ///
  /// - Parameter kinds: the providers that it may have.
  /// - Throws: `WorldError` `scenario`.
  package init(folder: String, providers kinds: [any SimulatedProvider.Type]) throws {
    let path = "\(folder)/scenario.json"
    guard let text = WorldFolder.read(path) else {
      throw WorldError(
        .scenario, "there is no scenario in \(folder): \(path) cannot be read", cause: String(cString: strerror(errno)))
    }
    try self.init(text: text, file: path, providers: kinds)
  }

  /// Reads a scenario. Missing members are as in `Scenario()`.
  ///
  /// - Parameters:
  ///   - text: an object in JSON.
  ///   - file: stands in errors.
  ///   - kinds: the providers that it may have.
  /// - Throws: `WorldError` `scenario`.
  package init(
    text: String, file: String = "scenario.json", providers kinds: [any SimulatedProvider.Type]
  ) throws {
    self.init()
    self.text = text
    do {
      try read(file, kinds)
    } catch let error as ScenarioError {
      throw WorldError(.scenario, error.message)
    }
  }

  private mutating func read(_ file: String, _ kinds: [any SimulatedProvider.Type]) throws {
    let tree: JSONValue
    do {
      tree = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    } catch {
      throw WorldError(.scenario, "\(file) is no JSON; an object is expected", cause: "\(error)")
    }
    let fields = try ScenarioFields(
      tree, path: "", file: file,
      known: [
        "description", "modem", "sim", "otherSIMs", "network", "chain", "messages", "settings", "subscribers",
        "providers", "modemdProviders", "modemdCredentials", "demonstration",
      ])
    try modem.read(fields)
    try sim.read(fields)
    otherSIMs = try fields.list("otherSIMs", known: SIM.known)?.map { try SIM($0) } ?? otherSIMs
    guard modem.slot <= 1 + otherSIMs.count else {
      throw fields.missing("otherSIMs", "a SIM for each slot to modem.slot")
    }
    try network.read(fields)
    try chain.read(fields)
    settings = try fields.object("settings")
    try messages.read(fields)
    try readProviders(fields, kinds)
    demonstration = try Self.demonstration(fields) ?? demonstration
  }
}

extension Scenario.Modem {
  fileprivate mutating func read(_ file: ScenarioFields) throws {
    guard
      let fields = try file.fields(
        "modem",
        known: [
          "protocol", "count", "sessions", "manufacturer", "model", "firmware", "imei", "mbimExtensions", "slot",
          "reportsNumbers", "falseAbsences", "oldSIMCommands", "faults", "linkLayer", "accessPoints",
          "authentication",
        ])
    else { return }
    slot = try fields.number("slot", 1...8) ?? slot
    reportsNumbers = try fields.flag("reportsNumbers") ?? reportsNumbers
    falseAbsences = try fields.number("falseAbsences", 0...100) ?? falseAbsences
    hasOldSIMCommands = try fields.flag("oldSIMCommands") ?? hasOldSIMCommands
    linkLayer = try fields.word("linkLayer", LinkLayer.self) ?? linkLayer
    accessPoints = try fields.texts("accessPoints", "text", { $0 }) ?? accessPoints
    kind = try fields.word("protocol", ModemProtocol.self) ?? kind
    count = try fields.number("count", 1...64) ?? count
    sessions = try fields.number("sessions", 1...16) ?? sessions
    identity.manufacturer = try fields.text("manufacturer", "text", { $0 }) ?? identity.manufacturer
    identity.model = try fields.text("model", "text", { $0 }) ?? identity.model
    identity.firmware = try fields.text("firmware", "text", { $0 }) ?? identity.firmware
    identity.imei = try fields.text("imei", "15 digits", { $0.digits(15...15) }) ?? identity.imei
    if let version = try fields.number("mbimExtensions", 1...3) {
      mbimExtensions = ExtensionsVersion(rawValue: UInt8(version)) ?? mbimExtensions
    }
    authentication =
      try fields.fields("authentication", known: SimulatedAuthentication.members).map {
        try SimulatedAuthentication($0)
      }
      ?? authentication
    faults = try fields.list("faults", known: SimulatedFault.members)?.map { try SimulatedFault($0) } ?? faults
  }
}

extension Scenario.MobileNetwork {
  private enum DefaultAccessPoint: String, CaseIterable { case accepted, refused }

  fileprivate mutating func read(_ file: ScenarioFields) throws {
    let known = [
      "registration", "serving", "technology", "rssi", "rsrp", "rsrq", "sinr", "ipType", "ipv4", "ipv6", "dns", "mtu",
      "delayMilliseconds", "uplinkDelayMilliseconds",
      "accessPoints", "defaultAccessPoint", "ipv4Source", "ipv6Source",
    ]
    guard let fields = try file.fields("network", known: known) else { return }
    registration = try fields.word("registration", Registration.State.self) ?? registration
    serving = try fields.network("serving") ?? serving
    technology = try fields.word("technology", Registration.Technology.self) ?? technology
    rssi = try fields.number("rssi", -113 ... -51) ?? rssi
    let cell = (
      rsrp: try fields.number("rsrp", -156 ... -31), rsrq: try fields.number("rsrq", -43...20),
      sinr: try fields.number("sinr", -23...40)
    )
    if cell != (nil, nil, nil) {
      // What is not given is not measured.
      referenceSignal = ReferenceSignal(
        rsrp: cell.rsrp.map(Double.init), rsrq: cell.rsrq.map(Double.init), sinr: cell.sinr.map(Double.init))
    }
    ipv4 = try fields.assignment("ipv4", bytes: 4) ?? ipv4
    ipv6 = try fields.assignment("ipv6", bytes: 16) ?? ipv6
    dns = try fields.texts("dns", "an IP address", { IPAddress($0) }) ?? dns
    mtu = try fields.number("mtu", 1280...9000) ?? mtu
    delay = try fields.number("delayMilliseconds", 0...5000) ?? delay
    uplinkDelay = try fields.number("uplinkDelayMilliseconds", 0...5000) ?? uplinkDelay
    accessPoints = try fields.texts("accessPoints", "text", { $0 }) ?? accessPoints
    if let word = try fields.word("defaultAccessPoint", DefaultAccessPoint.self) {
      hasDefaultAccessPoint = word == .accepted
    }
    ipv4Source = try fields.word("ipv4Source", SimulatedBearer.Source.self) ?? ipv4Source
    ipv6Source = try fields.word("ipv6Source", SimulatedBearer.Source.self) ?? ipv6Source
    switch try fields.word("ipType", BearerRequest.IPType.self) {
    case .ipv4: ipv6 = nil
    case .ipv6: ipv4 = nil
    case .ipv4v6, nil: break
    }
  }
}

extension Scenario.Chain {
  fileprivate mutating func read(_ file: ScenarioFields) throws {
    let known = ["aggregator", "signOn", "enrichment", "misnamed", "unknownName", "nameFaults", "servers", "checks"]
    guard let fields = try file.fields("chain", known: known) else { return }
    aggregator = try fields.host("aggregator") ?? aggregator
    signOn = try fields.host("signOn") ?? signOn
    enrichment = try fields.host("enrichment") ?? enrichment
    misnamed = try fields.host("misnamed") ?? misnamed
    unknownName = try fields.text("unknownName", "a host name", \.hostName) ?? unknownName
    if let servers = try fields.fields("servers", known: ["writes", "tls", "connections"]) {
      connectionBehaviour.writes =
        try servers.word("writes", ConnectionBehaviour.Writes.self) ?? connectionBehaviour.writes
      connectionBehaviour.tls = try servers.word("tls", ConnectionBehaviour.TLS.self) ?? connectionBehaviour.tls
      connectionBehaviour.connections =
        try servers.word("connections", ConnectionBehaviour.Connections.self) ?? connectionBehaviour.connections
    }
    nameFaults =
      try fields.table("nameFaults", "one of unknown, failure, silence", { NameFault(rawValue: $0) }) ?? nameFaults
    checks =
      try fields.list("checks", known: ["url", "redirectURI"])?.map { check in
        guard let url = try check.text("url", "an https URL", { $0.hasPrefix("https://") ? $0 : nil }) else {
          throw check.missing("url", "an https URL")
        }
        return Check(url: url, redirectURI: try check.text("redirectURI", "text", { $0 }))
      } ?? checks
  }
}

extension ScenarioFields {
  func network(_ key: String) throws -> Network? {
    guard let fields = try fields(key, known: ["plmn", "name"]) else { return nil }
    guard let plmn = try fields.text("plmn", "MCC and MNC, 5 or 6 digits,", { PLMN($0) }) else {
      throw fields.missing("plmn", "MCC and MNC, 5 or 6 digits,")
    }
    return Network(plmn, name: try fields.text("name", "text", { $0 }))
  }

  fileprivate func assignment(_ key: String, bytes: Int) throws -> Scenario.MobileNetwork.Assignment? {
    guard let fields = try fields(key, known: ["address", "gateway"]) else { return nil }
    let family = bytes == 4 ? "an IPv4" : "an IPv6"
    let prefix = try fields.text("address", "\(family) address, a slash and the prefix length") {
      IPPrefix(text: $0).flatMap { $0.address.bytes.count == bytes ? $0 : nil }
    }
    let gateway = try fields.text("gateway", "\(family) address") {
      IPAddress($0).flatMap { $0.bytes.count == bytes ? $0 : nil }
    }
    guard let prefix else { throw fields.missing("address", "\(family) address, a slash and the prefix length") }
    guard let gateway else { throw fields.missing("gateway", "\(family) address") }
    return .init(prefix: prefix, gateway: gateway)
  }

  fileprivate func host(_ key: String) throws -> Scenario.Chain.Host? {
    guard let fields = try fields(key, known: ["name", "addresses"]) else { return nil }
    var host = Scenario.Chain.Host(try fields.hostName("name"), [])
    host.addresses = try fields.hostAddresses("addresses")
    return host
  }

  func hostName(_ key: String) throws -> String {
    guard let name = try text(key, "a host name", \.hostName) else { throw missing(key, "a host name") }
    return name
  }

  func hostAddresses(_ key: String) throws -> [IPAddress] {
    guard let addresses = try texts(key, "an IP address", { IPAddress($0) }), !addresses.isEmpty else {
      throw missing(key, "a list of at least one IP address")
    }
    return addresses
  }
}

extension String {
  /// The text when it is a host name in lower case (RFC 1123, 2.1).
  fileprivate var hostName: String? {
    let isName =
      !isEmpty && utf8.count <= 253
      && split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
        (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
          && label.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || $0 == 0x2d }
      }
    return isName ? self : nil
  }
}
