import AuthCore
import LimitClock
import RedirectChain
import Synchronization

/// What one flow has begun before it needs it: its bearer, and calls that are free of effects. Each
/// answer is given once, to an equal call of the same flow. What nobody asked for is cancelled when
/// the flow ends.
final class WorkAhead: Sendable {
  /// When something ran; without an end, it has just come to it.
  struct Times: Sendable {
    var began: LimitClock.Instant
    var ended: LimitClock.Instant?
  }

  /// Something that is over, with its times.
  struct Done<Value: Sendable>: Sendable {
    let value: Value
    let began: LimitClock.Instant
    let ended: LimitClock.Instant
  }

  typealias Answer = Done<Result<BackendReply, BackendFailure>>

  /// Calls that a flow may begin ahead. An answer has at most 256 KiB.
  static let callLimit = 4
  /// Connections that are opened beside one action.
  static let destinationLimit = 4

  private enum State {
    case open(Begun)
    case over
  }

  private struct Begun {
    /// Those that were begun ahead or sent, so that nothing is begun for a call of the past.
    var known: Set<BackendCall> = []
    var calls: [BackendCall: Task<Answer, any Error>] = [:]
    var count = 0
    var bearer: Task<Done<ChainFailure?>, any Error>?
  }

  private let state = Mutex(State.open(Begun()))

  deinit { end() }

  /// Begins a call, unless it was begun or sent before.
  func begin(_ call: BackendCall, _ lanes: FlowLanes, _ clock: LimitClock) {
    // What leads to a chain has an effect at the provider.
    guard call.route == .host, call.leadsTo == nil else { return }
    change { begun in
      guard begun.count < Self.callLimit, begun.known.insert(call).inserted else { return }
      begun.count += 1
      begun.calls[call] = Task {
        let began = clock.now
        return Done(value: try await lanes.send(call), began: began, ended: clock.now)
      }
    }
  }

  /// The answer to a call that was begun ahead, once it is there.
  ///
  /// - Returns: nil for a call to be sent now. That is one that was not begun, or that its lane did
  ///   not let in: nothing of it was sent.
  /// - Throws: `CancellationError` if the caller left.
  func take(_ call: BackendCall) async throws -> Answer? {
    let task = change { begun in
      begun.known.insert(call)
      return begun.calls.removeValue(forKey: call)
    }
    guard let task = task ?? nil else { return nil }
    do {
      return try await Self.value(of: task)
    } catch {
      try Task.checkCancellation()
      return nil
    }
  }

  /// Begins to bring the bearer up, unless that was begun before.
  ///
  /// - Parameter lead: the chain whose connections are made ready as soon as the bearer is up.
  func beginBearer(_ lanes: FlowLanes, _ clock: LimitClock, for lead: ChainLead? = nil) {
    change { begun in
      guard begun.bearer == nil else { return }
      begun.bearer = Task {
        let began = clock.now
        let failure = try await lanes.prepare()
        let done = Done(value: failure, began: began, ended: clock.now)
        if failure == nil, let lead { lanes.warm(lead.kind, lead.first) }
        return done
      }
    }
  }

  /// Why there is no bearer, or nil, once that is known.
  ///
  /// - Throws: what the lane throws, and `CancellationError`.
  func bearer() async throws -> Done<ChainFailure?> {
    guard let task = change({ $0.bearer }) ?? nil else { throw CancellationError() }
    return try await Self.value(of: task)
  }

  /// Cancels what nobody asked for. Nothing is begun from now on.
  func end() {
    let begun = state.withLock { state -> Begun? in
      guard case .open(let begun) = state else { return nil }
      state = .over
      return begun
    }
    for task in (begun?.calls ?? [:]).values { task.cancel() }
    begun?.bearer?.cancel()
  }

  /// Nil once the flow is over.
  @discardableResult
  private func change<Value: Sendable>(_ body: (inout Begun) -> Value) -> Value? {
    state.withLock { state -> Value? in
      guard case .open(var begun) = state else { return nil }
      state = .over
      defer { state = .open(begun) }
      return body(&begun)
    }
  }

  /// Who leaves also ends what is waited for.
  private static func value<Value: Sendable>(of task: Task<Value, any Error>) async throws -> Value {
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
