import OperatorSimulator

/// A simulated Mobile Connect: an exchange that finds the operator, an operator that knows its
/// customers, and an app's own server.
///
/// | host | request | answer |
/// | --- | --- | --- |
/// | exchange | `GET`, `POST /v2/discovery`, `/gsma/v2/discovery` | the operator's links and the client's credentials there, or a page |
/// | exchange | `GET /select`, `/select/done` | the page of operators, and what its button does |
/// | operator | `GET /.well-known/openid-configuration`, `/jwks` | metadata and keys |
/// | operator | `GET /authorize` | to the enrichment host, where the chain goes on |
/// | enrichment | `GET /identify`, in clear | learns the number from the source address; 302 back |
/// | operator | `GET /authorize/resume`, `POST /authorize/answer` | to the redirect URI; a page where a person is asked |
/// | operator | `POST /token`, `/refresh`, `/revoke` | tokens for a code, a refresh token or a poll |
/// | operator | `GET /userinfo`, `/premiuminfo` | attributes |
/// | operator | `POST /si-authorize` | server-initiated requests |
/// | app | `GET /mobile-connect/server_side_api/…` | what a Mobile Connect button asks |
package final class MobileConnectService: SimulatedService {
  private let hosts: MobileConnectSimulationSettings.Hosts
  private let exchange: DiscoveryExchange
  private let selection: OperatorSelection
  private let metadata: OperatorMetadata
  private let authorization: AuthorizationChain
  private let tokens: OperatorTokens
  private let attributes: OperatorAttributes
  private let serverInitiated: ServerInitiated
  private let app: AppServer?

  /// Makes the service, with keys of its own.
  ///
  /// - Parameters:
  ///   - settings: what the scenario says.
  ///   - environment: the world.
  package init(_ settings: MobileConnectSimulationSettings, _ environment: ProviderEnvironment) {
    // Only a machine without randomness makes no keys.
    // swift-format-ignore: NeverUseForceTry
    let environment = MobileConnectEnvironment(
      settings: settings, provider: environment, keys: try! MobileConnectKeys())
    hosts = settings.hosts
    exchange = DiscoveryExchange(environment: environment)
    selection = OperatorSelection(environment: environment)
    metadata = OperatorMetadata(environment: environment)
    authorization = AuthorizationChain(environment: environment)
    tokens = OperatorTokens(environment: environment)
    attributes = OperatorAttributes(environment: environment)
    serverInitiated = ServerInitiated(environment: environment)
    app = settings.appServer.flatMap { server in
      settings.application(server.application).map { AppServer(server, of: $0, environment: environment) }
    }
  }

  package func answer(_ request: SimulatedRequest) async -> SimulatedResponse? {
    switch (request.host, request.isSecure) {
    case (hosts.exchange, true): exchange(request)
    case (hosts.operator, true): provider(request)
    case (hosts.enrichment, false): authorization.identify(request)
    case (hosts.app, true): app?.answer(request) { self.ask($0) }
    default: nil
    }
  }

  /// Answers a request of the app's server, which is an ordinary client of the other hosts.
  private func ask(_ request: SimulatedRequest) -> SimulatedResponse? {
    request.host == hosts.exchange ? exchange(request) : provider(request)
  }

  private func exchange(_ request: SimulatedRequest) -> SimulatedResponse? {
    switch (request.method, request.path) {
    case ("GET", "/gsma/v2/discovery"), ("GET", "/v2/discovery"), ("POST", "/gsma/v2/discovery"),
      ("POST", "/v2/discovery"):
      exchange.discover(request)
    case ("GET", "/select"): selection.page(request)
    case ("GET", "/select/done"): selection.press(request)
    default: nil
    }
  }

  private func provider(_ request: SimulatedRequest) -> SimulatedResponse? {
    switch (request.method, request.path) {
    case ("GET", "/.well-known/openid-configuration"): metadata.configuration(request)
    case ("GET", "/jwks"): metadata.keySet()
    case ("GET", "/authorize"): authorization.begin(request)
    case ("GET", "/authorize/resume"): authorization.resume(request)
    case ("POST", "/authorize/answer"): authorization.agree(request)
    case ("POST", "/token"): tokens.token(request)
    case ("POST", "/refresh"): tokens.refresh(request)
    case ("POST", "/revoke"): tokens.revoke(request)
    case ("GET", "/userinfo"): attributes.userinfo(request)
    case ("GET", "/premiuminfo"): attributes.premiuminfo(request)
    case ("POST", "/si-authorize"): serverInitiated.begin(request)
    default: nil
    }
  }
}
