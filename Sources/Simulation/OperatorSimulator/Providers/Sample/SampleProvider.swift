/// `SampleService` in a scenario.
package struct SampleProvider: SimulatedProvider {
  package static let kind = "sample"
  package static let hosts = [
    "api": ProviderHost("api.provider.example", ["198.51.100.120", "2001:db8:120::10"]),
    "operator": ProviderHost(
      "operator.provider.example", ["198.51.100.121", "2001:db8:120::11"], securePorts: [], cleartextPorts: [80],
      ways: .bearer),
    "backend": ProviderHost(
      "backend.app.example", ["203.0.113.120", "2001:db8:120::20"], securePorts: [], cleartextPorts: [8080]),
    "local": ProviderHost("localhost", ["127.0.0.1"], securePorts: [], cleartextPorts: [8081], ways: .local),
  ]
  package static let known = ["secret"]

  private let hosts: [String: ProviderHost]
  private let secret: String

  package init(hosts: [String: ProviderHost], _ fields: ScenarioFields) throws {
    self.hosts = hosts
    secret = try fields.text("secret") ?? "sample-client-secret"
  }

  package var secrets: [ScenarioSecret] { [ScenarioSecret(kind: "client secret", value: secret)] }

  package func services(_ environment: ProviderEnvironment) -> [any SimulatedService] {
    [SampleService(hosts: Set(hosts.values.map(\.name)), secret: secret, environment)]
  }
}
