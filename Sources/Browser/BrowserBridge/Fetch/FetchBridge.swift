import JSONTree
import LimitClock
import Logging
import LoopbackHTTP
import ModemModel
import NativeMessaging

/// Answers pages that ask modemd by `fetch`, on a machine with one user. It runs as that user, so
/// that modemd decides by that user's rights, and answers connections of that user alone.
package actor FetchBridge {
  /// What all pages together may hold.
  package struct Limits: Sendable {
    package var flows = 8
    /// For a flow, from its begin.
    package var flowTime = Duration.seconds(600)

    package init() {}
  }

  /// A call whose answer is being sent. It ends with its request.
  private struct Flow {
    let call: Int
    let origin: PageOrigin
    let output: AsyncStream<[UInt8]>.Continuation
    var task: Task<Void, Never>?
    /// What modemd waits for, under a key that is good for one answer.
    var question: (key: String, asked: ModemQuestion)?
  }

  private let rules: FetchRules
  private let origins: [PageOrigin: FetchSettings.Rule]
  private let user: UInt32
  private let gateway: ModemGateway
  private let limits: Limits
  private let clock: LimitClock
  private let logger: Logger
  private var flows: [Int: Flow] = [:]
  private var lastFlow = 0
  private var allowance = StartAllowance()
  private var isEnding = false

  /// - Parameter user: this process's own.
  package init(
    _ settings: FetchSettings, user: UInt32, gateway: ModemGateway, limits: Limits = Limits(),
    clock: LimitClock = .machine, logger: Logger
  ) {
    rules = FetchRules(user: user, origins: settings.origins.keys)
    origins = settings.origins
    self.user = user
    self.gateway = gateway
    self.limits = limits
    self.clock = clock
    self.logger = logger
  }

  // MARK: - Requests

  /// Answers one request. Nothing acts before its body is there and its fields are right.
  package func answer(_ request: BrowserRequest) async -> BrowserAnswer {
    let origin: PageOrigin
    do throws(FetchRules.Refusal) {
      switch try rules.check(request) {
      case .preflight(let origin): return FetchRules.preflight(for: origin)
      case .call(let found): origin = found
      }
    } catch {
      // Whatever a stranger sends is not written down.
      logger.info("a request is refused with \(error.status)", metadata: ["uid": "\(request.user)"])
      return FetchRules.answer(error)
    }
    guard let rule = origins[origin] else { return FetchRules.answer(.otherOrigin) }
    do throws(PageCall.Refused) {
      let call = try FetchCall(request.body, asks: rule.asks)
      do throws(PageFailure) {
        switch call.verb {
        case .ask(let ask, let question): return try begin(call.id, ask, question, origin, rule)
        case .answer(let key, let value): return try await give(value, key, origin)
        }
      } catch {
        throw PageCall.Refused(id: call.id, failure: error)
      }
    } catch {
      return Self.refusal(error, origin)
    }
  }

  private static func refusal(_ refused: PageCall.Refused, _ origin: PageOrigin) -> BrowserAnswer {
    var fields = FetchRules.fields(for: origin) + [("Content-Type", "application/json")]
    let status: Int
    switch refused.failure {
    case .notAllowed: status = 403
    case .noSuchFlow: status = 404
    case .busy: status = 429
    case .tooMany(let seconds):
      status = 429
      fields.append(("Retry-After", "\(seconds)"))
    case .badMessage, .badArgument, .notOpened: status = 400
    case .modem: status = 502
    }
    let event = PageEvent(refused.id, .error(refused.failure))
    return BrowserAnswer(status, fields: fields, body: .bytes(Array((event.json.text + "\n").utf8)))
  }

  // MARK: - Flows

  private func begin(
    _ id: Int, _ ask: Ask, _ question: TicketQuestion, _ origin: PageOrigin, _ rule: FetchSettings.Rule
  ) throws(PageFailure) -> BrowserAnswer {
    guard !isEnding, flows.count < limits.flows, flows.values.count(where: { $0.origin == origin }) < rule.flows
    else { throw .busy }
    if let seconds = allowance.take(origin.description, user, most: rule.startsPerMinute, at: clock.now) {
      throw .tooMany(retryAfterSeconds: seconds)
    }
    lastFlow += 1
    let flow = lastFlow
    // A page that reads nothing gets nothing more: a flow has far fewer events.
    let (stream, output) = AsyncStream.makeStream(of: [UInt8].self, bufferingPolicy: .bufferingOldest(256))
    flows[flow] = Flow(call: id, origin: origin, output: output)
    let task = Task { await run(question, flow) }
    flows[flow]?.task = task
    // The browser has left, or everything was sent: then there is nothing to cancel.
    output.onTermination = { _ in task.cancel() }
    logger.info("a flow begins", metadata: ["origin": "\(origin)", "ask": "\(ask.rawValue)"])
    return BrowserAnswer(
      200, fields: FetchRules.fields(for: origin) + [("Content-Type", "application/x-ndjson")], body: .stream(stream))
  }

  private func run(_ question: TicketQuestion, _ flow: Int) async {
    let limit = Task { [clock, limits] in
      guard (try? await clock.pause(for: limits.flowTime)) != nil else { return }
      self.cancel(flow)
    }
    defer { limit.cancel() }
    var end: PageEvent.What
    do {
      let verdict = try await gateway.ask(question) { await self.note($0, of: flow) }
      end = .outcome(result: verdict.result, details: verdict.forPages)
    } catch is CancellationError {
      end = .outcome(result: "cancelled", details: [:])
    } catch {
      end = .error(PageFailure(of: error))
    }
    if Task.isCancelled { end = .outcome(result: "cancelled", details: [:]) }
    send(end, of: flow)
    let ended = flows.removeValue(forKey: flow)
    ended?.output.finish()
    logger.info(
      "a flow has ended",
      metadata: ["origin": "\(ended?.origin.description ?? "")", "result": "\(Self.word(of: end))"])
  }

  private static func word(of end: PageEvent.What) -> String {
    switch end {
    case .outcome(let result, _): result
    case .error(let failure): failure.name
    case .opened, .progress, .question: ""
    }
  }

  private func cancel(_ flow: Int) { flows[flow]?.task?.cancel() }

  private func note(_ event: FlowEvent, of flow: Int) {
    switch event {
    case .step(let step): send(.progress(step.forPages), of: flow)
    case .question(let asked): ask(asked, of: flow)
    // It has hosts, which a page does not learn.
    case .trace: break
    }
  }

  private func ask(_ asked: ModemQuestion, of flow: Int) {
    // No page is to have a PIN, whatever modemd wants.
    guard case .code = asked.what else { return cancel(flow) }
    let key = Unguessable.text()
    flows[flow]?.question = (key, asked)
    send(.question(asked.forPages), of: flow, ["flow": .string(key)])
  }

  private func send(_ what: PageEvent.What, of flow: Int, _ members: [String: JSONValue] = [:]) {
    guard let known = flows[flow], case .object(let event) = PageEvent(known.call, what).json else { return }
    let line = JSONValue.object(event.merging(members) { $1 }).text + "\n"
    if case .dropped = known.output.yield(Array(line.utf8)) { known.task?.cancel() }
  }

  /// Gives modemd a code, once for each question.
  private func give(_ value: WipedText, _ key: String, _ origin: PageOrigin) async throws(PageFailure) -> BrowserAnswer
  {
    let found = flows.first { flow in
      flow.value.origin == origin && flow.value.question.map { Unguessable.isSame($0.key, key) } == true
    }
    guard let flow = found?.key, let asked = flows[flow]?.question?.asked else { throw .noSuchFlow }
    flows[flow]?.question = nil
    do {
      try await gateway.give(value, to: asked)
    } catch {
      logger.notice("modemd did not take an answer: \(PageFailure(of: error).name)")
      // The person is asked again, if the flow goes on and modemd has not asked by itself.
      if let known = flows[flow], known.question == nil { ask(asked, of: flow) }
      throw PageFailure(of: error)
    }
    return BrowserAnswer(204, fields: FetchRules.fields(for: origin), body: .bytes([]))
  }

  /// Ends all flows, and waits for that.
  package func end() async {
    isEnding = true
    let tasks = flows.values.compactMap(\.task)
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
