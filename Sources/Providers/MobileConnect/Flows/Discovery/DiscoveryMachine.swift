import AuthCore
import ModemModel
import Web

/// Finds the operator of a SIM or a number. It tries each way whose data is known, until one
/// succeeds.
struct MobileConnectDiscoveryMachine: FlowMachine {
  /// The state at its end, with or without an operator.
  struct End: Hashable, Sendable {
    var discovered: MobileConnectDiscovered?
    /// The service's cookies, including those set by the answers.
    var cookies: DiscoveryCookies
  }

  /// Only one way goes over the bearer, and it brings the bearer up itself.
  static var usesBearer: Bool { false }

  private let calls: DiscoveryCalls
  private let kept: OperatorCache.Finding?
  private let origins: OperatorOrigins
  private let allowsPage: Bool
  private var rest: [MobileConnectDiscovery.Way]
  private var way: MobileConnectDiscovery.Way?
  /// The outcome of the unsuccessful ways.
  private var last: FlowOutcome?
  private var cookies: DiscoveryCookies

  /// - Parameters:
  ///   - origins: the allowed places of operators' endpoints.
  ///   - kept: the kept data about the network; if it is fresh, it ends the search.
  ///   - cookies: of earlier calls.
  init(
    _ discovery: MobileConnectDiscovery, _ question: DiscoveryQuestion, within origins: OperatorOrigins,
    kept: OperatorCache.Finding? = nil,
    cookies: DiscoveryCookies = DiscoveryCookies(), route: BackendRoute
  ) {
    calls = DiscoveryCalls(discovery: discovery, question: question, route: route, cookies: cookies)
    self.kept = kept
    self.origins = origins
    self.cookies = cookies
    rest = calls.ways
    allowsPage = question.way == .page || question.way == nil && discovery.ways.contains(.page)
  }

  private var host: String { calls.discovery.url.host }

  mutating func start(at now: Timestamp) -> FlowAction<End> { next() }

  mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<End> {
    switch event {
    case .answered(let reply): return receive(reply)
    case .unanswered(let failure): return fail(failure.outcome, isUntrusted: failure.kind == .tls)
    case .opened(let reply):
      switch reply.asBackend(of: calls.discovery.url) {
      case .success(let answer): return receive(answer)
      case .failure(let failure): return fail(failure.outcome, isUntrusted: failure.kind == .tls)
      }
    case .code, .noCode, .simAnswered, .simFailed, .resumed: return .unexpected(event)
    }
  }

  private mutating func next() -> FlowAction<End> {
    guard !rest.isEmpty else { return end(last ?? Self.nothingKnown) }
    let way = rest.removeFirst()
    self.way = way
    if way == .network, case .fresh(let found)? = kept { return finish(found, isStale: false) }
    switch calls.call(way) {
    case .bearer(let call): return .open(call)
    case .backend(let call): return .send(call)
    }
  }

  private mutating func receive(_ reply: BackendReply) -> FlowAction<End> {
    if calls.discovery.keepsCookies { cookies.take(reply.headers) }
    switch DiscoveryReply(reply, correlationID: calls.question.correlationID, within: origins, host: host) {
    case .found(var discovered):
      discovered.way = way
      // The page's callback named the owner of the number.
      discovered.subscriberID = discovered.subscriberID ?? calls.question.selection?.subscriberID
      discovered.subscriberIDToken = discovered.subscriberIDToken ?? calls.question.selection?.subscriberIDToken
      return end(Self.covered(reply.status), discovered)
    case .page(let url): return page(url, reply.status)
    case .unknown(let outcome):
      last = outcome
      return next()
    case .failed(let outcome): return fail(outcome)
    }
  }

  private mutating func page(_ url: Secret, _ status: Int) -> FlowAction<End> {
    guard allowsPage else {
      last =
        last
        ?? FlowOutcome(
          .operatorUnsupported, status: status,
          "\(host) wants a person to select the operator; allow the way page, or configure the operator's endpoints")
      return next()
    }
    var discovered = MobileConnectDiscovered()
    discovered.way = .page
    discovered.page = url
    return end(
      FlowOutcome(
        .interactionRequired, status: status,
        "a person has to select the operator; open the page in a browser, and go on with the URL that it comes back to"),
      discovered)
  }

  /// Outdated data is used if the service fails, but not if it refuses or if somebody else answers
  /// in its place.
  private mutating func fail(_ outcome: FlowOutcome, isUntrusted: Bool = false) -> FlowAction<End> {
    let isNo: Set<FlowResult> = [
      .badRequest, .clientRefused, .operatorUnsupported, .subscriberUnknown, .stateMismatch, .tlsError, .captivePortal,
    ]
    if !isUntrusted, way == .network, case .stale(let found)? = kept, !isNo.contains(outcome.result) {
      return finish(found, isStale: true)
    }
    return end(outcome)
  }

  private func finish(_ found: MobileConnectOperator, isStale: Bool) -> FlowAction<End> {
    var discovered = MobileConnectDiscovered()
    discovered.found = found
    discovered.way = way
    discovered.isKept = true
    discovered.isStale = isStale
    discovered.subscriberID = calls.question.selection?.subscriberID
    discovered.subscriberIDToken = calls.question.selection?.subscriberIDToken
    return end(Self.covered(nil), discovered)
  }

  private func end(_ outcome: FlowOutcome, _ discovered: MobileConnectDiscovered? = nil) -> FlowAction<End> {
    .finish(outcome, End(discovered: discovered, cookies: cookies))
  }

  private static func covered(_ status: Int?) -> FlowOutcome {
    FlowOutcome(.covered, status: status, "the operator and its endpoints are known")
  }

  private static let nothingKnown = FlowOutcome(
    .badRequest,
    "neither the SIM's network nor its number is known, and no other way is configured; give one of them, or wait for the SIM"
  )
}
