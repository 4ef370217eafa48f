import LimitClock
import OutsideNumber
import Synchronization

/// Lets flows run as their schedule decides. A waiting flow can leave at any time, and then takes
/// no place.
final class FlowGate: Sendable {
  /// The right to run; it ends with `end`, or with the ticket.
  final class Ticket: Sendable {
    private let gate: FlowGate
    private let id: FlowSchedule.ID
    private let isOver = Mutex(false)

    fileprivate init(_ gate: FlowGate, _ id: FlowSchedule.ID) {
      self.gate = gate
      self.id = id
    }

    deinit { end() }

    func end() {
      let isFirst = isOver.withLock { isOver in
        defer { isOver = true }
        return !isOver
      }
      if isFirst { gate.end(id) }
    }
  }

  /// A flow that had to wait.
  private enum Place {
    /// It was told to wait, and has not begun yet.
    case arriving
    case waiting(CheckedContinuation<Void, any Error>)
    /// Decided before it began to wait.
    case decided(Result<Void, any Error>)
  }

  private struct State {
    var schedule: FlowSchedule
    var places: [FlowSchedule.ID: Place] = [:]
  }

  private let state: Mutex<State>
  private let clock: LimitClock

  init(_ limits: FlowLimits, clock: LimitClock = .machine) {
    state = Mutex(State(schedule: FlowSchedule(limits)))
    self.clock = clock
  }

  /// Other limits apply from now on, also to flows that wait; running ones go on.
  func change(to limits: FlowLimits) {
    let started = state.withLock { state in
      state.schedule.change(to: limits, now: clock.now).compactMap { Self.decide($0, .success(()), &state) }
    }
    for continuation in started { continuation.resume() }
  }

  func runningCount(over bearer: String) -> Int { state.withLock { $0.schedule.runningCount(over: bearer) } }

  /// Flows that run, over all bearers.
  var runningCount: Int { state.withLock { $0.schedule.runningCount } }

  /// Flows that wait, for all bearers.
  var waitingCount: Int { state.withLock { $0.schedule.waitingCount } }

  /// Waits for the flow's turn.
  ///
  /// - Parameter limit: how long it may wait.
  /// - Throws: `ServiceError` `tooManyFlows` if it may not even wait, `waitedTooLong`;
  ///   `CancellationError`.
  func enter(_ caller: Caller, bearer: String, within limit: Duration) async throws -> Ticket {
    let answer = state.withLock { state in
      let answer = state.schedule.ask(caller, bearer: bearer, now: clock.now)
      if case .waits(let id) = answer { state.places[id] = .arriving }
      return answer
    }
    switch answer {
    case .runs(let id): return Ticket(self, id)
    case .refused(let limit, let retryAfter):
      throw ServiceError(
        .tooManyFlows(limit: limit, retryAfter: retryAfter),
        "\(limit) flows wait for their turn already; try again in \(retryAfter.words)")
    case .waits(let id):
      let tooLong = ServiceError(
        .waitedTooLong(limit: state.withLock { $0.schedule.limits.perBearer }),
        "many flows run already, and the turn of this one did not come within \(limit.words); try again, or allow more time"
      )
      let timer = Task {
        try await clock.pause(for: limit)
        abandon(id, tooLong)
      }
      defer { timer.cancel() }
      try await wait(for: id)
      return Ticket(self, id)
    }
  }

  /// Enters if the flow's turn is now; otherwise nothing has changed.
  func enterAtOnce(_ caller: Caller, bearer: String) -> Ticket? {
    state.withLock { state in
      switch state.schedule.ask(caller, bearer: bearer, now: clock.now) {
      case .runs(let id): return Ticket(self, id)
      case .waits(let id):
        _ = state.schedule.leave(id)
        return nil
      case .refused: return nil
      }
    }
  }

  private func wait(for id: FlowSchedule.ID) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let decision: Result<Void, any Error>? = state.withLock { state in
          if case .decided(let result) = state.places[id] {
            state.places[id] = nil
            return result
          }
          state.places[id] = .waiting(continuation)
          return nil
        }
        if let decision { continuation.resume(with: decision) }
      }
    } onCancel: {
      abandon(id, CancellationError())
    }
  }

  private func end(_ id: FlowSchedule.ID) {
    let started = state.withLock { state in
      state.schedule.end(id, now: clock.now).compactMap { Self.decide($0, .success(()), &state) }
    }
    for continuation in started { continuation.resume() }
  }

  private func abandon(_ id: FlowSchedule.ID, _ error: any Error) {
    let continuation = state.withLock { state in
      // A running flow does not wait: it ends by itself.
      state.schedule.leave(id) ? Self.decide(id, .failure(error), &state) : nil
    }
    continuation?.resume(throwing: error)
  }

  private static func decide(
    _ id: FlowSchedule.ID, _ result: Result<Void, any Error>, _ state: inout State
  ) -> CheckedContinuation<Void, any Error>? {
    if case .waiting(let continuation) = state.places[id] {
      state.places[id] = nil
      return continuation
    }
    state.places[id] = .decided(result)
    return nil
  }
}
