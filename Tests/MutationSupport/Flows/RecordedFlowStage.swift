import AuthCore
import AuthFlows
import ClockTestSupport
import LimitClock
import ModemModel
import NetworkAddress
import RedirectChain
import Synchronization

/// What became of a recorded flow.
package struct RecordedFlowEnd: Sendable {
  package let outcome: FlowOutcome?
  /// Broken promises, in words.
  package let faults: [String]
}

/// Lanes that give recorded answers, with a clock of their own.
final class RecordedFlowStage: Sendable {
  /// More than any flow of several machines does.
  static let limit = 600
  static let start = Timestamp(milliseconds: 1_790_000_000_000)

  private struct State {
    var answers: [String: [RecordedAnswer]]
    var codes: [String]
    var given = RecordedFlow.Given()
    var count = 0
    var now = RecordedFlowStage.start
    var faults: [String] = []
  }

  private let recording: RecordedFlow
  private let state: Mutex<State>

  init(_ recording: RecordedFlow, _ answers: [String: [RecordedAnswer]]) {
    self.recording = recording
    state = Mutex(State(answers: answers, codes: recording.codes))
  }

  /// Runs the recorded flow, and compares its end with what every end must keep to.
  func run() async -> RecordedFlowEnd {
    let outcome: FlowOutcome?
    do {
      outcome = try await recording.run(flowRun)
    } catch let error as AuthError {
      check(error.message, "an error's text")
      outcome = nil
    } catch {
      check("\(error)", "an error's text")
      outcome = nil
    }
    guard let outcome else { return RecordedFlowEnd(outcome: nil, faults: state.withLock { $0.faults }) }
    check(outcome.text, "the outcome's text")
    if let code = outcome.code { check(code, "the outcome's code") }
    if let time = outcome.retryAfter, time < 0 { note("retryAfter is \(time)") }
    let given = state.withLock { $0.given }
    if outcome.result.isSuccess, !recording.allows(given) {
      note("it ended with \(outcome.result), which no answer says")
    }
    return RecordedFlowEnd(outcome: outcome, faults: state.withLock { $0.faults })
  }

  private func note(_ fault: String) { state.withLock { $0.faults.append(fault) } }

  private func check(_ text: String, _ what: String) {
    if let secret = recording.secrets.first(where: { text.contains($0) }) {
      note("\(what) shows '\(secret)': \(text.prefix(300))")
    }
    if text.utf8.count > 1000 { note("\(what) has \(text.utf8.count) bytes: \(text.prefix(100))") }
    if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      note("\(what) has control characters: \(text.debugDescription.prefix(300))")
    }
  }

  private var flowRun: FlowRun {
    var lanes = FlowLanes(
      open: { call, _ in
        try self.count(call.step)
        guard let answer = self.next(call.step) else {
          return BearerReply(.failed(ChainFailure(.bearerLost, "nothing stands for it")))
        }
        return answer.bearerReply(to: call, redirect: self.recording.redirect)
      },
      send: { call in
        try self.count(call.step)
        guard let answer = self.next(call.step) else {
          return .failure(BackendFailure(.connect, "nothing stands for it"))
        }
        return answer.backendResult
      },
      readCode: { wait in
        try self.count(wait.step)
        return self.code()
      },
      askForCode: { question in
        try self.count(question.step)
        if let purpose = question.purpose, purpose.utf8.count > 1000 {
          self.note("a purpose of \(purpose.utf8.count) bytes")
        }
        return self.code()
      })
    lanes.askSIM = { question in
      try self.count(question.step)
      return .success(Self.answer(question))
    }
    lanes.addresses = { [IPAddress("198.51.100.7")].compactMap(\.self) }
    let driver = FlowDriver(lanes, now: { self.state.withLock { $0.now } }, clock: clock)
    return FlowRun(driver) { progress in
      if case .step(let step) = progress, let failure = step.failure { self.check(failure, "a step's failure") }
    }
  }

  /// A SIM that answers every challenge.
  private static func answer(_ question: SIMQuestion) -> SIMReply {
    switch question.ask {
    case .begin:
      .began(EAPLogin(id: "login-1", identity: EAPIdentity("0001010123456063@nai.epc.mnc001.mcc001.3gppnetwork.org")))
    case .answer(let packet, _):
      .answered(packet.first == 4 ? EAPReply(.failure) : EAPReply(.response, packet: [2, 2, 0, 8, 23, 1, 0, 0]))
    }
  }

  private func next(_ step: String) -> RecordedAnswer? {
    state.withLock { state in
      // A second's way there and back.
      state.now = Timestamp(milliseconds: state.now.milliseconds + 1000)
      guard let list = state.answers[step], let answer = list.first else { return nil }
      if list.count > 1 { state.answers[step] = Array(list.dropFirst()) }
      state.given.answers[step, default: []].append(answer)
      return answer
    }
  }

  private func code() -> Result<Secret, CodeFailure> {
    state.withLock { state in
      guard let code = state.codes.first else { return .failure(CodeFailure(.late, "nobody gave it in time")) }
      if state.codes.count > 1 { state.codes.removeFirst() }
      return .success(Secret(code))
    }
  }

  /// The stage's clock: a pause takes its time, and no other. A flow sleeps twice: for its limit,
  /// and for a pause.
  private var clock: LimitClock {
    let driven = DrivenClock(movesWhenAsleep: 2) { time in
      let milliseconds = min(max(time / .milliseconds(1), 0), 1e13)
      self.state.withLock { $0.now = Timestamp(milliseconds: $0.now.milliseconds + Int64(milliseconds)) }
    }
    let clock = driven.clock
    return LimitClock(
      now: { clock.now },
      sleep: { time in
        try self.count("pause")
        if time < .zero || time > .seconds(3600) { self.note("a pause of \(time)") }
        try await clock.pause(for: time)
      })
  }

  /// - Throws: `CancellationError` for a flow that does not end.
  private func count(_ step: String) throws {
    let isOver = state.withLock { state in
      state.count += 1
      return state.count > Self.limit
    }
    guard isOver else { return }
    note("more than \(Self.limit) actions, the last one \(step)")
    throw CancellationError()
  }
}

extension RecordedFlow {
  /// Runs it with its answers as they are.
  package func run() async -> RecordedFlowEnd { await RecordedFlowStage(self, answers).run() }

  /// Runs it with other answers.
  package func run(_ answers: [String: [RecordedAnswer]]) async -> RecordedFlowEnd {
    await RecordedFlowStage(self, answers).run()
  }
}
