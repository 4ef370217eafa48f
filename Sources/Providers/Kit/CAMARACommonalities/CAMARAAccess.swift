import AuthCore
import ModemModel
import RedirectChain
import Web
import AuthFlows

/// How to get an access token for one of CAMARA's APIs: the subscriber's, by an authorization over
/// the bearer or by an operator token, or the client's own. A part of the machines that need one.
package struct CAMARAAccess: Hashable, Sendable {
  /// What proves whoever gives the token.
  package enum Grant: Hashable, Sendable {
    /// The SIM's user, whom the operator knows by the bearer.
    case subscriber(AuthorizationTicket, loginHint: SubscriberNumber?)
    case client
    /// The SIM's user, whom the client names in an assertion (RFC 7523, 2.1), as by an operator
    /// token.
    case assertion(Secret)
    /// The SIM's user, whom a backchannel request names (CIBA), as by an operator token.
    case backchannel(BackchannelTicket)
  }

  /// What is to be done next.
  package enum Step: Sendable {
    case open(BearerCall)
    case send(BackendCall)
    case pause(step: String, Duration)
    case token(AccessToken)
    /// The backend has the code and gave this answer. TLS proved that it is the configured backend.
    case backend(BackendReply, host: String)
    case failed(FlowOutcome)
  }

  private enum State: Hashable, Sendable {
    case authorizing(AuthorizationTicket)
    case fetching(WebURL)
    case exchanging(nonce: Secret?, since: Timestamp)
    case requesting(BackchannelTicket)
    case polling(BackchannelPolling)
    case pausing(BackchannelPolling)
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
  ///   - scope: the token's scope, as the server requires it for this grant.
  ///   - proof: the client's proof, for this request only.
  package init(_ grant: Grant, scope: String, _ proof: ClientProof, at server: CAMARAServer) {
    request = Request(
      grant: grant, clientID: server.client.id, proof: proof,
      authorizationEndpoint: server.authorizationEndpoint, tokenEndpoint: server.tokenEndpoint,
      redirect: server.redirect, scope: scope, usesPKCE: server.usesPKCE, promptsNone: server.promptsNone,
      isOpenID: scope.split(separator: " ").contains("openid"), route: server.route,
      authorizationTime: server.authorizationTime)
  }

  /// Where the token will be requested, beside what is under way; nil if it will not, or not here.
  var destination: FlowForesight.Destination? {
    switch state {
    case .authorizing where request.redirect?.isFetched != true: .init(request.tokenEndpoint, request.route)
    case .requesting: .init(request.tokenEndpoint, request.route)
    case .authorizing, .fetching, .exchanging, .polling, .pausing, .over: nil
    }
  }

  /// Whether a token is on its way, with which the API will be called.
  var isUnderWay: Bool {
    switch state {
    case .authorizing, .fetching: request.redirect?.isFetched != true
    case .exchanging, .requesting, .polling, .pausing: true
    case .over: false
    }
  }

  package mutating func start(at now: Timestamp) -> Step {
    switch request.grant {
    case .client:
      state = .exchanging(nonce: nil, since: now)
      return .send(request.clientToken)
    case .assertion(let assertion):
      state = .exchanging(nonce: nil, since: now)
      return .send(request.exchange(assertion))
    case .backchannel(let ticket):
      state = .requesting(ticket)
      return .send(request.backchannel(ticket))
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
    case (.exchanging(let nonce, _), .answered(let reply)): return exchanged(reply, nonce, at: now)
    case (.requesting(let ticket), .answered(let reply)): return accepted(reply, ticket, at: now)
    case (.polling(let polling), .answered(let reply)): return polled(reply, polling, at: now)
    case (.polling(let polling), .unanswered(let failure)):
      // The request goes on at the server: a question that was lost does not end it.
      guard [.timeout, .connect, .closed].contains(failure.kind) else { return .failed(failure.outcome) }
      return wait(polling, at: now)
    case (.pausing(let polling), .resumed): return poll(polling)
    case (.exchanging, .unanswered(let failure)), (.requesting, .unanswered(let failure)):
      return .failed(failure.outcome)
    default: return .failed(.unexpected(event))
    }
  }

  private func exchanged(_ reply: BackendReply, _ nonce: Secret?, at now: Timestamp) -> Step {
    let answer = TokenAnswer(
      reply, clientID: request.clientID, nonce: nonce, CAMARAProblem.results, host: request.tokenEndpoint.host, at: now)
    return switch answer {
    case .token(let token): .token(token)
    case .failed(let outcome): .failed(outcome)
    }
  }

  private mutating func accepted(_ reply: BackendReply, _ ticket: BackchannelTicket, at now: Timestamp) -> Step {
    let host = ticket.endpoint.host
    guard reply.isSuccess, reply.json?["error"] == nil else {
      return .failed(CAMARAProblem.tokenOutcome(reply, host: host))
    }
    let polling = BackchannelPolling(reply, ticket.pollProofs, within: request.authorizationTime, at: now)
    guard let polling else {
      return .failed(
        FlowOutcome(.badAnswer, status: reply.status, "\(host) gives no auth_req_id; ask the operator"))
    }
    // Nobody has to answer at a handset, so that the token is often there already.
    return poll(polling)
  }

  private mutating func poll(_ polling: BackchannelPolling) -> Step {
    var polling = polling
    guard let proof = polling.next() else { return .failed(undecided) }
    state = .polling(polling)
    return .send(request.poll(polling.id, proof))
  }

  private mutating func polled(_ reply: BackendReply, _ polling: BackchannelPolling, at now: Timestamp) -> Step {
    var polling = polling
    switch reply.json?["error"]?.string {
    case "authorization_pending": return wait(polling, at: now)
    case "slow_down":
      polling.slowDown()
      return wait(polling, at: now)
    default: return exchanged(reply, nil, at: now)
    }
  }

  private mutating func wait(_ polling: BackchannelPolling, at now: Timestamp) -> Step {
    guard let time = polling.pause(at: now) else { return .failed(undecided) }
    state = .pausing(polling)
    return .pause(step: "waitForOperator", time)
  }

  private var undecided: FlowOutcome {
    FlowOutcome(
      .operatorTimeout,
      "\(request.tokenEndpoint.host) gave no token in time; try again, or allow more time by authorizationSeconds")
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
