import AuthCore
import AuthFlows
import ModemModel
import RedirectChain
import Web

/// An operator's authorization server, or that of a front end to several operators, and a client's
/// registration there.
package struct CAMARAServer: Sendable {
  /// Whose the redirect URI is.
  package enum Redirect: Hashable, Sendable {
    /// This machine's: the chain stops before it, and the code is exchanged here.
    case intercepted(RedirectURI, text: String)
    /// The backend's: it is fetched over the bearer, and the backend does the rest and answers.
    case fetched(WebURL)
  }

  /// The APIs are below this.
  package var root: Endpoint
  /// Nil for a client that asks by number alone.
  package var authorizationEndpoint: WebURL?
  package var tokenEndpoint: WebURL
  package var client: OpenIDClient
  package var tools: OpenIDTools
  package var redirect: Redirect?
  /// A term of the Data Privacy Vocabulary.
  package var purpose = "FraudPreventionAndDetection"
  /// Whether the code is tied to the request by a verifier (RFC 7636). Not where the backend
  /// exchanges it, which has none.
  package var usesPKCE = true
  /// Whether the server is told to show no page.
  package var promptsNone = true
  /// Of the token endpoint and the APIs.
  package var route = BackendRoute.host
  /// For the chain of the authorization request, or for the questions for a backchannel's token.
  package var authorizationTime = Duration.seconds(60)
  /// Seconds for which an assertion of the client is valid, 1 to 300.
  package var assertionTime = 240

  package init(
    root: Endpoint, authorizationEndpoint: WebURL?, tokenEndpoint: WebURL, client: OpenIDClient, _ tools: OpenIDTools
  ) {
    self.root = root
    self.authorizationEndpoint = authorizationEndpoint
    self.tokenEndpoint = tokenEndpoint
    self.client = client
    self.tools = tools
  }

  /// Every URL that is called.
  package var configuredURLs: [WebURL] {
    var urls = [root.url, authorizationEndpoint, tokenEndpoint].compactMap(\.self)
    if case .fetched(let url)? = redirect { urls.append(url) }
    return urls
  }

  /// What proves the client in one request.
  ///
  /// - Throws: `AuthError` where the client's key cannot sign.
  package func proof(at now: Timestamp) async throws(AuthError) -> ClientProof {
    try await client.proof(for: tokenEndpoint, lifetime: assertionTime, tools, at: now)
  }

  /// A word by which the operator finds the calls that belong to one flow.
  package func correlator() -> String { Base64.encodeURL(tools.random(16)) }
}

extension CAMARAServer.Redirect {
  /// Whether it is the backend's.
  package var isFetched: Bool { if case .fetched = self { true } else { false } }

  /// As it is registered.
  var text: String {
    switch self {
    case .intercepted(_, let text): text
    case .fetched(let url): url.text
    }
  }

  var uri: RedirectURI {
    switch self {
    case .intercepted(let uri, _): uri
    case .fetched(let url): RedirectURI(url)
    }
  }
}
