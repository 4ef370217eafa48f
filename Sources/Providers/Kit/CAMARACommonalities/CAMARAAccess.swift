import AuthCore
import ModemModel
import RedirectChain
import Web
import AuthFlows

/// The way to an access token for one of CAMARA's APIs: of the subscriber, by an authorization over the bearer, or of the client itself. A part of
/// the machines that need one.
package struct CAMARAAccess: Hashable, Sendable {
  /// What proves whoever gives the token.
  package enum Grant: Hashable, Sendable {
    /// The SIM's user, whom the operator knows by the bearer.
    case subscriber(AuthorizationTicket, loginHint: SubscriberNumber?)
    case client
  }

  /// What is to be done next.
  package enum Step: Sendable {
    case open(BearerCall)
    case send(BackendCall)
    case token(AccessToken)
    /// The backend has the code and gave this answer. TLS proved that it is the configured backend.
    case backend(BackendReply, host: String)
    case failed(FlowOutcome)
  }

  private enum State: Hashable, Sendable {
    case authorizing(AuthorizationTicket)
    case fetching(WebURL)
    case exchanging(nonce: Secret?, since: Timestamp)
    case over
  }

  private let request: Request
  private var state = State.over

  /// What the calls are made of.
  struct Request: Hashable, Sendable {
    let grant: Grant
    let clientID: String
    let proof: ClientProof
    let authorizationEndpoint: WebURL?
    let tokenEndpoint: WebURL
    let redirect: CAMARAServer.Redirect?
    let scope: String
    let usesPKCE: Bool
    let promptsNone: Bool
    let isOpenID: Bool
    let route: BackendRoute
    let authorizationTime: Duration
  }

  /// - Parameters:
  ///   - scope: of the token, as the server wants it for this grant.
  ///   - proof: of the client, for this request alone.
  package init(_ grant: Grant, scope: String, _ proof: ClientProof, at server: CAMARAServer) {
    request = Request(
      grant: grant, clientID: server.client.id, proof: proof,
      authorizationEndpoint: server.authorizationEndpoint, tokenEndpoint: server.tokenEndpoint,
      redirect: server.redirect, scope: scope, usesPKCE: server.usesPKCE, promptsNone: server.promptsNone,
      isOpenID: scope.split(separator: " ").contains("openid"), route: server.route,
      authorizationTime: server.authorizationTime)
  }

  package mutating func start(at now: Timestamp) -> Step {
    switch request.grant {
    case .client:
      state = .exchanging(nonce: nil, since: now)
      return .send(request.clientToken)
    case .subscriber(let ticket, let hint):
      guard let call = request.authorization(ticket, hint) else {
        return .failed(
          FlowOutcome(
            .notConfigured,
            "the provider has no authorization endpoint or no redirect URI; add authorizationEndpoint and redirectURI"))
      }
      state = .authorizing(ticket)
      return .open(call)
    }
  }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> Step {
    let last = state
    state = .over
    switch (last, event) {
    case (.authorizing(let ticket), .opened(let reply)): return authorized(reply, ticket, at: now)
    case (.fetching(let url), .opened(let reply)): return Self.fetched(reply, url)
    case (.exchanging(let nonce, _), .answered(let reply)):
      let answer = TokenAnswer(
        reply, clientID: request.clientID, nonce: nonce, CAMARAProblem.results, host: request.tokenEndpoint.host,
        at: now)
      switch answer {
      case .token(let token): return .token(token)
      case .failed(let outcome): return .failed(outcome)
      }
    case (.exchanging, .unanswered(let failure)): return .failed(failure.outcome)
    default: return .failed(.unexpected(event))
    }
  }

  private mutating func authorized(_ reply: BearerReply, _ ticket: AuthorizationTicket, at now: Timestamp) -> Step {
    let endpoint = request.authorizationEndpoint ?? request.tokenEndpoint
    let host = endpoint.host
    switch AuthorizationAnswer(reply, state: ticket.state, CAMARAProblem.results, at: endpoint) {
    case .failed(let outcome): return .failed(outcome)
    case .code(let code, let redirect):
      if case .fetched(let url) = request.redirect {
        guard let target = try? WebURL(redirect) else {
          return .failed(FlowOutcome(.badAnswer, "\(host) redirected to what is no URL; ask the operator"))
        }
        state = .fetching(url)
        return .open(request.fetch(target))
      }
      state = .exchanging(nonce: request.isOpenID ? ticket.nonce : nil, since: now)
      return .send(request.exchange(code, ticket))
    }
  }

  /// - Parameter url: the configured redirect URI. Its redirects are followed over any hops, but
  ///   only its own answer counts.
  private static func fetched(_ reply: BearerReply, _ url: WebURL) -> Step {
    let backend = TrustedOrigins(url)
    switch reply.result {
    case .answer(let answer):
      guard let told = answer.verified(from: backend) else {
        return .failed(
          FlowOutcome(
            .badAnswer, status: answer.status,
            "the chain ended elsewhere than at \(url.host), whose answer is awaited; take it for forged and begin anew")
        )
      }
      return .backend(told, host: url.host)
    case .failed(let failure):
      // The backend's own refusal is its answer.
      guard let told = failure.answer?.verified(from: backend) else { return .failed(FlowOutcome(failure)) }
      return .backend(told, host: url.host)
    case .redirectReached: return .failed(FlowOutcome(.badAnswer, "\(url.host) redirects where an answer is awaited"))
    }
  }
}
