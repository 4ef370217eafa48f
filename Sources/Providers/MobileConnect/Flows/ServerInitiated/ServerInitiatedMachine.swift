import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Web
import AuthFlows

/// The server-initiated mode: the request goes to the operator without redirects, the operator asks
/// at the handset, and is polled for the answer (GSMA Mobile Connect, server-initiated profile;
/// OpenID Connect CIBA, 7 to 11).
struct ServerInitiatedMachine: FlowMachine {
  /// The state at its end.
  struct End: Hashable, Sendable {
    var tokens: MobileConnectTokens?
    /// The operator's id of the request.
    var requestID: Secret?
  }

  static var usesBearer: Bool { false }

  private enum State: Hashable, Sendable {
    case asking
    case waiting(Polling)
    case polling(Polling)
    case over
  }

  /// A request in progress at the operator.
  private struct Polling: Hashable, Sendable {
    let id: Secret
    let end: Timestamp
    var interval: Duration
  }

  private let call: BackendCall
  private let polling: WebURL
  private let client: MobileConnectClient
  private let settings: (grantType: String, patience: Duration, interval: Duration)
  private let route: BackendRoute
  private let correlationID: String?
  private var state = State.asking

  /// The request's content, already signed.
  struct Request: Hashable, Sendable {
    let scope: [String]
    /// A request object (OpenID Connect Core, 6.1).
    let object: Secret
    let correlationID: String?
  }

  init(
    _ request: Request, at endpoint: WebURL, polling: WebURL, client: MobileConnectClient,
    _ settings: MobileConnectServerInitiated, route: BackendRoute
  ) {
    let fields = FormFields([
      "response_type": Self.responseType, "client_id": client.id, "scope": request.scope.joined(separator: " "),
      "request": request.object.revealed, "correlation_id": request.correlationID,
    ])
    // The signed request authenticates the client.
    call = BackendCall(
      "askOperator", .post, endpoint, headers: [.accept("application/json")], body: .form(fields), route: route)
    self.polling = polling
    self.client = client
    self.settings = (settings.grantType, settings.patience, settings.interval)
    self.route = route
    correlationID = request.correlationID
  }

  static let responseType = "mc_si_async_code"

  mutating func start(at now: Timestamp) -> FlowAction<End> { .send(call) }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<End> {
    switch (state, event) {
    case (.asking, .answered(let reply)): return accepted(reply, at: now)
    case (.waiting(let polling), .resumed): return poll(polling, at: now)
    case (.polling(let polling), .answered(let reply)): return polled(reply, polling, at: now)
    // The request continues at the operator: one lost question does not end it.
    case (.polling(let polling), .unanswered(let failure)):
      guard [.timeout, .connect, .closed].contains(failure.kind) else { return finish(failure.outcome) }
      return wait(polling, at: now)
    case (_, .unanswered(let failure)): return finish(failure.outcome)
    default: return .unexpected(event)
    }
  }

  private mutating func accepted(_ reply: BackendReply, at now: Timestamp) -> FlowAction<End> {
    let json = reply.json
    guard reply.isSuccess, json?["error"] == nil else {
      return finish(MobileConnectProblem.outcome(reply, host: call.url.host))
    }
    if let correlationID, let other = json?["correlation_id"]?.string, other != correlationID {
      return finish(FlowOutcome(.stateMismatch, "\(call.url.host) answered another request; begin anew"))
    }
    guard let id = json?["auth_req_id"]?.string else {
      return finish(
        FlowOutcome(.badAnswer, status: reply.status, "\(call.url.host) gives no auth_req_id; ask the operator"))
    }
    let seconds = { (name: String, range: ClosedRange<Int>) in
      json?[name]?.seconds.map { Duration.seconds($0.clamped(to: range)) }
    }
    let patience = seconds("expires_in", 1...600) ?? settings.patience
    return wait(
      Polling(
        id: Secret(id), end: now.later(by: patience), interval: seconds("interval", 1...60) ?? settings.interval),
      at: now)
  }

  private mutating func wait(_ polling: Polling, at now: Timestamp) -> FlowAction<End> {
    guard now < polling.end else {
      return finish(
        FlowOutcome(.expired, "nobody answered at the handset in time; ask again"), requestID: polling.id)
    }
    state = .waiting(polling)
    return .pause(step: "waitForUser", polling.interval)
  }

  private mutating func poll(_ polling: Polling, at now: Timestamp) -> FlowAction<End> {
    state = .polling(polling)
    let fields = FormFields(["grant_type": settings.grantType, "auth_req_id": polling.id.revealed])
    return .send(.asClient("askForAnswer", self.polling, client, fields, route))
  }

  private mutating func polled(_ reply: BackendReply, _ polling: Polling, at now: Timestamp) -> FlowAction<End> {
    switch reply.json?["error"]?.string {
    case "authorization_pending": return wait(polling, at: now)
    case "slow_down":
      var slower = polling
      slower.interval += .seconds(5)
      return wait(slower, at: now)
    default: break
    }
    if let special = MobileConnectProblem.special(
      reply.json?["error"]?.string, reply.json?["error_description"]?.string, status: reply.status)
    {
      return finish(special, requestID: polling.id)
    }
    switch BearerTokenAnswer(reply, MobileConnectProblem.results, host: self.polling.host) {
    case .failed(let outcome): return finish(outcome, requestID: polling.id)
    case .token(let text, let members):
      state = .over
      return .finish(
        FlowOutcome(.authorized, status: reply.status, "the user answered at the handset"),
        End(tokens: MobileConnectTokens(text, members), requestID: polling.id))
    }
  }

  private mutating func finish(_ outcome: FlowOutcome, requestID: Secret? = nil) -> FlowAction<End> {
    state = .over
    return .finish(outcome, End(requestID: requestID))
  }
}
