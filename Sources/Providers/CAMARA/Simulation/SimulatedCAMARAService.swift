import JSONTree
import ModemModel
import OperatorSimulator
import Synchronization

/// A CAMARA operator: authorization by the bearer's address, tokens, Number Verification, SIM Swap,
/// and an application's backend that has the redirect URI.
///
/// | host | request | answer |
/// | --- | --- | --- |
/// | `auth` | `GET /authorize` | 302 to the enrichment host, in clear |
/// | `enrichment` | `GET /number` | learns the number from the source address; 302 back |
/// | `auth` | `GET /resume` | 302 to the redirect URI, with a code or an error |
/// | `auth` | `POST /bc-authorize` | a name to poll with, for an operator token (CIBA) |
/// | `auth` | `POST /token` | a token for a code, for an operator token, or for a client |
/// | `api` | `/number-verification/v0…v2/…`, `/sim-swap/v0…v2/…` | as CAMARA has them |
/// | `backend` | `GET /callback` | exchanges the code, asks, and answers with `verified` |
package final class SimulatedCAMARAService: SimulatedService {
  /// Names of the hosts, in lower case.
  package struct Hosts: Hashable, Sendable {
    package var auth: String
    package var enrichment: String
    package var api: String
    package var backend: String

    package init(auth: String, enrichment: String, api: String, backend: String) {
      self.auth = auth
      self.enrichment = enrichment
      self.api = api
      self.backend = backend
    }
  }

  /// An authorization request in progress, and the resulting code.
  struct Session: Sendable {
    var client: SimulatedCAMARAClient
    var redirectURI: String
    var state: String?
    var nonce: String?
    var scope: String
    var challenge: String?
    /// What header enrichment found.
    var number: String?
    var isMobile = false
    var began: Timestamp
  }

  struct Token: Sendable {
    var client: SimulatedCAMARAClient
    var scope: String
    /// Nil for a client's own.
    var session: Session?
    var end: Timestamp
  }

  struct State: Sendable {
    var sessions: [String: Session] = [:]
    var codes: [String: Session] = [:]
    var tokens: [String: Token] = [:]
    var backChannel: [String: BackChannelRequest] = [:]
    /// Ids of used assertions.
    var assertions: Set<String> = []
  }

  let hosts: Hosts
  let clients: [String: SimulatedCAMARAClient]
  /// The number that the backend has asked for, by its configuration.
  let backendNumber: String?
  let environment: ProviderEnvironment
  let state = Mutex(State())

  package init(
    hosts: Hosts, clients: [SimulatedCAMARAClient], backendNumber: String? = nil, _ environment: ProviderEnvironment
  ) {
    self.hosts = hosts
    self.clients = Dictionary(clients.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.backendNumber = backendNumber
    self.environment = environment
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    switch (request.host, request.method, request.path) {
    case (hosts.auth, "GET", "/authorize"): authorize(request)
    case (hosts.enrichment, "GET", "/number"): enrich(request)
    case (hosts.auth, "GET", "/resume"): resume(request)
    case (hosts.auth, "POST", "/token"): token(request)
    case (hosts.auth, "POST", "/bc-authorize"): authorizeByBackChannel(request)
    case (hosts.api, _, _): api(request)
    case (hosts.backend, "GET", "/callback"): callback(request)
    default: nil
    }
  }

  /// CAMARA's error model.
  static func refusal(
    _ refusal: SimulatedCAMARAClient.Refusal, correlator: String? = nil
  ) -> SimulatedResponse {
    var response = SimulatedResponse.json(
      JSONValue.object([
        "status": .int(refusal.status), "code": .string(refusal.code), "message": .string("as the scenario says"),
      ]).text, status: refusal.status)
    if let seconds = refusal.retryAfter { response.headers.append(.init(name: "Retry-After", value: "\(seconds)")) }
    if let correlator { response.headers.append(.init(name: "x-correlator", value: correlator)) }
    return response
  }

  func later(_ seconds: Int) -> Timestamp {
    Timestamp(milliseconds: environment.now().milliseconds + Int64(seconds) * 1000)
  }
}
