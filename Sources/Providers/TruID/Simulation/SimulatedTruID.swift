import OperatorSimulator

/// A simulated tru.ID in a scenario.
package struct SimulatedTruID: SimulatedProvider {
  package static let kind = "truID"
  package static let hosts = [
    "api": ProviderHost("eu.api.truid.example", ["198.51.100.130", "2001:db8:130::10"]),
    "operator": ProviderHost(
      "id.truid-operator.example", ["198.51.100.131", "2001:db8:130::11"], securePorts: [], cleartextPorts: [80],
      ways: .bearer),
    "backend": ProviderHost("app.truid-demo.example", ["203.0.113.130", "2001:db8:130::20"], cleartextPorts: [8080]),
  ]
  package static let known = [
    "client", "backendPassword", "operators", "withoutRedirect", "sandbox", "lifeSeconds", "pending", "pathForm",
    "takesPOST", "faults",
  ]

  private let settings: TruIDSimulationSettings

  package init(hosts: [String: ProviderHost], _ fields: ScenarioFields) throws {
    var settings = TruIDSimulationSettings(
      hosts: .init(api: hosts.name("api"), operator: hosts.name("operator"), backend: hosts.name("backend")))
    if let client = try fields.fields("client", known: ["id", "secret"]) {
      settings.clientID = try client.text("id") ?? settings.clientID
      settings.clientSecret = try client.text("secret") ?? settings.clientSecret
    }
    settings.backendPassword = try fields.text("backendPassword")
    let network = "MCC and MNC, 5 or 6 digits"
    settings.operators = try fields.texts("operators", network, { $0 }).map { Set($0) }
    settings.withoutRedirect = Set(try fields.texts("withoutRedirect", network, { $0 }) ?? [])
    settings.isSandbox = try fields.flag("sandbox") ?? settings.isSandbox
    settings.life = try fields.number("lifeSeconds", 0...86_400) ?? settings.life
    settings.pending = try fields.number("pending", 0...100) ?? settings.pending
    settings.hasPathForm = try fields.flag("pathForm") ?? settings.hasPathForm
    settings.takesPOST = try fields.flag("takesPOST") ?? settings.takesPOST
    let known = ["at", "number", "status", "code", "retryAfter", "page", "delayMilliseconds"]
    settings.faults = try fields.list("faults", known: known)?.map(Self.fault) ?? []
    self.settings = settings
  }

  private static func fault(_ fields: ScenarioFields) throws -> TruIDSimulationSettings.Fault {
    guard let place = try fields.word("at", TruIDSimulationSettings.Place.self) else {
      throw fields.missing(
        "at", "one of " + TruIDSimulationSettings.Place.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return TruIDSimulationSettings.Fault(
      place, number: try fields.text("number", "E.164 with +", { $0.hasPrefix("+") ? $0 : nil }),
      status: try fields.number("status", 200...599), code: try fields.text("code", "a word", { $0 }),
      retryAfter: try fields.number("retryAfter", 0...604_800), isPage: try fields.flag("page") ?? false,
      delay: try fields.number("delayMilliseconds", 0...600_000))
  }

  package var secrets: [ScenarioSecret] {
    [ScenarioSecret(kind: "client secret", value: settings.clientSecret)]
      + (settings.backendPassword.map { [ScenarioSecret(kind: "backend password", value: $0)] } ?? [])
  }

  package func services(_ environment: ProviderEnvironment) -> [any SimulatedService] {
    [TruIDService(settings, environment)]
  }
}
