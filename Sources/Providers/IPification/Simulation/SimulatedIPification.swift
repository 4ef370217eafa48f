import OperatorSimulator

/// `IPificationService` in a scenario: the operators that it serves, and the applications that are
/// registered, each with its own way to fail.
///
///     { "kind": "ipification", "networks": ["26201"],
///       "clients": [ { "id": "app", "secret": "…" },
///                    { "id": "expiry", "failure": "expiredCode" } ] }
package struct SimulatedIPification: SimulatedProvider {
  package static let kind = "ipification"
  package static let hosts = [
    "api": ProviderHost("api.ipification.example", ["198.51.100.150", "2001:db8:150::10"]),
    "operator": ProviderHost(
      "ip.operator.example", ["198.51.100.151", "2001:db8:150::11"], securePorts: [], cleartextPorts: [80],
      ways: .bearer),
    "backend": ProviderHost("backend.ip-app.example", ["203.0.113.150", "2001:db8:150::20"]),
  ]
  package static let known = ["networks", "clients"]

  private let hosts: IPificationService.Hosts
  private let clients: [SimulatedIPificationClient]
  private let networks: Set<String>

  package init(hosts: [String: ProviderHost], _ fields: ScenarioFields) throws {
    self.hosts = .init(api: hosts.name("api"), operator: hosts.name("operator"), backend: hosts.name("backend"))
    networks = Set(try fields.texts("networks", "MCC with MNC", { $0 }) ?? ["26201"])
    let given = try fields.list(
      "clients", known: ["id", "secret", "redirectURI", "failure", "form", "needsCookie"])
    clients = try given?.map(Self.client) ?? [SimulatedIPificationClient("app")]
  }

  private static func client(_ fields: ScenarioFields) throws -> SimulatedIPificationClient {
    guard let id = try fields.text("id") else { throw fields.missing("id", "the client's id") }
    var client = SimulatedIPificationClient(id)
    client.secret = try fields.text("secret") ?? client.secret
    client.redirectURI = try fields.text("redirectURI", "a URI", { $0 }) ?? client.redirectURI
    client.failure = try fields.word("failure", SimulatedIPificationClient.Failure.self)
    client.form = try fields.word("form", SimulatedIPificationClient.Form.self) ?? client.form
    client.needsCookie = try fields.flag("needsCookie") ?? client.needsCookie
    return client
  }

  package var secrets: [ScenarioSecret] { clients.map { ScenarioSecret(kind: "client secret", value: $0.secret) } }

  package func services(_ environment: ProviderEnvironment) -> [any SimulatedService] {
    [IPificationService(hosts: hosts, clients: clients, networks: networks, environment)]
  }
}

extension SimulatedIPificationClient {
  fileprivate init(_ id: String) {
    self.init(id: id, secret: "ip-client-secret-\(id)", redirectURI: "com.example.app://ip/callback")
  }
}
