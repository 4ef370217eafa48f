import AuthCore
import ModemModel
import RedirectChain
import Web

/// IPification's protocol: coverage, an authorization request over the bearer, and the exchange of
/// its code.
///
/// If a number is not covered, coverage is asked again without it. This distinguishes an
/// unsupported network from another operator's number.
package struct IPificationMachine: FlowMachine {
  package typealias Answer = IPificationAnswer

  private enum State: Equatable {
    case ready
    case coverage(Coverage, isRetry: Bool)
    case authorization(isRetry: Bool)
    case pausing(before: Pausable)
    case token
    case userinfo(idToken: IPificationClaims?)
    case backend
    case finished
  }

  private enum Coverage: Equatable {
    case first
    /// Without the number, because the first answer was no.
    case withoutNumber
  }

  private enum Pausable: Equatable {
    case coverage(Coverage)
    case authorization
  }

  /// The pause before a request is repeated that cannot have been received.
  static let retryPause = Duration.seconds(1)

  private let task: IPificationQuestion.Task
  private let arguments: IPificationArguments
  private var state = State.ready
  private var answer = IPificationAnswer()

  /// - Parameters:
  ///   - subscriber: its home network is sent with the requests, unless the settings prevent it.
  ///   - random: returns the requested number of random bytes, from which state and nonce are made.
  /// - Throws: `AuthError` for an argument or a setting that cannot work.
  package init(
    _ settings: IPificationSettings, _ question: IPificationQuestion, subscriber: Subscriber, random: (Int) -> [UInt8]
  ) throws(AuthError) {
    task = question.task
    arguments = try IPificationArguments(settings, question, subscriber, random: random)
  }

  private var settings: IPificationSettings { arguments.settings }
  private var host: String { settings.host.host }
  private var tokenHost: String { settings.tokenHost.host }

  /// While coverage is asked, the chain is made ready; while the operator answers over the bearer,
  /// the connection for the code's exchange is opened.
  package var foreseen: FlowForesight {
    switch state {
    case .coverage where task == .verify: FlowForesight(chain: settings.lead)
    case .authorization where task == .verify:
      FlowForesight(destinations: [settings.exchanger].compactMap(\.self))
    default: .nothing
    }
  }

  package mutating func start(at now: Timestamp) -> FlowAction<IPificationAnswer> {
    switch task {
    case .coverage: return askCoverage(.first)
    case .verify where settings.checksCoverage: return askCoverage(.first)
    case .authorize, .verify: return authorize(at: now)
    }
  }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<IPificationAnswer> {
    switch (state, event) {
    case (.coverage(let which, let isRetry), .opened(let reply)):
      if !isRetry, reply.canBeRepeated { return pause(before: .coverage(which)) }
      return receive(CoverageReply(reply, of: TrustedOrigins(settings.host.url), host), which, at: now)
    case (.authorization(let isRetry), .opened(let reply)):
      if !isRetry, reply.canBeRepeated { return pause(before: .authorization) }
      return receive(AuthorizationReply(reply, state: arguments.state, of: settings.provider, host))
    case (.pausing(.coverage(let which)), .resumed): return askCoverage(which, isRetry: true)
    case (.pausing(.authorization), .resumed): return authorize(at: now, isRetry: true)
    case (.token, .answered(let reply)): return receiveToken(reply, at: now)
    case (.userinfo(let idToken), .answered(let reply)): return receiveClaims(reply, besides: idToken)
    case (.backend, .answered(let reply)): return receiveFromBackend(reply)
    case (_, .unanswered(let failure)): return finish(failure.outcome)
    default: return .unexpected(event)
    }
  }

  private mutating func finish(_ outcome: FlowOutcome) -> FlowAction<IPificationAnswer> {
    state = .finished
    // Parts of an invalid answer are not passed on.
    if !outcome.result.isAnswer { (answer.idToken, answer.serverAnswer) = (nil, nil) }
    return .finish(outcome, answer)
  }

  private mutating func pause(before call: Pausable) -> FlowAction<IPificationAnswer> {
    state = .pausing(before: call)
    return .pause(step: "waitBeforeRetry", Self.retryPause)
  }
}

// MARK: Over the bearer

extension IPificationMachine {
  private mutating func askCoverage(_ which: Coverage, isRetry: Bool = false) -> FlowAction<IPificationAnswer> {
    state = .coverage(which, isRetry: isRetry)
    return .open(arguments.coverageCall(withNumber: which == .first && arguments.number != nil, isRetry: isRetry))
  }

  private mutating func authorize(at now: Timestamp, isRetry: Bool = false) -> FlowAction<IPificationAnswer> {
    state = .authorization(isRetry: isRetry)
    return .open(arguments.authorizationCall(at: now, isRetry: isRetry))
  }

  private mutating func receive(
    _ reply: CoverageReply, _ which: Coverage, at now: Timestamp
  ) -> FlowAction<IPificationAnswer> {
    switch reply {
    case .failed(let outcome): return finish(outcome)
    case .available(let code):
      answer.operatorCode = code
      guard which == .first else {
        return finish(
          FlowOutcome(
            .operatorMismatch,
            "the provider serves this SIM's network, but the number belongs to another operator; check number and SIM"
          ))
      }
      guard task == .verify else {
        return finish(CoverageReply.covered)
      }
      return authorize(at: now)
    case .unavailable(let code):
      answer.operatorCode = code
      guard arguments.number == nil || which == .withoutNumber else { return askCoverage(.withoutNumber) }
      return finish(CoverageReply.notCovered)
    }
  }

  private mutating func receive(_ reply: AuthorizationReply) -> FlowAction<IPificationAnswer> {
    switch reply {
    case .failed(let outcome): return finish(outcome)
    case .messages(let fallback):
      answer.messageFallback = fallback
      return finish(
        FlowOutcome(
          .messageAppRequired,
          "the provider wants to go on in an application for messages; verify another way, or leave the channels out"))
    case .code(let code, let redirect): return complete(code, redirect)
    }
  }
}

// MARK: With a code

extension IPificationMachine {
  private mutating func complete(_ code: Secret, _ redirect: String) -> FlowAction<IPificationAnswer> {
    answer.state = arguments.state
    answer.nonce = arguments.nonce
    guard task == .verify else {
      answer.code = code
      answer.redirect = Secret(redirect)
      return finish(FlowOutcome(.authorized, "the authorization code is there; let your backend exchange it at once"))
    }
    switch settings.completion {
    case .secret(let secret):
      state = .token
      return .send(arguments.tokenCall(code, secret: secret))
    case .backend(let url):
      state = .backend
      return .send(arguments.backendCall(code, to: url))
    case .redirectURI:
      guard let url = try? WebURL(redirect) else {
        return finish(FlowOutcome(.badAnswer, "the redirect URI came in a form that cannot be fetched"))
      }
      state = .backend
      return .send(arguments.redirectCall(url))
    case .none:
      return finish(
        FlowOutcome(.notConfigured, "the provider's file does not say who exchanges the code; add completion to it"))
    }
  }

  private mutating func receiveToken(_ reply: BackendReply, at now: Timestamp) -> FlowAction<IPificationAnswer> {
    guard reply.isSuccess, let json = reply.json else { return refuse(reply, tokenHost) }
    let idToken = json["id_token"]?.string
    let claims = idToken.flatMap { IPificationClaims(idToken: $0) }
    answer.idToken = idToken.map { Secret($0) }
    if let problem = claims?.problem(clientID: settings.clientID, nonce: arguments.nonce, at: now) {
      return finish(problem)
    }
    if settings.claimsSource == .idToken, let claims { return conclude(claims, reply.status) }
    guard let token = json["access_token"]?.string else { return refuse(reply, tokenHost) }
    state = .userinfo(idToken: claims)
    return .send(arguments.userinfoCall(Secret(token)))
  }

  private mutating func receiveClaims(
    _ reply: BackendReply, besides idToken: IPificationClaims?
  ) -> FlowAction<IPificationAnswer> {
    guard reply.isSuccess, let json = reply.json, case .object = json, json["error"] == nil else {
      return refuse(reply, tokenHost)
    }
    let claims = IPificationClaims(json)
    // OpenID Connect Core, 5.3.2.
    if let subject = idToken?.subject, let other = claims.subject, subject != other {
      return finish(
        FlowOutcome(
          .stateMismatch, status: reply.status, "token and user information are about two subjects; begin anew"))
    }
    return conclude(claims, reply.status)
  }

  private mutating func receiveFromBackend(_ reply: BackendReply) -> FlowAction<IPificationAnswer> {
    let name = settings.backendHost
    guard let json = reply.json, case .object = json else { return refuse(reply, name) }
    let claims = IPificationClaims(json)
    // A no may come with any status, a yes only with success.
    if claims.isVerified == nil || !reply.isSuccess && claims.isVerified != false {
      if !reply.isSuccess || IPificationRefusal(body: reply.body) != nil { return refuse(reply, name) }
    }
    answer.serverAnswer = json
    return conclude(claims, reply.status, repeatsNumber: false)
  }

  private mutating func conclude(
    _ claims: IPificationClaims, _ status: Int, repeatsNumber: Bool = true
  ) -> FlowAction<IPificationAnswer> {
    let outcome = claims.outcome(
      asked: arguments.expectedNumber, scope: arguments.expectedScope, earlierMobileID: arguments.earlierMobileID,
      repeatsNumber: repeatsNumber, status: status)
    if outcome.result.isAnswer {
      answer.subject = claims.subject.map { Secret($0) }
      answer.number = claims.number
      answer.mobileID = claims.mobileID
    }
    return finish(outcome)
  }

  private mutating func refuse(_ reply: BackendReply, _ host: String) -> FlowAction<IPificationAnswer> {
    finish(IPificationRefusal.outcome(reply.status, body: reply.body, host, retryAfter: reply.retryAfter))
  }
}

extension IPificationSettings {
  /// The provider's hosts in a chain, and those under their registered names.
  fileprivate var provider: TrustedOrigins {
    TrustedOrigins([host.url, tokenHost.url]).withSites(of: [host.url, tokenHost.url])
  }

  /// Who exchanges the code; nil if nobody does.
  fileprivate var exchanger: FlowForesight.Destination? {
    switch completion {
    case .secret: .init(tokenHost.url, backendRoute)
    case .backend(let url): .init(url, backendRoute)
    case .redirectURI: (try? WebURL(redirectURI)).map { .init($0, backendRoute) }
    case .none: nil
    }
  }

  /// The application's backend, for messages.
  fileprivate var backendHost: String {
    switch completion {
    case .backend(let url): url.host
    case .redirectURI: (try? WebURL(redirectURI))?.host ?? "the backend"
    case .none, .secret: "the backend"
    }
  }
}

extension BearerReply {
  /// Whether the chain's first request reached nobody, and may succeed next time.
  fileprivate var canBeRepeated: Bool {
    guard case .failed(let failure) = result, failure.isUnsent, failure.hop == 1 else { return false }
    return [.dnsFailed, .connectFailed, .timeout].contains(failure.cause)
  }
}
