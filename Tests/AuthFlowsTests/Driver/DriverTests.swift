// swift-format-ignore-file: NeverUseForceTry
import AuthCore
import AuthFlows
import ClockTestSupport
import LimitClock
import ModemModel
@_spi(Exchange) import RedirectChain
import Synchronization
import Testing
@_spi(Exchange) import Web

@Suite("The driver of flows")
struct DriverTests {
  /// Does a list of actions and ends with what came of the last.
  struct Script: FlowMachine {
    var actions: [FlowAction<Int>]
    var statuses: [Int] = []

    mutating func start(at now: Timestamp) -> FlowAction<Int> { actions.removeFirst() }

    mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Int> {
      switch event {
      case .answered(let reply): statuses.append(reply.status)
      case .opened(let reply):
        if case .failed(let failure) = reply.result { return .finish(FlowOutcome(failure), nil) }
      case .unanswered(let failure): return .finish(failure.outcome, nil)
      case .noCode(let failure): return .finish(FlowOutcome(.codeRequired, failure.description), nil)
      case .code, .simAnswered, .simFailed, .resumed: break
      }
      guard actions.isEmpty else { return actions.removeFirst() }
      return .finish(FlowOutcome(.verified, "done"), statuses.reduce(0, +))
    }
  }

  static let url = try! WebURL("https://api.example/check")

  /// Of a time in which pauses alone pass. A flow sleeps twice: for its limit, and for a pause.
  static func driver(_ lanes: FlowLanes, _ time: DrivenClock = DrivenClock(movesWhenAsleep: 2)) -> FlowDriver {
    FlowDriver(lanes, now: { Timestamp(milliseconds: 0) }, clock: time.clock)
  }

  static let answering = FlowLanes(
    open: { call, onHop in
      onHop(ChainHop(ChainMachine.Hop(index: 1, url: call.request.url)))
      let source = AnswerSource(asked: call.request.url)
      let answer = ChainAnswer(status: 202, contentType: nil, body: Array("{}".utf8), from: source)
      return BearerReply(.answer(answer), modem: "m0", source: "10.0.0.2")
    },
    send: { _ in .success(BackendReply(status: 200)) },
    readCode: { _ in .success(Secret("123456")) }, askForCode: { _ in .failure(CodeFailure(.late, "nobody gave it")) })

  @Test("Each action becomes a step by its own lane, in order, and hops name their step")
  func steps() async throws {
    let progress = Mutex<[FlowProgress]>([])
    let script = Script(actions: [
      .send(BackendCall("create", .post, Self.url, route: .host)),
      .open(BearerCall("open", ChainRequest(url: Self.url))),
      .send(BackendCall("read", .get, Self.url, route: .bearer)), .readCode(CodeWait(step: "code")),
      .pause(step: "wait", .seconds(1)),
    ])
    let end = try await Self.driver(Self.answering).run(script) { item in progress.withLock { $0.append(item) } }
    #expect(end.outcome.result == .verified)
    #expect(end.answer == 402)
    #expect(end.place == FlowPlace(modem: "m0", source: "10.0.0.2"))
    let told = progress.withLock { $0 }.map { item in
      switch item {
      case .hop(let step, let hop): "hop \(step) \(hop.index)"
      case .messageSent: "message sent"
      case .step(let step): "\(step.index) \(step.name) \(step.lane) \(step.host ?? "-") \(step.status ?? 0)"
      }
    }
    #expect(
      told == [
        "1 create host api.example 200", "hop 2 1", "2 open bearer api.example 202", "3 read bearer api.example 202",
        "4 code modem - 0", "5 wait host - 0",
      ])
  }

  @Test("A backend call by the bearer's route goes over the bearer alone, and never in clear")
  func routes() async throws {
    var lanes = Self.answering
    lanes.send = { _ in
      Issue.record("it went over the host's network")
      return .success(BackendReply(status: 200))
    }
    let secure = Script(actions: [.send(BackendCall("a", .patch, Self.url, route: .bearer))])
    #expect(try await Self.driver(lanes).run(secure).answer == 202)
    let clear = Script(actions: [.send(BackendCall("a", .get, try WebURL("http://api.example/"), route: .bearer))])
    #expect(try await Self.driver(lanes).run(clear).outcome.result == .notConfigured)
  }

  @Test("A limit on the bearer's answer is the backend's answer all the same")
  func rateLimit() async throws {
    var lanes = Self.answering
    lanes.open = { call, _ in
      let source = AnswerSource(asked: call.request.url)
      let answer = ChainAnswer(status: 429, contentType: "application/json", body: [], from: source)
      return BearerReply(.failed(ChainFailure(.rateLimited, retryAfter: 9, answer: answer, "too many")))
    }
    let script = Script(actions: [.send(BackendCall("a", .get, Self.url, route: .bearer))])
    #expect(try await Self.driver(lanes).run(script).answer == 429)
  }

  @Test("What is over its time ends with a timeout, and who leaves ends it with a cancellation")
  func ends() async throws {
    var lanes = Self.answering
    lanes.send = { _ in
      try await LimitClock.stopped.pause(for: .zero)
      return .success(BackendReply(status: 200))
    }
    let script = Script(actions: [.send(BackendCall("a", .get, Self.url, route: .host))])
    let time = DrivenClock()
    let driver = Self.driver(lanes, time)
    let late = Task { try await driver.run(script, within: .seconds(90)) }
    #expect(await time.asleep() == [.seconds(90)])
    time.advance(by: .seconds(90))
    #expect(try await late.value.outcome.result == .timeout)
    let flow = Task { try await driver.run(script) }
    flow.cancel()
    await #expect(throws: CancellationError.self) { try await flow.value }
  }
}
