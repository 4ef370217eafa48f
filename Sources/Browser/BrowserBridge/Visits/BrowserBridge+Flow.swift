import JournalLog
import LimitClock
import Logging
import LoopbackHTTP
import ModemModel

// From a link's ticket to its verdict.
extension BrowserBridge {
  // MARK: - The start

  /// Reads a ticket and shows what it asks. Nothing acts, and the ticket stays as it is.
  func start(_ request: BrowserRequest, _ language: Language) async -> BrowserAnswer {
    guard let text = FormFields(request.query ?? "")?["ticket"], !text.isEmpty else {
      return problem(400, .badLink, language)
    }
    guard let address = TicketAddress(text, among: backends) else {
      logger.notice("a ticket is of no configured backend")
      return problem(403, .unknownSite, language)
    }
    guard !used.contains(address, at: clock.now) else { return problem(410, .used, language, address) }
    if let seconds = allowance.take(address.backend, request.user, at: clock.now) {
      logger.notice("too many tickets in a minute", metadata: ["backend": "\(address.backend.key)"])
      let answer = problem(429, .tooMany, language, address)
      return BrowserAnswer(429, fields: answer.fields + [("Retry-After", "\(seconds)")], body: answer.body)
    }
    do {
      let offered = try await office.offer(address)
      guard !isEnding, makeRoom(for: request.user) else { return problem(429, .tooMany, language, address) }
      let now = clock.now
      let visit = Visit(
        key: Unguessable.text(), form: Unguessable.text(), user: request.user, address: address, ask: offered.ask,
        language: language, end: now + offered.lifetime, lastSeen: now)
      visits[visit.key] = visit
      return page(200, Pages.offer(visit, Text(language, name: address.backend.name)))
    } catch let failure as TicketFailure {
      switch failure {
      case .gone: return problem(410, .used, language, address)
      case .unreachable: return problem(502, .unreachable, language, address)
      case .bad, .notAllowed: return problem(502, .badTicket, language, address)
      }
    } catch {
      return problem(503, .tooMany, language, address)
    }
  }

  /// Forgets a user's oldest page that nobody has agreed to or that shows an end, if there are too
  /// many visits.
  private func makeRoom(for user: UInt32) -> Bool {
    let own = visits.values.filter { $0.user == user }
    guard visits.count >= limits.visits || own.count >= limits.userVisits else { return true }
    let idle = own.filter { $0.task == nil }
    guard let oldest = idle.min(by: { $0.lastSeen < $1.lastSeen }) else { return false }
    visits[oldest.key] = nil
    return true
  }

  // MARK: - The flow

  func begin(_ visit: Visit) -> BrowserAnswer {
    guard case .offered = visit.phase else { return .seeOther("/flow/\(visit.key)") }
    let (now, address) = (clock.now, visit.address)
    let running = visits.values.filter { $0.task != nil }
    guard now < visit.end else { return problem(410, .expired, visit.language, address) }
    guard !isEnding, running.count < limits.flows, running.count(where: { $0.user == visit.user }) < limits.userFlows,
      running.count(where: { $0.address.backend.key == address.backend.key }) < address.backend.flows
    else { return problem(429, .tooMany, visit.language, address) }
    switch used.use(address, until: visit.end, at: now) {
    case .first: break
    case .used: return problem(410, .used, visit.language, address)
    case .full: return problem(429, .tooMany, visit.language, address)
    }
    var begun = visit
    begun.phase = .running(
      Task {
        // One trace from the site's ticket to the operator, and back.
        await TraceContext.$current.withValue(TraceContext()) { await self.run(visit.key, address, visit.ask) }
      })
    begun.begin = now
    begun.lastSeen = now
    visits[visit.key] = begun
    logger.info("a flow begins", metadata: ["backend": "\(address.backend.key)", "ask": "\(visit.ask.rawValue)"])
    return .seeOther("/flow/\(visit.key)")
  }

  /// Claims the ticket, asks modemd and tells the backend. Whatever happens after the claim, the
  /// backend is owed a verdict.
  private func run(_ key: String, _ address: TicketAddress, _ ask: Ask) async {
    var words: (words: Words, isAnswer: Bool) = (.notDetermined, false)
    var verdict: Verdict
    do {
      let question = try await office.claim(address, offered: ask)
      if address.backend.showsNumber { change(key) { $0.maskedNumber = question.number?.redacted } }
      verdict = try await gateway.ask(question) { await self.note($0, of: key) }
      words = Words.of(result: verdict.result)
    } catch  where error is CancellationError || Task.isCancelled {
      // modemd's end of the connection may be heard of first.
      verdict = Verdict("cancelled")
      words = (.cancelled, false)
    } catch let failure as TicketFailure {
      // It was not claimed: nothing is owed.
      let words: Words =
        switch failure {
        case .gone: .used
        case .unreachable: .unreachable
        case .bad, .notAllowed: .badTicket
        }
      return end(key, Ending(words: words, isAnswer: false, isReported: false, returnCode: ""))
    } catch {
      logger.error("modemd gives no verdict: \(error)", metadata: ["backend": "\(address.backend.key)"])
      words = (Words.of(error), false)
      verdict = Verdict(words.words == .notSupported ? "notConfigured" : "noDataPath")
    }
    change(key) { visit in
      if let task = visit.task { visit.phase = .reporting(task) }
      visit.page += 1
    }
    let code = Unguessable.text()
    let told = verdict
    // A task of its own, which the end of the flow's does not end.
    let isReported = await Task {
      await office.report(told, of: address, ask: ask, returnCode: code) { await self.isEnding }
    }.value
    logger.info(
      "a flow has ended",
      metadata: [
        "backend": "\(address.backend.key)", "ask": "\(ask.rawValue)", "result": "\(told.result)",
        "told": "\(isReported)",
      ])
    end(key, Ending(words: words.words, isAnswer: words.isAnswer, isReported: isReported, returnCode: code))
  }

  private func note(_ event: FlowEvent, of key: String) { change(key) { $0.note(event) } }

  private func end(_ key: String, _ ending: Ending) {
    change(key) { visit in
      visit.phase = .over(ending)
      visit.page += 1
      visit.lastSeen = clock.now
    }
    for listener in listeners.removeValue(forKey: key) ?? [] { listener.continuation.finish() }
  }

  /// Changes a visit, and tells its pages.
  private func change(_ key: String, _ body: (inout Visit) -> Void) {
    guard var visit = visits[key] else { return }
    body(&visit)
    visits[key] = visit
    let news = visit.news(Text(visit.language, name: visit.address.backend.name))
    for listener in listeners[key] ?? [] { listener.continuation.yield(news) }
  }

  func stop(_ visit: Visit) {
    switch visit.phase {
    case .running(let task), .asking(_, let task): task.cancel()
    case .offered, .reporting, .over: break
    }
  }

  /// What a person has entered.
  func take(_ text: String, _ visit: Visit) async {
    guard case .asking(let question, let task) = visit.phase else { return }
    let entered = text.filter { !$0.isWhitespace }
    let isAnswer =
      switch question.what {
      case .code:
        (1...16).contains(entered.utf8.count) && entered.utf8.allSatisfy { (0x30...0x7a).contains($0) }
      case .pin(let shortest, let longest):
        shortest <= entered.utf8.count && entered.utf8.count <= longest
          && entered.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
    guard isAnswer else { return }
    change(visit.key) { visit in
      // Given once, by whichever form came first.
      guard case .asking(question, _) = visit.phase else { return }
      visit.phase = .running(task)
      visit.page += 1
      visit.lastSeen = clock.now
    }
    do {
      try await gateway.give(WipedText(entered), to: question)
    } catch {
      logger.notice("modemd did not take an answer: \(error)")
      // The flow still asks, if it goes on: another entry may be taken.
      change(visit.key) { visit in
        guard case .running = visit.phase else { return }
        visit.phase = .asking(question, task)
        visit.page += 1
      }
    }
  }
}
