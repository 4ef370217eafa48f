import OperatorSimulator

/// `SimulatedCAMARAService` in a scenario.
package struct SimulatedCAMARA: SimulatedProvider {
  package static let kind = "camara"
  package static let hosts = [
    "auth": ProviderHost("auth.camara.example", ["198.51.100.140", "2001:db8:140::10"]),
    "enrichment": ProviderHost(
      "he.camara.example", ["198.51.100.141", "2001:db8:140::11"], securePorts: [], cleartextPorts: [80], ways: .bearer),
    "api": ProviderHost("api.camara.example", ["198.51.100.142", "2001:db8:140::12"]),
    "backend": ProviderHost("backend.camara.example", ["203.0.113.140", "2001:db8:140::20"]),
  ]
  package static let known = ["clients", "backendNumber"]

  private let hosts: SimulatedCAMARAService.Hosts
  private let clients: [SimulatedCAMARAClient]
  private let backendNumber: String?

  package init(hosts: [String: ProviderHost], _ fields: ScenarioFields) throws {
    self.hosts = SimulatedCAMARAService.Hosts(
      auth: hosts.name("auth"), enrichment: hosts.name("enrichment"), api: hosts.name("api"),
      backend: hosts.name("backend"))
    clients = try fields.list("clients", known: Self.clientMembers)?.map(Self.client) ?? []
    backendNumber = try fields.text("backendNumber", "+ and 7 to 15 digits", { $0.hasPrefix("+") ? $0 : nil })
  }

  private static let clientMembers = [
    "id", "secret", "key", "redirectURI", "authorize", "token", "answer", "codeSeconds", "tokenSeconds", "pkce",
    "monitoredDays", "swapName", "hint", "pendingPolls", "pollSeconds", "pollEndSeconds", "pollError",
  ]

  private static func client(_ fields: ScenarioFields) throws -> SimulatedCAMARAClient {
    let id = try fields.required("id", "text") { $0 }
    let redirectURI = try fields.required("redirectURI", "a URI") { $0 }
    let secret = try fields.text("secret", "text", { SimulatedCAMARAClient.Proof.secret($0) })
    let key = try fields.text("key", "PEM of a public key", { SimulatedCAMARAClient.Proof.key($0) })
    var client = SimulatedCAMARAClient(id: id, proof: key ?? secret ?? .none, redirectURI: redirectURI)
    client.page = try fields.text("authorize", "page, otherState, silence or the word of an error", page)
    client.tokenRefusal = try refusal(fields, "token")
    client.refusal = try refusal(fields, "answer")
    client.codeSeconds = try fields.number("codeSeconds", 0...3600) ?? client.codeSeconds
    client.tokenSeconds = try fields.number("tokenSeconds", 0...3600) ?? client.tokenSeconds
    client.needsPKCE = try fields.flag("pkce") ?? client.needsPKCE
    client.monitoredDays = try fields.number("monitoredDays", 0...36_500)
    client.hintRefusal = try refusal(fields, "hint")
    client.pendingPolls = try fields.number("pendingPolls", 0...100) ?? client.pendingPolls
    client.pollSeconds = try fields.number("pollSeconds", 0...60) ?? client.pollSeconds
    client.pollEndSeconds = try fields.number("pollEndSeconds", 0...3600) ?? client.pollEndSeconds
    client.pollError = try fields.text("pollError")
    client.swapName = try fields.text("swapName") ?? client.swapName
    return client
  }

  private static func page(_ word: String) -> SimulatedCAMARAClient.Page? {
    switch word {
    case "": nil
    case "page": .html
    case "otherState": .otherState
    case "silence": .silence
    default: .error(word)
    }
  }

  private static func refusal(_ fields: ScenarioFields, _ key: String) throws -> SimulatedCAMARAClient.Refusal? {
    guard let own = try fields.fields(key, known: ["status", "code", "retryAfter"]) else { return nil }
    guard let status = try own.number("status", 200...599) else { throw own.missing("status", "a status") }
    return SimulatedCAMARAClient.Refusal(
      status: status, code: try own.text("code") ?? "",
      retryAfter: try own.number("retryAfter", 0...604_800))
  }

  package var secrets: [ScenarioSecret] {
    clients.compactMap { client in
      guard case .secret(let value) = client.proof else { return nil }
      return ScenarioSecret(kind: "client secret", value: value)
    }
  }

  package func services(_ environment: ProviderEnvironment) -> [any SimulatedService] {
    [SimulatedCAMARAService(hosts: hosts, clients: clients, backendNumber: backendNumber, environment)]
  }
}
