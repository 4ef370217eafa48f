import JSONTree
import ModemModel
import OperatorSimulator
import Synchronization

/// An operator with CAMARA's Number Recycling, for clients that ask with tokens of their own.
///
/// | host | request | answer |
/// | --- | --- | --- |
/// | `auth` | `POST /token` | a token for the client, good once |
/// | `api` | `POST /number-recycling/v0.1…v0.3/check` | `phoneNumChanged`, by the day of each number's contract |
package final class NumberRecyclingService: SimulatedService {
  /// Names of the hosts, in lower case.
  package struct Hosts: Hashable, Sendable {
    package var auth: String
    package var api: String
  }

  /// The client that is registered.
  package struct Client: Hashable, Sendable {
    package var id: String
    package var secret: String
  }

  private static let scope = "number-recycling:check"
  private static let tokenSeconds = 300

  private let hosts: Hosts
  private let client: Client
  /// The day on which each number's subscriber signed the contract.
  private let subscribedOn: [String: String]
  private let environment: ProviderEnvironment
  /// The tokens that were given and not used, with their ends.
  private let tokens = Mutex<[String: Timestamp]>([:])

  package init(hosts: Hosts, _ client: Client, subscribedOn: [String: String], _ environment: ProviderEnvironment) {
    self.hosts = hosts
    self.client = client
    self.subscribedOn = subscribedOn
    self.environment = environment
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    switch (request.host, request.method, request.path) {
    case (hosts.auth, "POST", "/token"): token(request)
    case (hosts.api, "POST", _): check(request)
    default: nil
    }
  }

  private func token(_ request: SimulatedRequest) -> SimulatedResponse {
    let proof = request.basicCredentials
    guard proof?.name == client.id, proof?.secret == client.secret else {
      return .json(#"{"error":"invalid_client"}"#, status: 401)
    }
    guard request.form?["grant_type"] == "client_credentials" else {
      return .json(#"{"error":"unsupported_grant_type"}"#, status: 400)
    }
    guard request.form?["scope"] == Self.scope else { return .json(#"{"error":"invalid_scope"}"#, status: 400) }
    let text = environment.makeToken("access token")
    let end = Timestamp(milliseconds: environment.now().milliseconds + Int64(Self.tokenSeconds) * 1000)
    tokens.withLock { $0[text] = end }
    return .json(
      JSONValue.object([
        "access_token": .string(text), "token_type": .string("Bearer"), "expires_in": .int(Self.tokenSeconds),
      ]).text)
  }

  private func check(_ request: SimulatedRequest) -> SimulatedResponse {
    let parts = request.pathParts
    guard parts.count == 3, parts[0] == "number-recycling", ["v0.1", "v0.2", "v0.3"].contains(parts[1]),
      parts[2] == "check"
    else { return Self.refusal(404, "NOT_FOUND") }
    guard let token = request.bearerToken, let end = tokens.withLock({ $0.removeValue(forKey: token) }),
      environment.now() < end
    else { return Self.refusal(401, "UNAUTHENTICATED") }
    guard let number = request.json?["phoneNumber"]?.string else { return Self.refusal(422, "MISSING_IDENTIFIER") }
    guard let since = request.json?["specifiedDate"]?.string, since.utf8.count == 10 else {
      return Self.refusal(400, "INVALID_ARGUMENT")
    }
    guard environment.subscribers.subscriber(number) != nil else { return Self.refusal(404, "IDENTIFIER_NOT_FOUND") }
    guard let day = subscribedOn[number] else { return Self.refusal(422, "SERVICE_NOT_APPLICABLE") }
    // Days in this form are in the order of their letters. On the day of the contract the
    // subscriber is the same.
    var response = SimulatedResponse.json(JSONValue.object(["phoneNumChanged": .bool(since < day)]).text)
    if let correlator = request.headers["x-correlator"] {
      response.headers.append(.init(name: "x-correlator", value: correlator))
    }
    return response
  }

  /// CAMARA's error model.
  private static func refusal(_ status: Int, _ code: String) -> SimulatedResponse {
    .json(
      JSONValue.object([
        "status": .int(status), "code": .string(code), "message": .string("as the scenario says"),
      ]).text, status: status)
  }
}
