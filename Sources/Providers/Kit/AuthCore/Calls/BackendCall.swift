import JSONTree
import Web

/// The network for calls to a backend, from the provider's configuration.
package enum BackendRoute: String, Hashable, Sendable, CaseIterable {
  /// The machine's own network and resolver.
  case host
  /// The SIM's bearer, for machines without another network.
  case bearer
}

/// A request to an application's backend or to a provider's API whose origin proves nothing: one
/// request, one answer, no redirects. Only an idempotent one is ever sent twice. It cannot be used
/// as a `BearerCall`.
package struct BackendCall: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
  package typealias Method = WebRequest.Method

  package let request: WebRequest
  package let route: BackendRoute
  /// The chain that follows its answer; nil if none does. While the call is under way, that chain's
  /// connections are made ready.
  package var leadsTo: ChainLead?

  package init(
    _ step: String, _ method: Method = .get, _ url: WebURL, headers: [WebHeader] = [], body: WebBody? = nil,
    route: BackendRoute, time: Duration = .seconds(30)
  ) {
    request = WebRequest(step, method, url, headers: headers, body: body, time: time)
    self.route = route
  }

  package var description: String { request.description }
  package var debugDescription: String { description }

  /// The action, as in `createCheck`: the name of the step.
  package var step: String { request.purpose }
  package var method: Method { request.method }
  package var url: WebURL { request.url }
  package var headers: [WebHeader] { request.headers }
  package var body: WebBody? { request.body }
  /// For the whole exchange.
  package var time: Duration { request.time }
}

extension WebHeader {
  /// RFC 6750, 2.1.
  package static func bearer(_ token: Secret) -> Self { Self(name: "Authorization", value: "Bearer \(token.revealed)") }

  /// RFC 7617; user and password unchanged, in UTF-8.
  package static func basic(_ user: String, _ password: Secret) -> Self {
    Self(name: "Authorization", value: "Basic \(Base64.encode(Array("\(user):\(password.revealed)".utf8)))")
  }

  package static func accept(_ type: String) -> Self { Self(name: "Accept", value: type) }
}

extension WebBody {
  package static func json(_ value: JSONValue) -> Self {
    .json(value.text)
  }

  /// application/x-www-form-urlencoded.
  package static func form(_ fields: FormFields) -> Self {
    Self(Array(fields.encoded.utf8), contentType: "application/x-www-form-urlencoded")
  }
}
