import OperatorSimulator

/// `MobileConnectService` in a scenario: an exchange, an operator, the applications that are
/// registered there, each with its own way to fail, and an app's own server.
///
///     { "kind": "mobileConnect", "networks": ["26201"], "appServer": { "application": "shop" },
///       "applications": [ { "id": "shop", "redirectURIs": ["app:/back"] },
///                         { "id": "late", "faults": ["exp"] } ] }
package struct SimulatedMobileConnect: SimulatedProvider {
  package static let kind = "mobileConnect"
  package static let hosts = [
    "exchange": ProviderHost("discover.exchange.example", ["198.51.100.170", "2001:db8:170::10"]),
    "operator": ProviderHost("mobileconnect.operator.example", ["198.51.100.171", "2001:db8:170::11"]),
    "enrichment": ProviderHost(
      "he.mobileconnect.example", ["198.51.100.172", "2001:db8:170::12"], securePorts: [], cleartextPorts: [80],
      ways: .bearer),
    "app": ProviderHost("app.shop.example", ["203.0.113.170", "2001:db8:170::20"]),
  ]
  package static let known = ["networks", "applications", "versions", "lifeSeconds", "appServer"]

  private static let applicationMembers = [
    "id", "secret", "exchangeID", "exchangeSecret", "name", "redirectURIs", "key", "faults", "refusal", "asksConsent",
    "waits", "polls", "answersInTokens", "trustsHint", "codeSeconds", "tokenSeconds",
  ]

  private var settings: MobileConnectSimulationSettings

  package init(hosts: [String: ProviderHost], _ fields: ScenarioFields) throws {
    settings = MobileConnectSimulationSettings(
      hosts: .init(
        exchange: hosts.name("exchange"), operator: hosts.name("operator"), enrichment: hosts.name("enrichment"),
        app: hosts.name("app")))
    settings.networks = try fields.texts("networks", "MCC with MNC", { $0 }).map { Set($0) } ?? settings.networks
    settings.versions = try fields.texts("versions", "text", { $0 }) ?? settings.versions
    settings.life = try fields.number("lifeSeconds", 0...31_536_000) ?? settings.life
    let callback = "https://\(hosts.name("app"))/mobile-connect/server_side_api/discovery_callback"
    settings.applications =
      try fields.list("applications", known: Self.applicationMembers)?.map { try Self.application($0, callback) } ?? []
    settings.appServer = try Self.appServer(fields)
  }

  private static func application(
    _ fields: ScenarioFields, _ callback: String
  ) throws -> SimulatedMobileConnectApplication {
    guard let id = try fields.text("id") else { throw fields.missing("id", "the operator's client_id") }
    let text = { (key: String) in try fields.text(key, "text", { $0 }) }
    var application = SimulatedMobileConnectApplication(
      id: id, secret: try text("secret") ?? "mc-operator-secret-\(id)",
      exchangeID: try text("exchangeID") ?? "\(id)-at-exchange",
      exchangeSecret: try text("exchangeSecret") ?? "mc-exchange-secret-\(id)",
      redirectURIs: try fields.texts("redirectURIs", "a URI", { $0 }) ?? [callback])
    application.name = try text("name") ?? application.name
    application.key = try fields.text("key", "PEM of a public key", { $0 })
    let words = "one of " + SimulatedMobileConnectApplication.Fault.allCases.map(\.rawValue).joined(separator: ", ")
    application.faults = Set(
      try fields.texts("faults", words, { SimulatedMobileConnectApplication.Fault(rawValue: $0) }) ?? [])
    application.refusal = try text("refusal")
    application.asksConsent = try fields.flag("asksConsent") ?? false
    application.waits = try fields.number("waits", 0...100) ?? 0
    application.polls = try fields.number("polls", 0...100) ?? application.polls
    application.answersInTokens = try fields.flag("answersInTokens") ?? false
    application.trustsHint = try fields.flag("trustsHint") ?? false
    application.codeSeconds = try fields.number("codeSeconds", 0...3600) ?? application.codeSeconds
    application.tokenSeconds = try fields.number("tokenSeconds", 0...86_400) ?? application.tokenSeconds
    return application
  }

  private static func appServer(_ fields: ScenarioFields) throws -> MobileConnectSimulationSettings.AppServer? {
    guard
      let own = try fields.fields(
        "appServer", known: ["application", "scope", "version", "passesAddress", "needsCookie"])
    else { return nil }
    guard let application = try own.text("application") else {
      throw own.missing("application", "the id of an application")
    }
    var server = MobileConnectSimulationSettings.AppServer(application: application)
    server.scope = try own.text("scope") ?? server.scope
    server.version = try own.text("version") ?? server.version
    server.passesAddress = try own.flag("passesAddress") ?? server.passesAddress
    server.needsCookie = try own.flag("needsCookie") ?? server.needsCookie
    return server
  }

  package var secrets: [ScenarioSecret] {
    settings.applications.flatMap {
      [
        ScenarioSecret(kind: "client secret", value: $0.secret),
        ScenarioSecret(kind: "client secret at the exchange", value: $0.exchangeSecret),
      ]
    }
  }

  package func services(_ environment: ProviderEnvironment) -> [any SimulatedService] {
    [MobileConnectService(settings, environment)]
  }
}
