import LimitClock
import Logging
import LoopbackHTTP
import ModemModel

/// Between browsers, the backends of their pages, and modemd: shows a ticket's question, asks
/// modemd when the person or the configuration agrees, tells the backend the verdict, and leads the
/// browser back.
package actor BrowserBridge {
  /// What all browsers together may hold, and one user's.
  package struct Limits: Sendable {
    package var visits = 256
    package var userVisits = 24
    package var flows = 32
    package var userFlows = 8
    /// Streams of one visit's page.
    var streams = 4
    /// For a flow, from its begin.
    package var flowTime = Duration.seconds(600)
    /// How long a flow goes on after its page was left.
    package var absence = Duration.seconds(20)
    /// The same while a question waits for an answer: without a script nothing asks meanwhile.
    package var absenceWithQuestion = Duration.seconds(180)
    /// How long the end of a flow is shown.
    package var memory = Duration.seconds(300)

    package init() {}
  }

  let backends: [Backend]
  private let language: Language?
  private let users: AllowedUsers
  let office: TicketOffice
  let gateway: ModemGateway
  private let inspector: Inspector?
  let limits: Limits
  let clock: LimitClock
  let logger: Logger
  var visits: [String: Visit] = [:]
  var listeners: [String: [(id: Int, continuation: AsyncStream<[UInt8]>.Continuation)]] = [:]
  private var lastListener = 0
  var used = UsedTickets()
  var allowance = StartAllowance()
  private(set) var isEnding = false

  package init(
    _ settings: WebSettings, office: TicketOffice, gateway: ModemGateway, inspector: Inspector? = nil,
    limits: Limits = Limits(),
    clock: LimitClock = .machine, logger: Logger
  ) {
    backends = settings.backends
    language = settings.language
    users = AllowedUsers(users: settings.users, groups: settings.groups, clock: clock)
    self.office = office
    self.gateway = gateway
    self.inspector = inspector
    self.limits = limits
    self.clock = clock
    self.logger = logger
  }

  // MARK: - Answers

  /// Answers one request of a browser.
  package func answer(_ request: BrowserRequest) async -> BrowserAnswer {
    let language = language ?? Language(accepted: request.field("accept-language"))
    do throws(SenderRules.Refusal) {
      try SenderRules.checkHost(request)
      guard let route = Route(request.path) else { return problem(404, .notFound, language) }
      try SenderRules.check(request, for: route.purpose)
      if let inspector {
        // Its links are the right to look, whoever may begin a check.
        if case .inspectorScript = route { return asset(Assets.inspector, "text/javascript; charset=utf-8") }
        if case .inspector(let page) = route {
          return await inspector.answer(request, page, Text(language)) { await self.shownFlows }
        }
        if case .style = route { return asset(Assets.style, "text/css; charset=utf-8") }
      }
      guard await users.allows(request.user) else {
        logger.notice("a browser's user is not allowed", metadata: ["uid": "\(request.user)"])
        return problem(403, .notThisUser, language)
      }
      return await answer(request, route, language)
    } catch {
      logger.info("a request is refused: \(error.text)")
      guard case .wrongMethod(let allowed) = error else { return .text(error.status, error.text) }
      return .text(error.status, error.text, fields: [("Allow", allowed)])
    }
  }

  private func answer(_ request: BrowserRequest, _ route: Route, _ language: Language) async -> BrowserAnswer {
    switch route {
    case .consentScript: return asset(Assets.consent, "text/javascript; charset=utf-8")
    case .flowScript: return asset(Assets.flow, "text/javascript; charset=utf-8")
    case .style: return asset(Assets.style, "text/css; charset=utf-8")
    case .inspector, .inspectorScript: return problem(404, .notFound, language)
    case .start: return await start(request, language)
    case .begin:
      guard let fields = FormFields(String(decoding: request.body, as: UTF8.self)), let key = fields["visit"],
        let visit = visit(key, request, fields)
      else { return problem(403, .otherPage, language) }
      return begin(visit)
    case .flow(let key): return show(key, request, language)
    case .news(let key): return news(key, request)
    case .goBack(let key): return goBack(key, request, language)
    case .answer(let key), .cancel(let key):
      guard let fields = FormFields(String(decoding: request.body, as: UTF8.self)),
        let visit = visit(key, request, fields)
      else { return problem(403, .otherPage, language) }
      if case .cancel = route {
        stop(visit)
      } else {
        await take(fields["value"] ?? "", visit)
      }
      return .seeOther("/flow/\(key)")
    }
  }

  private func asset(_ text: String, _ type: String) -> BrowserAnswer {
    BrowserAnswer(200, fields: [("Content-Type", type)], body: .bytes(Array(text.utf8)))
  }

  func page(_ status: Int, _ document: [UInt8]) -> BrowserAnswer {
    BrowserAnswer(status, fields: [("Content-Type", "text/html; charset=utf-8")], body: .bytes(document))
  }

  func problem(
    _ status: Int, _ words: Words, _ language: Language, _ address: TicketAddress? = nil
  ) -> BrowserAnswer {
    let text = Text(language, name: address?.backend.name ?? "")
    return page(status, Pages.problem(words, text, back: address?.returnAddress()))
  }

  /// The visit of this user; with the fields of a form, only for a page of the visit's own.
  private func visit(_ key: String, _ request: BrowserRequest, _ fields: FormFields? = nil) -> Visit? {
    guard let visit = visits[key], visit.user == request.user else { return nil }
    guard let fields else { return visit }
    guard let form = fields["form"], Unguessable.isSame(form, visit.form) else { return nil }
    return visit
  }

  // MARK: - Pages of a flow

  private func show(_ key: String, _ request: BrowserRequest, _ language: Language) -> BrowserAnswer {
    guard let visit = visit(key, request) else { return problem(410, .gone, language) }
    visits[key]?.lastSeen = clock.now
    let text = Text(visit.language, name: visit.address.backend.name)
    return switch visit.phase {
    case .offered: page(200, Pages.offer(visit, text))
    case .running, .reporting: page(200, Pages.running(visit, text))
    case .asking(let question, _): page(200, Pages.question(question, visit, text))
    case .over(let ending): page(200, Pages.end(ending, visit, text))
    }
  }

  private func goBack(_ key: String, _ request: BrowserRequest, _ language: Language) -> BrowserAnswer {
    guard let visit = visit(key, request) else { return problem(410, .gone, language) }
    guard case .over(let ending) = visit.phase else { return .seeOther("/flow/\(key)") }
    return .seeOther(visit.address.returnAddress(ending.isReported ? ending.returnCode : nil))
  }

  /// The page's news as lines of JSON, until the flow ends.
  private func news(_ key: String, _ request: BrowserRequest) -> BrowserAnswer {
    guard let visit = visit(key, request) else { return .text(410, "this flow has ended") }
    // Each line says everything, so that a slow reader needs the last one alone.
    let (stream, continuation) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield(visit.news(Text(visit.language, name: visit.address.backend.name)))
    if case .over = visit.phase {
      continuation.finish()
    } else {
      lastListener += 1
      let id = lastListener
      var own = listeners[key] ?? []
      if own.count >= limits.streams { own.removeFirst().continuation.finish() }
      listeners[key] = own + [(id, continuation)]
      continuation.onTermination = { _ in Task { await self.leave(key, id) } }
    }
    return BrowserAnswer(200, fields: [("Content-Type", "application/x-ndjson")], body: .stream(stream))
  }

  private func leave(_ key: String, _ id: Int) {
    listeners[key]?.removeAll { $0.id == id }
    if listeners[key]?.isEmpty == true { listeners[key] = nil }
    visits[key]?.lastSeen = clock.now
  }

  /// The checks that go on, in the order in which they began.
  private var shownFlows: [ShownFlow] {
    visits.values.filter { $0.task != nil }.sorted { ($0.begin ?? $0.lastSeen) < ($1.begin ?? $1.lastSeen) }.map {
      ShownFlow(site: $0.address.backend.name, ask: $0.ask, user: $0.user, trace: $0.trace)
    }
  }

  // MARK: - Time

  /// Ends what nobody looks at any more, every second until its task is cancelled; then ends all
  /// flows, and tells their backends.
  package func run() async {
    while (try? await clock.pause(for: .seconds(1))) != nil { sweep() }
    isEnding = true
    let tasks = visits.values.compactMap(\.task)
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  private func sweep() {
    let now = clock.now
    for (key, visit) in visits {
      let isWatched = listeners[key] != nil
      let idle = isWatched ? .zero : now - visit.lastSeen
      let isLate = visit.begin.map { now - $0 > limits.flowTime } ?? false
      switch visit.phase {
      case .offered: if now >= visit.end { visits[key] = nil }
      case .running(let task): if idle > limits.absence || isLate { task.cancel() }
      case .asking(_, let task): if idle > limits.absenceWithQuestion || isLate { task.cancel() }
      case .reporting: break
      case .over: if idle > limits.memory { visits[key] = nil }
      }
    }
  }
}
