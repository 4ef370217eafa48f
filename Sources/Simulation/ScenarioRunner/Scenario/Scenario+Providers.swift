import ModemModel
import NetworkAddress
import OperatorSimulator

extension Scenario {
  /// One of the scenario's providers.
  struct Provider: Sendable {
    var hosts: [String: ProviderHost]
    var definition: any SimulatedProvider
  }

  /// What the operator knows of a number, beside what a SIM says.
  struct SubscriberFacts: Hashable, Sendable {
    /// E.164.
    var number: String
    /// Nil for the home network of the SIM with this number, or of the first SIM.
    var network: PLMN?
    var simChangedMinutesAgo: Int?
  }

  var providerHosts: [ProviderHost] {
    providers.flatMap { $0.hosts.sorted { $0.key < $1.key }.map(\.value) }
  }

  mutating func readProviders(_ file: ScenarioFields, _ kinds: [any SimulatedProvider.Type]) throws {
    subscribers =
      try file.list("subscribers", known: ["number", "operator", "simChangedMinutesAgo"])?.map { fields in
        guard let number = try fields.text("number", "+ and 7 to 15 digits", SIM.number) else {
          throw fields.missing("number", "+ and 7 to 15 digits")
        }
        return SubscriberFacts(
          number: number, network: try fields.text("operator", "MCC and MNC, 5 or 6 digits,", { PLMN($0) }),
          simChangedMinutesAgo: try fields.number("simChangedMinutesAgo", 0...100_000_000))
      } ?? subscribers
    providers = try file.trees("providers")?.map { try Self.provider($0, of: kinds) } ?? providers
    if let twice = twiceUsedAddress {
      throw file.missing("providers", "an address of its own for each host, \(twice) being two hosts',")
    }
    modemdProviders = try file.objects("modemdProviders") ?? modemdProviders
    modemdCredentials = try file.table("modemdCredentials", "text", { $0 }) ?? modemdCredentials
    let names =
      modemdProviders.keys.map { ("modemdProviders", $0) } + modemdCredentials.keys.map { ("modemdCredentials", $0) }
    if let wrong = names.first(where: { !$0.1.isFileName }) {
      throw file.missing(wrong.0, "a name of letters, digits, dots and hyphens for each member")
    }
  }

  private static func provider(
    _ fields: ScenarioFields, of kinds: [any SimulatedProvider.Type]
  ) throws -> Provider {
    let words = "one of " + kinds.map { $0.kind }.joined(separator: ", ")
    let kind = try fields.required("kind", words) { word in kinds.first { $0.kind == word } }
    let own = try fields.knowing(["kind", "hosts"] + kind.known)
    var hosts = kind.hosts
    if let given = try own.fields("hosts", known: kind.hosts.keys.sorted()) {
      for (part, host) in kind.hosts { hosts[part] = try given.providerHost(part, otherwise: host) }
    }
    return Provider(hosts: hosts, definition: try kind.init(hosts: hosts, own))
  }

  /// Servers bind to each address of a host, so that two hosts cannot share one.
  private var twiceUsedAddress: IPAddress? {
    var seen = Set(network.dns + chain.hosts.flatMap(\.addresses))
    return providerHosts.flatMap(\.addresses).first { !seen.insert($0).inserted }
  }
}

extension ScenarioFields {
  /// A host as the scenario gives it; what it leaves out is as in `host`.
  fileprivate func providerHost(_ part: String, otherwise host: ProviderHost) throws -> ProviderHost {
    guard let fields = try fields(part, known: ["name", "addresses", "https", "http", "ways"]) else { return host }
    var host = host
    if try fields.text("name", "a host name", { $0 }) != nil { host.name = try fields.hostName("name") }
    if try fields.texts("addresses", "an IP address", { IPAddress($0) }) != nil {
      host.addresses = try fields.hostAddresses("addresses")
    }
    host.securePorts = try fields.numbers("https", 1...65535) ?? host.securePorts
    host.cleartextPorts = try fields.numbers("http", 1...65535) ?? host.cleartextPorts
    host.ways = try fields.word("ways", ProviderHost.Ways.self) ?? host.ways
    return host
  }
}

extension String {
  fileprivate var isFileName: Bool {
    !isEmpty && first != "." && utf8.count <= 100
      && utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7a).contains($0 | 0x20) || $0 == 0x2d || $0 == 0x2e
      }
  }
}
