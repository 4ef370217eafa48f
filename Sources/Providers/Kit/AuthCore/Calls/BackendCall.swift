import JSONTree
import Web

/// The network for calls to a backend, from the provider's configuration.
public enum BackendRoute: String, Hashable, Sendable, CaseIterable {
  /// The machine's own network and resolver.
  case host
  /// The SIM's bearer, for machines without another network.
  case bearer
}

/// A request to an application's backend or to a provider's API whose origin proves nothing: one
/// request, one answer, no redirects, never sent twice. It cannot be used as a `BearerCall`.
public struct BackendCall: Hashable, Sendable {
  public typealias Method = WebRequest.Method

  public let request: WebRequest
  public let route: BackendRoute

  public init(
    _ step: String, _ method: Method = .get, _ url: WebURL, headers: [WebHeader] = [], body: WebBody? = nil,
    route: BackendRoute, time: Duration = .seconds(30)
  ) {
    request = WebRequest(step, method, url, headers: headers, body: body, time: time)
    self.route = route
  }

  /// The action, as in `createCheck`: the name of the step.
  public var step: String { request.purpose }
  public var method: Method { request.method }
  public var url: WebURL { request.url }
  public var headers: [WebHeader] { request.headers }
  public var body: WebBody? { request.body }
  /// For the whole exchange.
  public var time: Duration { request.time }
}

extension WebHeader {
  /// RFC 6750, 2.1.
  public static func bearer(_ token: Secret) -> Self { Self(name: "Authorization", value: "Bearer \(token.revealed)") }

  /// RFC 7617; user and password unchanged, in UTF-8.
  public static func basic(_ user: String, _ password: Secret) -> Self {
    Self(name: "Authorization", value: "Basic \(Base64.encode(Array("\(user):\(password.revealed)".utf8)))")
  }

  public static func accept(_ type: String) -> Self { Self(name: "Accept", value: type) }
}

extension WebBody {
  public static func json(_ value: JSONValue) -> Self {
    .json(value.text)
  }

  /// application/x-www-form-urlencoded.
  public static func form(_ fields: FormFields) -> Self {
    Self(Array(fields.encoded.utf8), contentType: "application/x-www-form-urlencoded")
  }
}
