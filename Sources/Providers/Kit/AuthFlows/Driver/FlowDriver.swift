import AuthCore
import LimitClock
import ModemModel
import OutsideNumber
import RedirectChain
import Web

/// A flow's reports while it runs.
package enum FlowProgress: Hashable, Sendable {
  /// A hop of the chain that the step with this index follows.
  case hop(step: Int, ChainHop)
  /// A step is over.
  case step(FlowStep)
  /// A message was sent whose code is awaited. The caller can go on with this later.
  case messageSent(resumption: Secret)
}

/// Does what a machine says, one action after the other, and tells of each. The machine decides,
/// the lanes act.
package struct FlowDriver: Sendable {
  /// More actions than any provider's protocol has without a wait: a machine that exceeds it is
  /// broken.
  static let actionLimit = 200
  /// A pause of this length counts as waiting, and resets the count of actions. The flow's time
  /// limit restricts the total wait.
  static let leastPause = Duration.seconds(1)

  let lanes: FlowLanes
  let now: @Sendable () -> Timestamp
  let clock: LimitClock

  /// - Parameters:
  ///   - now: the time of day, from which machines determine expiry.
  ///   - clock: for the flow's limit, for pauses, and for the times of its steps.
  package init(_ lanes: FlowLanes, now: @escaping @Sendable () -> Timestamp, clock: LimitClock = .machine) {
    self.lanes = lanes
    self.now = now
    self.clock = clock
  }

  /// Runs a machine to its end.
  ///
  /// - Parameters:
  ///   - limit: for the whole flow; a longer one ends with `timeout`.
  ///   - onProgress: called for each finished hop and step, in order. It must not block.
  /// - Throws: `CancellationError` if the caller left, and a lane's refusal to begin, as with too
  ///   many flows.
  package func run<Machine: FlowMachine>(
    _ machine: Machine, within limit: Duration = .seconds(300),
    onProgress: @escaping @Sendable (FlowProgress) -> Void = { _ in }
  ) async throws -> FlowEnd<Machine.Answer> {
    let ahead = WorkAhead()
    defer { ahead.end() }
    return try await run(machine, within: limit, ahead, since: clock.now, onProgress: onProgress)
  }

  /// - Parameters:
  ///   - ahead: what the flow has begun ahead. It outlives the machine.
  ///   - start: what the times of the steps count from.
  func run<Machine: FlowMachine>(
    _ machine: Machine, within limit: Duration, _ ahead: WorkAhead, since start: LimitClock.Instant,
    onProgress: @escaping @Sendable (FlowProgress) -> Void
  ) async throws -> FlowEnd<Machine.Answer> {
    try await withThrowingTaskGroup(of: FlowEnd<Machine.Answer>?.self) { group in
      group.addTask { try await follow(machine, ahead, since: start, onProgress) }
      group.addTask {
        try await clock.pause(for: limit.bounded)
        return nil
      }
      defer { group.cancelAll() }
      if let first = try await group.next(), let end = first { return end }
      try Task.checkCancellation()
      let text = "the flow was not over within \(limit.words); try again, or allow more time"
      return FlowEnd(FlowOutcome(.timeout, text))
    }
  }

  /// Brings the bearer up, as a separate step, or waits for the bearer that was begun ahead.
  ///
  /// - Returns: the step, and the flow's end if there is no bearer; nil if there is one.
  func prepare(_ ahead: WorkAhead, since start: LimitClock.Instant) async throws -> (FlowStep, FlowOutcome?) {
    var step = FlowStep(index: 1, name: "bearer", lane: .modem, begin: 0)
    ahead.beginBearer(lanes, clock)
    let done = try await ahead.bearer()
    try Task.checkCancellation()
    step.note(done.began, done.ended, since: start)
    step.failure = done.value?.text
    return (step, done.value.map { FlowOutcome($0) })
  }

  /// Makes ready what a flow will need, beside what it does.
  ///
  /// - Parameter present: where the present action goes.
  func foresee(_ foresight: FlowForesight, _ ahead: WorkAhead, beside present: WebURL? = nil) {
    for call in foresight.calls { ahead.begin(call, lanes, clock) }
    if let lead = foresight.chain { lanes.warm(lead.kind, lead.first) }
    let origins = Set(foresight.calls.map(\.url.origin) + [present?.origin].compactMap(\.self))
    for destination in foresight.destinations.prefix(WorkAhead.destinationLimit)
    where !origins.contains(destination.url.origin) {
      switch destination.route {
      case .host: lanes.connect(destination.url)
      case .bearer: lanes.warm(.backend(destination.url), destination.url)
      }
    }
  }

  private func follow<Machine: FlowMachine>(
    _ machine: Machine, _ ahead: WorkAhead, since start: LimitClock.Instant,
    _ onProgress: @escaping @Sendable (FlowProgress) -> Void
  ) async throws -> FlowEnd<Machine.Answer> {
    var machine = machine
    var place = FlowPlace()
    var action = machine.start(at: now())
    var left = Self.actionLimit
    var index = 0
    while left > 0 {
      if case .finish(let outcome, let answer) = action {
        return FlowEnd(outcome, answer, at: place)
      }
      if case .pause(_, let time) = action, time >= Self.leastPause { left = Self.actionLimit }
      left -= 1
      index += 1
      foresee(machine.foreseen, ahead, beside: action.backend)
      var step = Self.step(for: action, index)
      var times = WorkAhead.Times(began: clock.now)
      let event = try await perform(action, index, &step, &times, &place, ahead, onProgress)
      try Task.checkCancellation()
      step.note(times.began, times.ended ?? clock.now, since: start)
      onProgress(.step(step))
      action = machine.receive(event, at: now())
    }
    let text = "the flow went on for \(Self.actionLimit) steps without an end; begin anew, and ask the provider"
    return FlowEnd(FlowOutcome(.badAnswer, text), at: place)
  }

  private static func step<Answer>(for action: FlowAction<Answer>, _ index: Int) -> FlowStep {
    switch action {
    case .open(let call):
      FlowStep(index: index, name: call.step, lane: .bearer, host: call.request.url.host, begin: 0)
    case .send(let call):
      FlowStep(
        index: index, name: call.step, lane: call.route == .host ? .host : .bearer, host: call.url.host, begin: 0)
    case .readCode(let wait): FlowStep(index: index, name: wait.step, lane: .modem, begin: 0)
    case .askForCode(let question): FlowStep(index: index, name: question.step, lane: .caller, begin: 0)
    case .askSIM(let question): FlowStep(index: index, name: question.step, lane: .modem, begin: 0)
    case .pause(let name, _): FlowStep(index: index, name: name, lane: .host, begin: 0)
    case .finish: FlowStep(index: index, name: "finish", lane: .host, begin: 0)
    }
  }

  private func perform<Answer>(
    _ action: FlowAction<Answer>, _ index: Int, _ step: inout FlowStep, _ times: inout WorkAhead.Times,
    _ place: inout FlowPlace, _ ahead: WorkAhead, _ onProgress: @escaping @Sendable (FlowProgress) -> Void
  ) async throws -> FlowEvent {
    switch action {
    case .open(let call):
      let reply = try await lanes.open(call) { onProgress(.hop(step: index, $0)) }
      place.note(FlowPlace(modem: reply.modem, source: reply.source))
      step.note(reply.result)
      return .opened(reply)
    case .send(let call):
      switch try await send(call, &times, ahead) {
      case .success(let reply):
        step.status = reply.status
        return .answered(reply)
      case .failure(let failure):
        step.failure = failure.text
        return .unanswered(failure)
      }
    case .readCode(let wait):
      if let resumption = wait.resumption { onProgress(.messageSent(resumption: resumption)) }
      return step.note(try await lanes.readCode(wait))
    case .askForCode(let question): return step.note(try await lanes.askForCode(question))
    case .askSIM(let question):
      switch try await lanes.askSIM(question) {
      case .success(let reply): return .simAnswered(reply)
      case .failure(let failure):
        step.failure = failure.description
        return .simFailed(failure)
      }
    case .pause(_, let time):
      try await clock.pause(for: time.bounded)
      return .resumed
    // An end is not carried out, and no machine waits for this.
    case .finish: return .resumed
    }
  }

  private func send(
    _ call: BackendCall, _ times: inout WorkAhead.Times, _ ahead: WorkAhead
  ) async throws -> Result<BackendReply, BackendFailure> {
    if let lead = call.leadsTo { lanes.warm(lead.kind, lead.first) }
    if let done = try await ahead.take(call) {
      times = WorkAhead.Times(began: done.began, ended: done.ended)
      return done.value
    }
    guard call.route == .bearer else { return try await lanes.send(call) }
    guard let request = call.overBearer else {
      return .failure(
        BackendFailure(.refused, "\(call.url.host) is reached over the bearer, in clear; give it an https URL"))
    }
    return try await lanes.open(BearerCall(call.step, request)) { _ in }.asBackend(of: call.url)
  }
}

extension FlowAction {
  /// Whom it asks, if that is a backend.
  fileprivate var backend: WebURL? { if case .send(let call) = self { call.url } else { nil } }
}

extension FlowStep {
  /// What was begun ahead began before the machine that asks for it, or before its last step ended.
  fileprivate mutating func note(
    _ began: LimitClock.Instant, _ ended: LimitClock.Instant, since start: LimitClock.Instant
  ) {
    begin = (began - start) / .milliseconds(1)
    time = (ended - began) / .milliseconds(1)
  }

  fileprivate mutating func note(_ result: ChainResult) {
    switch result {
    case .answer(let answer): status = answer.status
    case .redirectReached: break
    case .failed(let chainFailure):
      status = chainFailure.answer?.status
      failure = chainFailure.text
    }
  }

  fileprivate mutating func note(_ result: Result<Secret, CodeFailure>) -> FlowEvent {
    switch result {
    case .success(let code): return .code(code)
    case .failure(let reason):
      failure = reason.description
      return .noCode(reason)
    }
  }
}
