import FoundationEssentials
import Glibc
import ModemModel
import ModemSimulator
import NetworkAddress

extension Scenario {
  /// Reads the scenario of a folder: its file `scenario.json`.
  ///
  /// - Throws: `WorldError` `scenario`.
  public init(folder: String) throws {
    let path = "\(folder)/scenario.json"
    guard let text = WorldFolder.read(path) else {
      throw WorldError(
        .scenario, "there is no scenario in \(folder): \(path) cannot be read", cause: String(cString: strerror(errno)))
    }
    try self.init(text: text, file: path)
  }

  /// Reads a scenario. What it leaves out is as in `Scenario()`.
  ///
  /// - Parameters:
  ///   - text: an object in JSON.
  ///   - file: stands in errors.
  /// - Throws: `WorldError` `scenario`.
  public init(text: String, file: String = "scenario.json") throws {
    self.init()
    let tree: JSONTree
    do {
      tree = try JSONDecoder().decode(JSONTree.self, from: Data(text.utf8))
    } catch {
      throw WorldError(.scenario, "\(file) is no JSON; an object is expected", cause: "\(error)")
    }
    let fields = try ScenarioFields(
      tree, path: "", file: file, known: ["description", "modem", "sim", "network", "chain"])
    self.text = text
    try modem.read(fields)
    try sim.read(fields)
    try network.read(fields)
    try chain.read(fields)
  }
}

extension Scenario.Modem {
  fileprivate mutating func read(_ file: ScenarioFields) throws {
    guard
      let fields = try file.fields("modem", known: ["protocol", "manufacturer", "model", "firmware", "imei", "faults"])
    else { return }
    kind = try fields.word("protocol", ModemProtocol.self) ?? kind
    identity.manufacturer = try fields.text("manufacturer", "text", { $0 }) ?? identity.manufacturer
    identity.model = try fields.text("model", "text", { $0 }) ?? identity.model
    identity.firmware = try fields.text("firmware", "text", { $0 }) ?? identity.firmware
    identity.imei = try fields.text("imei", "15 digits", { $0.digits(15...15) }) ?? identity.imei
    let known = ["operation", "action", "cause", "status", "milliseconds", "times"]
    faults = try fields.list("faults", known: known)?.map { try Self.fault($0) } ?? faults
  }

  private enum Action: String, CaseIterable { case refuse, fail, answer, delay, swallow, hangUp }

  private static func fault(_ fields: ScenarioFields) throws -> SimulatedFault {
    guard let operation = try fields.word("operation", ModemOperation.self) else {
      throw fields.missing("operation", "a command of the modem")
    }
    let action: SimulatedFault.Action
    switch try fields.word("action", Action.self) {
    case .refuse: action = .refuse(cause: try fields.number("cause", 1...255) ?? 33)
    case .fail: action = .fail
    case .answer: action = .answer(status: UInt32(try fields.number("status", 1...0xffff) ?? 2))
    case .delay: action = .delay(.milliseconds(try fields.number("milliseconds", 0...600_000) ?? 1000))
    case .swallow: action = .swallow
    case .hangUp: action = .hangUp
    case nil: throw fields.missing("action", "one of " + Action.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return SimulatedFault(on: operation, action, times: try fields.number("times", 1...1_000_000))
  }
}

extension Scenario.SIM {
  fileprivate mutating func read(_ file: ScenarioFields) throws {
    guard let fields = try file.fields("sim", known: ["state", "iccid", "imsi", "numbers", "pin", "home"])
    else { return }
    state = try fields.word("state", State.self) ?? state
    iccid = try fields.text("iccid", "18 to 20 digits", { $0.digits(18...20) }) ?? iccid
    imsi = try fields.text("imsi", "14 or 15 digits", { $0.digits(14...15) }) ?? imsi
    numbers = try fields.texts("numbers", "+ and 7 to 15 digits", Self.number) ?? numbers
    pin = try fields.text("pin", "4 to 8 digits", { $0.digits(4...8) }) ?? pin
    home = try fields.network("home") ?? home
  }

  private static func number(_ text: String) -> String? {
    text.first == "+" && String(text.dropFirst()).digits(7...15) != nil ? text : nil
  }
}

extension Scenario.MobileNetwork {
  fileprivate mutating func read(_ file: ScenarioFields) throws {
    let known = [
      "registration", "serving", "technology", "rssi", "ipType", "ipv4", "ipv6", "dns", "mtu", "delayMilliseconds",
      "accessPoints",
    ]
    guard let fields = try file.fields("network", known: known) else { return }
    registration = try fields.word("registration", Registration.State.self) ?? registration
    serving = try fields.network("serving") ?? serving
    technology = try fields.word("technology", Registration.Technology.self) ?? technology
    rssi = try fields.number("rssi", -113 ... -51) ?? rssi
    ipv4 = try fields.assignment("ipv4", bytes: 4) ?? ipv4
    ipv6 = try fields.assignment("ipv6", bytes: 16) ?? ipv6
    dns = try fields.texts("dns", "an IP address", { IPAddress($0) }) ?? dns
    mtu = try fields.number("mtu", 1280...9000) ?? mtu
    delay = try fields.number("delayMilliseconds", 0...5000) ?? delay
    accessPoints = try fields.texts("accessPoints", "text", { $0 }) ?? accessPoints
    switch try fields.word("ipType", BearerRequest.IPType.self) {
    case .ipv4: ipv6 = nil
    case .ipv6: ipv4 = nil
    case .ipv4v6, nil: break
    }
  }
}

extension Scenario.Chain {
  fileprivate mutating func read(_ file: ScenarioFields) throws {
    let known = ["aggregator", "signOn", "enrichment", "misnamed", "unknownName", "nameFaults", "checks"]
    guard let fields = try file.fields("chain", known: known) else { return }
    aggregator = try fields.host("aggregator") ?? aggregator
    signOn = try fields.host("signOn") ?? signOn
    enrichment = try fields.host("enrichment") ?? enrichment
    misnamed = try fields.host("misnamed") ?? misnamed
    unknownName = try fields.text("unknownName", "a host name", \.hostName) ?? unknownName
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
  fileprivate func network(_ key: String) throws -> Network? {
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
    guard let name = try fields.text("name", "a host name", \.hostName) else {
      throw fields.missing("name", "a host name")
    }
    guard let addresses = try fields.texts("addresses", "an IP address", { IPAddress($0) }), !addresses.isEmpty else {
      throw fields.missing("addresses", "a list of at least one IP address")
    }
    var host = Scenario.Chain.Host(name, [])
    host.addresses = addresses
    return host
  }
}

extension String {
  fileprivate func digits(_ count: ClosedRange<Int>) -> String? {
    count.contains(utf8.count) && utf8.allSatisfy { (0x30...0x39).contains($0) } ? self : nil
  }

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
