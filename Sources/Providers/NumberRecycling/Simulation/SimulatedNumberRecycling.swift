import OperatorSimulator

/// `NumberRecyclingService` in a scenario.
package struct SimulatedNumberRecycling: SimulatedProvider {
  package static let kind = "numberRecycling"
  package static let hosts = [
    "auth": ProviderHost("auth.recycling.example", ["203.0.113.150", "2001:db8:150::10"]),
    "api": ProviderHost("api.recycling.example", ["203.0.113.151", "2001:db8:150::11"]),
  ]
  package static let known = ["clientID", "secret", "subscribedOn"]

  private let hosts: NumberRecyclingService.Hosts
  private let client: NumberRecyclingService.Client
  private let subscribedOn: [String: String]

  package init(hosts: [String: ProviderHost], _ fields: ScenarioFields) throws {
    self.hosts = NumberRecyclingService.Hosts(auth: hosts.name("auth"), api: hosts.name("api"))
    client = NumberRecyclingService.Client(
      id: try fields.required("clientID", "text") { $0 }, secret: try fields.required("secret", "text") { $0 })
    subscribedOn =
      try fields.table("subscribedOn", "a day, as in 2026-10-31") { $0.utf8.count == 10 ? $0 : nil } ?? [:]
  }

  package var secrets: [ScenarioSecret] { [ScenarioSecret(kind: "client secret", value: client.secret)] }

  package func services(_ environment: ProviderEnvironment) -> [any SimulatedService] {
    [NumberRecyclingService(hosts: hosts, client, subscribedOn: subscribedOn, environment)]
  }
}
