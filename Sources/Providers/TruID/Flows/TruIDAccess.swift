import AuthCore
import JSONTree
import RedirectChain
import Web

/// Who makes checks, with the required credentials.
package enum TruIDAccess: Hashable, Sendable {
  case backend(TruIDBackend)
  case api(TruIDClient)

  var host: String {
    switch self {
    case .backend(let backend): backend.endpoint.host
    case .api(let client): client.api.host
    }
  }

  /// Where its calls go.
  var destination: FlowForesight.Destination {
    switch self {
    case .backend(let backend): .init(backend.endpoint.url, backend.route)
    case .api(let client): .init(client.api.url, client.route)
    }
  }

  var isBackend: Bool {
    if case .backend = self { true } else { false }
  }
}

/// tru.ID's API with a token for it.
package struct TruIDClient: Hashable, Sendable {
  let api: Endpoint
  let token: Secret
  let route: BackendRoute
  let callback: WebURL?

  package init(api: Endpoint, token: Secret, route: BackendRoute, callback: WebURL? = nil) {
    self.api = api
    self.token = token
    self.route = route
    self.callback = callback
  }

  func call(
    _ step: String, _ method: BackendCall.Method, _ url: WebURL, body: WebBody? = nil
  ) -> BackendCall {
    BackendCall(
      step, method, url, headers: [.bearer(token), .accept("application/hal+json, application/json")], body: body,
      route: route)
  }

  /// A URL from the API for one of its own resources; nil for a URL at another host, which would
  /// receive the token.
  func own(_ text: String?) -> WebURL? {
    text.flatMap { try? AnsweredURL($0, within: TrustedOrigins(api.url)) }?.url
  }
}

extension TruIDBackend {
  func call(
    _ step: String, _ method: BackendCall.Method, _ path: String, _ query: FormFields = FormFields(),
    body: JSONValue? = nil
  ) -> BackendCall {
    var headers: [WebHeader] = [.accept("application/json")]
    if let user, let password { headers.append(.basic(user, password)) }
    return BackendCall(
      step, method, endpoint.appending(path, query), headers: headers,
      body: body.map { .init(Array($0.text.utf8), contentType: "application/json; charset=utf-8") }, route: route)
  }
}
