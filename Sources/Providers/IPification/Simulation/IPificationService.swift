import JSONTree
import ModemModel
import NetworkAddress
import OperatorSimulator

/// The simulated IPification: it learns the number at an operator's cleartext host, only from the
/// address of the bearer.
///
/// | request | answer |
/// | --- | --- |
/// | `GET {realm}/coverage` | whether the network of the source address, and with `phone` of that number, is served |
/// | `GET {realm}/coverage/ADDRESS` | the same of an address; yes for 1.2.3.4 |
/// | `GET {realm}/protocol/openid-connect/auth` | to the operator's host, where the chain goes on |
/// | `GET http://operator/ip/start` | the operator sees the address; back to the provider |
/// | `GET {realm}/ip/complete` | to the redirect URI with a code |
/// | `POST {realm}/protocol/openid-connect/token` | tokens for a code and the client's secret |
/// | `POST {realm}/protocol/openid-connect/userinfo` | what is known of the subscriber |
///
/// An app's backend, on a host of its own, completes what a device began: by `POST /ip/complete`
/// with the code, and by the redirect URI `/ip/callback`.
package final class IPificationService: SimulatedService {
  /// The hosts by their part.
  package struct Hosts: Hashable, Sendable {
    package var api: String
    /// http alone.
    package var `operator`: String
    package var backend: String

    package init(api: String, operator: String, backend: String) {
      self.api = api
      self.operator = `operator`
      self.backend = backend
    }
  }

  static let realm = "/auth/realms/ipification"
  static let openID = realm + "/protocol/openid-connect"

  let hosts: Hosts
  let clients: [String: SimulatedIPificationClient]
  /// MCCs with MNC of the operators that are served.
  let networks: Set<String>
  let environment: ProviderEnvironment
  let store = IPificationStore()

  package init(
    hosts: Hosts, clients: [SimulatedIPificationClient], networks: Set<String>, _ environment: ProviderEnvironment
  ) {
    self.hosts = hosts
    self.clients = Dictionary(clients.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.networks = networks
    self.environment = environment
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    switch (request.host, request.isSecure, request.method, request.path) {
    case (hosts.api, true, "GET", let path) where path.hasPrefix(Self.realm + "/coverage"): coverage(request)
    case (hosts.api, true, "GET", Self.openID + "/auth"): authorize(request)
    case (hosts.operator, false, "GET", "/ip/start"): identify(request)
    case (hosts.api, true, "GET", Self.realm + "/ip/complete"): complete(request)
    case (hosts.api, true, "POST", Self.openID + "/token"): token(request)
    case (hosts.api, true, "POST", Self.openID + "/userinfo"): userinfo(request)
    case (hosts.backend, true, "POST", "/ip/complete"): completeByBackend(request.json?["code"]?.string)
    case (hosts.backend, true, "GET", "/ip/callback"): completeByBackend(request.query["code"])
    default: nil
    }
  }

  /// An error as the token's host gives it (RFC 6749, 5.2).
  static func error(_ code: String, status: Int = 400) -> SimulatedResponse {
    .json(JSONValue.object(["error": .string(code), "error_description": .string("simulated")]).text, status: status)
  }
}

// MARK: Coverage

extension IPificationService {
  private func coverage(_ request: SimulatedRequest) -> SimulatedResponse {
    guard let client = request.query["client_id"].flatMap({ clients[$0] }) else {
      return .json(#"{"errorMessage":"invalid_client"}"#, status: 400)
    }
    switch client.failure {
    case .notCovered: return available(nil)
    case .coverageError: return .json(#"{"errorMessage":"simulated"}"#, status: 500)
    case .coveragePortal: return .redirect(to: "http://portal.example/login")
    default: break
    }
    let rest = request.path.dropFirst((Self.realm + "/coverage").count).drop { $0 == "/" }
    guard !rest.isEmpty else { return available(network(of: request.source, phone: request.query["phone"])) }
    // The stage's yes to everybody.
    if rest == "1.2.3.4" { return available("00101") }
    guard let address = IPAddress(rest.replacing("%3A", with: ":")) else {
      return .json(#"{"errorMessage":"invalid_ip"}"#, status: 400)
    }
    return available(network(of: address, phone: nil))
  }

  private func available(_ network: String?) -> SimulatedResponse {
    var members: [String: JSONValue] = ["available": .bool(network != nil)]
    members["operator_code"] = network.map { .string($0) }
    return .json(JSONValue.object(members).text)
  }

  /// The served network of an address, and of a number where one is given; nil for none.
  private func network(of address: IPAddress, phone: String?) -> String? {
    guard let own = environment.subscribers.subscriber(at: address)?.network.description, networks.contains(own) else {
      return nil
    }
    guard let phone else { return own }
    return environment.subscribers.subscriber(phone)?.network.description == own ? own : nil
  }
}
