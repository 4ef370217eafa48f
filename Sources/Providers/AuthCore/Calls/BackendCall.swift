import JSONTree
import RedirectChain

/// Which way calls to a backend take, by the provider's configuration.
public enum BackendRoute: String, Hashable, Sendable, CaseIterable {
  /// The machine's own network and resolver.
  case host
  /// The SIM's bearer, for machines without another network.
  case bearer
}

/// A request to an application's backend or to a provider's API that proves nothing by where it comes from: one request, one answer,
/// no redirects, never sent twice. A `BearerCall` cannot stand in its place.
public struct BackendCall: Hashable, Sendable {
  public enum Method: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case patch = "PATCH"
    case put = "PUT"
    case delete = "DELETE"
  }

  /// What is done, as in `createCheck`: the name of the step.
  public let step: String
  public let method: Method
  public let url: WebURL
  public let headers: [ChainRequest.Header]
  public let body: ChainRequest.Body?
  public let route: BackendRoute
  /// For the whole exchange.
  public let time: Duration

  public init(
    _ step: String, _ method: Method = .get, _ url: WebURL, headers: [ChainRequest.Header] = [],
    body: ChainRequest.Body? = nil, route: BackendRoute, time: Duration = .seconds(30)
  ) {
    self.step = step
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.route = route
    self.time = time
  }
}

extension ChainRequest.Header {
  /// RFC 6750, 2.1.
  public static func bearer(_ token: Secret) -> Self { Self(name: "Authorization", value: "Bearer \(token.revealed)") }

  /// RFC 7617; user and password as they are, in UTF-8.
  public static func basic(_ user: String, _ password: Secret) -> Self {
    Self(name: "Authorization", value: "Basic \(Base64.encode(Array("\(user):\(password.revealed)".utf8)))")
  }

  public static func accept(_ type: String) -> Self { Self(name: "Accept", value: type) }
}

extension ChainRequest.Body {
  public static func json(_ value: JSONValue) -> Self {
    .json(value.text)
  }

  /// application/x-www-form-urlencoded.
  public static func form(_ fields: FormFields) -> Self {
    Self(Array(fields.encoded.utf8), contentType: "application/x-www-form-urlencoded")
  }
}
