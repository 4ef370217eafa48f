import AuthCore
import AuthFlows
import ModemModel
@_spi(Exchange) import RedirectChain
import Synchronization
import Testing
@_spi(Exchange) import Web

@Suite("Machines one after the other")
struct FlowRunTests {
  /// One call, and its status as the answer.
  struct One: FlowMachine {
    mutating func start(at now: Timestamp) -> FlowAction<Int> {
      .send(BackendCall("ask", .get, DriverTests.url, route: .host))
    }

    mutating func receive(_ event: FlowEvent, at now: Timestamp) -> FlowAction<Int> {
      guard case .answered(let reply) = event else { return .finish(FlowOutcome(.badAnswer, "no answer"), nil) }
      return .finish(FlowOutcome(.verified, "done"), reply.status)
    }
  }

  @Test("The bearer comes up once, before the first machine, and steps are counted on")
  func counting() async throws {
    let steps = Mutex<[String]>([])
    let preparations = Mutex(0)
    var lanes = DriverTests.answering
    lanes.prepare = {
      preparations.withLock { $0 += 1 }
      return nil
    }
    let run = FlowRun(DriverTests.driver(lanes)) { progress in
      if case .step(let step) = progress { steps.withLock { $0.append("\(step.index) \(step.name)") } }
    }
    #expect(try await run(One()).answer == 200)
    #expect(try await run(One()).answer == 200)
    #expect(steps.withLock { $0 } == ["1 bearer", "2 ask", "3 ask"])
    #expect(preparations.withLock { $0 } == 1)
  }

  @Test("Without a bearer nothing is asked of anybody, and the reason is the outcome")
  func noBearer() async throws {
    var lanes = DriverTests.answering
    lanes.prepare = { ChainFailure(.simLocked, "the SIM waits for its PIN") }
    lanes.send = { _ in
      Issue.record("a backend was asked")
      return .success(BackendReply(status: 200))
    }
    let end = try await FlowRun(DriverTests.driver(lanes)) { _ in }(One())
    #expect(end.outcome.result == .noDataPath && end.outcome.cause == .simLocked && end.answer == nil)
  }
}
