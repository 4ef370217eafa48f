import AuthCore
import ModemModel
import RedirectChain
import Web
import AuthFlows

/// Gets an authorization code without a browser. The chain is followed over the bearer, hop by hop,
/// until it reaches the redirect URI. The operator recognises the SIM by the bearer, or asks a
/// person at the handset meanwhile.
struct MobileConnectAuthorizationMachine: FlowMachine {
  /// The state at its end.
  struct End: Hashable, Sendable {
    var code: Secret?
    /// The complete redirect URI with its parameters.
    var redirect: Secret?
    /// The page where a person must answer.
    var page: Secret?
  }

  static var usesBearer: Bool { true }

  private let call: BearerCall
  private let state: Secret
  private let correlationID: String?

  /// - Parameters:
  ///   - endpoint: of the operator.
  ///   - settings: the chain's limits in hops and time.
  ///   - kind: of the chain.
  init(
    _ authorization: MobileConnectAuthorization, at endpoint: WebURL, client: MobileConnectClient,
    redirect: MobileConnectRedirect, _ settings: MobileConnectSettings, kind: ChainKind? = nil
  ) {
    let url = endpoint.adding(authorization.query(client: client, redirect: redirect))
    // The machine compares the state, because it can recognise an error without one.
    var chain = ChainRequest(url: url, redirectURI: redirect.uri, policy: settings.chainPolicy)
    chain.kind = kind
    call = BearerCall("authorize", chain)
    state = authorization.ticket.state
    correlationID = authorization.correlationID
  }

  mutating func start(at now: Timestamp) -> FlowAction<End> { .open(call) }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<End> {
    guard case .opened(let reply) = event else { return .unexpected(event) }
    let answer = AuthorizationAnswer(
      reply, state: state, MobileConnectProblem.results, at: call.request.url
    ) { MobileConnectProblem.special($0["error"], $0["error_description"]) }
    switch answer {
    case .code(let code, let redirect):
      let others = RedirectURI.values(of: "correlation_id", in: redirect)
      guard let correlationID, !others.isEmpty, others != [correlationID] else {
        return .finish(
          FlowOutcome(.authorized, "the authorization code is there; it is used once, and soon too old"),
          End(code: code, redirect: Secret(redirect)))
      }
      return .finish(
        FlowOutcome(.stateMismatch, "the redirect URI carries another correlation id than was sent; begin anew"), End())
    case .failed(let outcome):
      let isPage = outcome.cause == .interactionRequired
      return .finish(outcome, End(page: isPage ? reply.visited.last : nil))
    }
  }
}
