import AuthCore
import JSONTree
import ModemModel
import RedirectChain
import Web

/// PhoneCheck and SubscriberCheck: creates a check, opens its URL over the bearer, and gets its
/// result, by exchanging a code (v0.2) or by polling (v0.1).
package struct TruIDCheckMachine: FlowMachine {
  /// Whether a key of a key set (RFC 7517) made a signature.
  ///
  /// - Parameter algorithm: as in `rsa-sha256`; nil if the key gives it.
  package typealias KeyCheck =
    @Sendable (_ key: JSONValue, _ algorithm: String?, _ message: [UInt8], _ signature: [UInt8]) -> Bool

  /// What machine and configuration allow.
  package struct Limits: Sendable {
    /// Who is tru.ID.
    var provider: TrustedOrigins
    /// Whether a URL is the provider's.
    package func isOfProvider(_ url: WebURL) -> Bool { provider.contains(url.origin) }

    /// How long to wait for the result after the end of the chain.
    var patience: Duration
    /// The API, for its keys.
    var api: Endpoint
    var apiRoute: BackendRoute
    /// Nil if key signatures cannot be checked.
    var keyCheck: KeyCheck?
    /// The chain that a check leads to.
    var lead: ChainLead

    package init(_ settings: TruIDSettings, _ product: TruIDProduct) {
      lead = settings.lead(product)
      provider = settings.provider
      patience = settings.patience
      api = settings.api
      apiRoute = settings.apiRoute
      keyCheck = settings.keyCheck
    }
  }

  /// Seconds of a check's lifetime, if its creation does not give it.
  static let ttl = 120

  /// A check that was created.
  struct Check {
    let id: String
    /// At the API.
    let ownURL: WebURL?
    let end: Timestamp
    var sawPage = false
  }

  /// Asking for the result.
  struct Reading {
    var form: TruIDBackend.ResultForm
    var isOtherForm = false
    /// From 0.
    var attempt = 0
    let end: Timestamp
  }

  private enum State {
    case ready
    case creating(sent: Timestamp)
    case opening(Check)
    case checkingKey(Check, Secret, TruIDRedirectSignature)
    case exchanging(Check, Secret, byGET: Bool)
    case reading(Check, Reading)
    case waiting(Check, Reading)
    case finished
  }

  private let access: TruIDAccess
  private let request: TruIDCheckRequest
  private let limits: Limits
  private var state = State.ready
  private var answer = TruIDCheckAnswer()

  package init(_ request: TruIDCheckRequest, by access: TruIDAccess, _ limits: Limits) {
    self.request = request
    self.access = access
    self.limits = limits
  }

  package static var usesBearer: Bool { true }

  package var foreseen: FlowForesight {
    switch state {
    case .opening: FlowForesight(calls: needsKeys ? [readKeys] : [], destinations: [access.destination])
    default: .nothing
    }
  }

  package mutating func start(at now: Timestamp) -> FlowAction<TruIDCheckAnswer> {
    state = .creating(sent: now)
    var call = calls.create()
    call.leadsTo = limits.lead
    return .send(call)
  }

  package mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<TruIDCheckAnswer> {
    switch (state, event) {
    case (.creating(let sent), .answered(let reply)): created(reply, sent, now)
    case (.opening(let check), .opened(let reply)): opened(reply, check, now)
    case (.checkingKey(let check, let code, let signature), .answered(let reply)):
      checked(signature, by: reply, check, code, now)
    case (.exchanging(let check, let code, let byGET), .answered(let reply)):
      exchanged(reply, check, code, byGET, now)
    case (.reading(let check, let reading), .answered(let reply)): read(reply, check, reading, now)
    case (.waiting(let check, let reading), .resumed): ask(check, reading)
    case (_, .unanswered(let failure)): finish(failure.outcome)
    default: .unexpected(event)
    }
  }

  private var calls: TruIDCheckCalls { TruIDCheckCalls(access: access, request: request) }

  private mutating func finish(_ outcome: FlowOutcome) -> FlowAction<TruIDCheckAnswer> {
    state = .finished
    return .finish(outcome, answer)
  }

  private mutating func refuse(_ reply: BackendReply) -> FlowAction<TruIDCheckAnswer> {
    finish(.truID(reply, host: access.host, isBackend: access.isBackend))
  }

  // MARK: Creation

  private mutating func created(
    _ reply: BackendReply, _ sent: Timestamp, _ now: Timestamp
  ) -> FlowAction<TruIDCheckAnswer> {
    guard reply.isSuccess else { return refuse(reply) }
    guard let document = reply.json.map({ TruIDCheckDocument($0) }), let id = document.id else {
      return finish(
        FlowOutcome(.badAnswer, status: reply.status, "\(access.host) created no check; look into its logs"))
    }
    answer = document.answer
    answer.rate = TruIDRate(reply)
    if let failure = document.failure(host: access.host, httpStatus: reply.status) { return finish(failure) }
    let target: AnsweredURL
    do {
      target = try AnsweredURL(document.checkURL ?? "", within: limits.provider)
    } catch {
      return finish(noCheckURL(error, status: reply.status))
    }
    let check = Check(id: id, ownURL: ownURL(document), end: sent.later(by: .seconds(document.ttl ?? Self.ttl)))
    return open(target.url, check, now)
  }

  private func noCheckURL(_ fault: AnsweredURL.Fault, status: Int) -> FlowOutcome {
    switch fault {
    case .malformed, .inClear:
      FlowOutcome(.badAnswer, status: status, "\(access.host) gives no https check URL; look into its logs")
    case .notPublic(let host), .stranger(let host):
      FlowOutcome(
        .notConfigured, status: status,
        "\(access.host) gives a check URL at \(host), which is none of the provider's; if it is, add it to checkDomains"
      )
    }
  }

  private func ownURL(_ document: TruIDCheckDocument) -> WebURL? {
    guard case .api(let client) = access else { return nil }
    return client.own(document.selfURL)
  }

  private mutating func open(_ url: WebURL, _ check: Check, _ now: Timestamp) -> FlowAction<TruIDCheckAnswer> {
    let left = now.time(to: check.end)
    guard left > .zero else { return finish(Self.late) }
    var policy = ChainPolicy()
    policy.totalTime = min(policy.totalTime, left)
    policy.family = request.family
    state = .opening(check)
    var chain = ChainRequest(url: url, redirectURI: request.redirectURI, headers: request.headers, policy: policy)
    chain.kind = limits.lead.kind
    return .open(BearerCall("openCheckURL", chain))
  }

  private static let late = FlowOutcome(
    .expired, "the check's two minutes were over before it was done; start anew, and look which step is slow")

  // MARK: The device's step

  private mutating func opened(
    _ reply: BearerReply, _ check: Check, _ now: Timestamp
  ) -> FlowAction<TruIDCheckAnswer> {
    var check = check
    switch TruIDDeviceAnswer(reply, request, id: check.id, of: limits.provider, at: now) {
    case .ended(let outcome): return finish(outcome)
    case .over(let sawPage):
      check.sawPage = sawPage
      return ask(check, firstReading(check, now))
    case .code(let code): return exchange(code, check, now, byGET: exchangesByGET)
    case .signedCode(let code, let signature): return examine(signature, check, code, now)
    case .result(let document, let status): return settle(document, status, check, now, isServers: true)
    }
  }

  private mutating func examine(
    _ signature: TruIDRedirectSignature, _ check: Check, _ code: Secret, _ now: Timestamp
  ) -> FlowAction<TruIDCheckAnswer> {
    guard request.redirect?.signature == .verified else {
      return exchange(code, check, now, byGET: exchangesByGET)
    }
    state = .checkingKey(check, code, signature)
    return .send(readKeys)
  }

  /// Whether the redirect that ends the chain is held against the provider's keys.
  private var needsKeys: Bool { request.version == .v2 && request.redirect?.signature == .verified }

  private var readKeys: BackendCall {
    BackendCall(
      "readKeys", .get, limits.api.appending("/.well-known/jwks.json"), headers: [.accept("application/json")],
      route: limits.apiRoute)
  }

  private mutating func checked(
    _ signature: TruIDRedirectSignature, by reply: BackendReply, _ check: Check, _ code: Secret, _ now: Timestamp
  ) -> FlowAction<TruIDCheckAnswer> {
    guard reply.isSuccess else { return finish(.truID(reply, host: limits.api.host)) }
    guard let keyCheck = limits.keyCheck, let key = signature.key(in: reply.json), signature.isWhole,
      let message = signature.message, keyCheck(key, signature.algorithm, message, signature.bytes)
    else {
      return finish(
        FlowOutcome(
          .stateMismatch, code: "signature_invalid",
          "the redirect URL is not signed by a key of \(limits.api.host); take it for forged and start anew"))
    }
    return exchange(code, check, now, byGET: exchangesByGET)
  }

  // MARK: The exchange

  private var exchangesByGET: Bool {
    guard case .backend(let backend) = access else { return false }
    return backend.exchange == .get
  }

  private mutating func exchange(
    _ code: Secret, _ check: Check, _ now: Timestamp, byGET: Bool
  ) -> FlowAction<TruIDCheckAnswer> {
    guard now < check.end else { return finish(Self.late) }
    state = .exchanging(check, code, byGET: byGET)
    return .send(calls.exchange(code, check.id, ownURL: check.ownURL, byGET: byGET))
  }

  private mutating func exchanged(
    _ reply: BackendReply, _ check: Check, _ code: Secret, _ byGET: Bool, _ now: Timestamp
  ) -> FlowAction<TruIDCheckAnswer> {
    // Some dev servers only accept GET. A refused method has not used the code.
    if reply.status == 405, access.isBackend, !byGET { return exchange(code, check, now, byGET: true) }
    guard reply.isSuccess else { return refuse(reply) }
    answer.rate = TruIDRate(reply) ?? answer.rate
    guard let document = reply.json.map({ TruIDCheckDocument($0) }) else {
      return finish(
        FlowOutcome(
          .badAnswer, status: reply.status, "\(access.host) exchanges the code for nothing; look into its logs"))
    }
    return settle(document, reply.status, check, now)
  }

  // MARK: The result

  private func firstReading(_ check: Check, _ now: Timestamp) -> Reading {
    Reading(form: calls.firstForm, end: min(check.end, now.later(by: limits.patience)))
  }

  private mutating func ask(_ check: Check, _ reading: Reading) -> FlowAction<TruIDCheckAnswer> {
    state = .reading(check, reading)
    return .send(calls.result(check.id, ownURL: check.ownURL, reading.form))
  }

  private mutating func read(
    _ reply: BackendReply, _ check: Check, _ reading: Reading, _ now: Timestamp
  ) -> FlowAction<TruIDCheckAnswer> {
    var reading = reading
    if access.isBackend, !reading.isOtherForm, Self.isUnknownForm(reply) {
      reading.form = reading.form.other
      reading.isOtherForm = true
      return ask(check, reading)
    }
    guard reply.isSuccess else { return refuse(reply) }
    answer.rate = TruIDRate(reply) ?? answer.rate
    guard let document = reply.json.map({ TruIDCheckDocument($0) }) else {
      return finish(
        FlowOutcome(.badAnswer, status: reply.status, "\(access.host) gives no result of the check; look into its logs")
      )
    }
    return settle(document, reply.status, check, now, reading)
  }

  /// Whether a backend did not understand the form of the question: a parameter is missing for it,
  /// or it has no such path.
  private static func isUnknownForm(_ reply: BackendReply) -> Bool {
    guard TruIDProblem(reply.json).code == nil else { return false }
    return reply.status == 404 || reply.status == 405 || reply.status == 400 && reply.json?["error_message"] != nil
  }

  private mutating func settle(
    _ document: TruIDCheckDocument, _ status: Int, _ check: Check, _ now: Timestamp, _ reading: Reading? = nil,
    isServers: Bool = false
  ) -> FlowAction<TruIDCheckAnswer> {
    guard document.id == nil || document.id == check.id else {
      return finish(
        FlowOutcome(.stateMismatch, status: status, "\(access.host) answers for another check; start anew"))
    }
    answer = answer.updated(with: document.answer)
    if let failure = document.failure(host: access.host, httpStatus: status) { return finish(failure) }
    let isOver = document.status == .completed || document.status == nil && document.matches != nil
    guard isOver else { return wait(document, status, check, reading ?? firstReading(check, now), now) }
    if document.matches != nil, isServers || access.isBackend { answer.serverAnswer = document.whole }
    return finish(
      .check(
        matches: document.matches, change: request.product == .subscriberCheck ? document.simChange : nil,
        status: status))
  }

  private mutating func wait(
    _ document: TruIDCheckDocument, _ status: Int, _ check: Check, _ reading: Reading, _ now: Timestamp
  ) -> FlowAction<TruIDCheckAnswer> {
    let pauses: [Duration] = [.milliseconds(500), .seconds(1), .seconds(2), .seconds(3), .seconds(5)]
    let pause = pauses[min(reading.attempt, pauses.count - 1)]
    guard now.later(by: pause) <= reading.end else { return finish(unsettled(document, status, check, now)) }
    var reading = reading
    reading.attempt += 1
    state = .waiting(check, reading)
    return .pause(step: "waitForResult", pause)
  }

  /// The result did not come.
  private func unsettled(
    _ document: TruIDCheckDocument, _ status: Int, _ check: Check, _ now: Timestamp
  ) -> FlowOutcome {
    if check.sawPage {
      return FlowOutcome(
        .interactionRequired, status: status,
        "the check ended at a page for a person and has no result; open it on a device with a browser")
    }
    guard document.status != nil else {
      return FlowOutcome(
        .badAnswer, status: status,
        "\(access.host) does not say whether the number matches; the operator may have failed, so look at the check's traces"
      )
    }
    if check.end <= now.later(by: .seconds(5)) { return Self.late }
    return FlowOutcome(
      .timeout, status: status, "tru.ID has no result of the check yet; start anew, or allow more patience")
  }
}
