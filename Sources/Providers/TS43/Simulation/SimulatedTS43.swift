import ModemModel
import OperatorSimulator

/// `SimulatedTS43Service` in a scenario.
package struct SimulatedTS43: SimulatedProvider {
  package static let kind = "ts43"
  package static let hosts = [
    // The home network of a scenario's SIM, where it does not say otherwise.
    "server": ProviderHost("aes.mnc001.mcc262.pub.3gppnetwork.org", ["198.51.100.170", "2001:db8:170::10"]),
    "second": ProviderHost("login.entitlement.example", ["198.51.100.171", "2001:db8:170::11"]),
  ]
  package static let known = [
    "subscribers", "clients", "versions", "form", "method", "tokenSeconds", "temporaryTokenSeconds", "rotatesTokens",
    "identityRequests", "checkcode", "confirmsSuccess", "prefersAKAPrime", "networkName", "keyDerivations",
    "givesIdentities", "notification", "faults",
  ]

  /// A subscriber of the server.
  package struct Subscriber: Hashable, Sendable {
    var imsi: String
    /// E.164; empty for none.
    var number = ""
    var entry: HomeRegister.Entry
    var iccid = ""
    var virtualOperator: String?
    var isRefused = false
  }

  enum Method: String, Hashable, Sendable, CaseIterable { case get, post, both }

  /// How the server behaves.
  package struct Settings: Sendable {
    var server: String
    var second: String
    /// Besides the SIMs of the world, or in place of one of them.
    var subscribers: [Subscriber] = []
    /// `app_name`s that are let in; nil for all.
    var clients: [String]?
    var versions = ["2.0", "8.0", "10.0", "12.0"]
    /// The form of documents; nil for the one that is accepted.
    var form: EntitlementDocument.Form?
    var method = Method.both
    var tokenSeconds = 86_400
    var temporaryTokenSeconds = 300
    var rotatesTokens = true
    var eap = EAPServer.Settings()
    var faults: [SimulatedTS43Fault] = []

    init(server: String, second: String) {
      self.server = server
      self.second = second
    }
  }

  package let settings: Settings

  package init(hosts: [String: ProviderHost], _ fields: ScenarioFields) throws {
    var settings = Settings(server: hosts.name("server"), second: hosts.name("second"))
    settings.subscribers = try fields.list("subscribers", known: Self.subscriberMembers)?.map(Self.subscriber) ?? []
    settings.clients = try fields.texts("clients", "text", { $0 })
    settings.versions = try fields.texts("versions", "text", { $0 }) ?? settings.versions
    settings.form = try fields.word("form", EntitlementDocument.Form.self)
    settings.method = try fields.word("method", Method.self) ?? settings.method
    settings.tokenSeconds = try fields.number("tokenSeconds", 0...31_536_000) ?? settings.tokenSeconds
    settings.temporaryTokenSeconds =
      try fields.number("temporaryTokenSeconds", 0...3600) ?? settings.temporaryTokenSeconds
    settings.rotatesTokens = try fields.flag("rotatesTokens") ?? settings.rotatesTokens
    settings.faults =
      try fields.list("faults", known: SimulatedTS43Fault.members)?.map { try SimulatedTS43Fault($0) } ?? []
    settings.eap = try Self.eap(fields)
    self.settings = settings
  }

  private static func eap(_ fields: ScenarioFields) throws -> EAPServer.Settings {
    var eap = EAPServer.Settings()
    let words = "one of " + EAPServer.IdentityRequest.allCases.map(\.rawValue).joined(separator: ", ")
    eap.identityRequests =
      try fields.texts("identityRequests", words, { EAPServer.IdentityRequest(rawValue: $0) }) ?? []
    eap.hasCheckcode = try fields.flag("checkcode") ?? eap.hasCheckcode
    eap.confirmsSuccess = try fields.flag("confirmsSuccess") ?? eap.confirmsSuccess
    eap.prefersAKAPrime = try fields.flag("prefersAKAPrime")
    eap.networkName = try fields.text("networkName") ?? eap.networkName
    eap.keyDerivations = try fields.numbers("keyDerivations", 0...65_535) ?? eap.keyDerivations
    eap.givesIdentities = try fields.flag("givesIdentities") ?? eap.givesIdentities
    eap.notification = try fields.number("notification", 0...65_535)
    return eap
  }

  private static let subscriberMembers = [
    "imsi", "number", "key", "opc", "sequence", "iccid", "virtualOperator", "refused", "resCount",
  ]

  private static func subscriber(_ fields: ScenarioFields) throws -> Subscriber {
    guard let key = try fields.octets("key", 16...16) else { throw fields.missing("key", "32 hexadecimal digits") }
    guard let opc = try fields.octets("opc", 16...16) else { throw fields.missing("opc", "32 hexadecimal digits") }
    let sequence = try fields.octets("sequence", 6...6) ?? []
    var subscriber = Subscriber(number: "")
    subscriber.imsi = try fields.required("imsi", "14 or 15 digits", { $0.digits(14...15) })
    subscriber.entry = .init(key: key, opc: opc, sequence: HomeRegister.number(sequence))
    subscriber.entry.resCount = try fields.number("resCount", 4...8) ?? subscriber.entry.resCount
    subscriber.number = try fields.text("number", "+ and 7 to 15 digits", { $0.hasPrefix("+") ? $0 : nil }) ?? ""
    subscriber.iccid = try fields.text("iccid", "18 to 20 digits", { $0.digits(18...20) }) ?? ""
    subscriber.virtualOperator = try fields.text("virtualOperator")
    subscriber.isRefused = try fields.flag("refused") ?? false
    return subscriber
  }

  package var secrets: [ScenarioSecret] {
    settings.subscribers.flatMap { subscriber in
      [subscriber.entry.key, subscriber.entry.opc].map {
        ScenarioSecret(kind: "key of a SIM", value: Hexadecimal.text(of: $0))
      } + [ScenarioSecret(number: subscriber.imsi, kind: "IMSI")]
    }
  }

  package func services(_ environment: ProviderEnvironment) -> [any SimulatedService] {
    [SimulatedTS43Service(settings, environment)]
  }
}

extension SimulatedTS43.Subscriber {
  /// A SIM of the world.
  init(_ sim: SIMSubscription) {
    imsi = sim.imsi
    number = sim.number ?? ""
    entry = HomeRegister.Entry(sim)
  }

  /// A subscriber of whom only the number is known.
  init(number: String) {
    imsi = ""
    self.number = number
    entry = HomeRegister.Entry(key: [], opc: [], sequence: 0)
  }
}

extension HomeRegister.Entry {
  init(_ sim: SIMSubscription) {
    self.init(
      key: sim.key, opc: sim.opc, sequence: HomeRegister.number(sim.sequence), resCount: sim.responseLength)
  }
}
