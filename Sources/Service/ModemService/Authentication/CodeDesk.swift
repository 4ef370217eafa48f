import AuthCore
import Synchronization
import TaskPause

/// Where callers give flows what they ask for: codes, PINs, and the content of mails. An
/// unpredictable id identifies a flow, and only the user who began it may answer.
public final class CodeDesk: Sendable {
  /// Why a code was refused.
  public enum Refusal: Error, Hashable, Sendable {
    /// No flow of this user has the id, or it does not wait for this.
    case noSuchFlow
    /// The same code was given for this flow before, and was wrong.
    case givenBefore
    /// It does not have the required form.
    case wrongForm(expected: String)
  }

  private struct Place {
    let caller: Caller
    /// Never PINs.
    var given: Set<Secret> = []
    /// Set until it is answered.
    var wanted: CodeQuestion.Wanted?
    /// An answer that came before the flow waited for it.
    var early: Secret?
    var waiter: CheckedContinuation<Result<Secret, CodeFailure>, Never>?
  }

  private let places = Mutex<[String: Place]>([:])
  private let sleep: @Sendable (Duration) async throws -> Void

  /// - Parameter sleep: ends early when its task is cancelled.
  public init(sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.pause(for: $0) }) {
    self.sleep = sleep
  }

  /// Makes a place for a flow's answers.
  ///
  /// - Returns: its id: 32 hexadecimal digits. `close` removes the place.
  public func open(for caller: Caller) -> String {
    var generator = SystemRandomNumberGenerator()
    let id = (0..<4).map { _ in
      let digits = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
    places.withLock { $0[id] = Place(caller: caller) }
    return id
  }

  /// Ends whatever waits there.
  public func close(_ id: String) {
    let place = places.withLock { $0.removeValue(forKey: id) }
    place?.waiter?.resume(returning: .failure(CodeFailure(.unavailable, "the flow is over")))
  }

  /// Asks, and waits until somebody answers.
  ///
  /// - Parameter tell: tells the caller; the answer may come at once.
  /// - Throws: `CancellationError` if the flow's caller left.
  public func wait(
    at id: String, for question: CodeQuestion, tell: @Sendable () -> Void = {}
  ) async throws -> Result<Secret, CodeFailure> {
    places.withLock { $0[id]?.wanted = question.wanted }
    tell()
    let result = try await withThrowingTaskGroup(of: Result<Secret, CodeFailure>?.self) { group in
      group.addTask { await self.next(at: id) }
      group.addTask {
        try await self.sleep(question.time)
        let seconds = question.time.components.seconds
        return .failure(
          CodeFailure(.late, "nobody gave \(question.wanted.words) within \(seconds) seconds; begin again"))
      }
      defer {
        group.cancelAll()
        leave(id)
      }
      return try await group.next() ?? nil
    }
    try Task.checkCancellation()
    return result ?? .failure(CodeFailure(.unavailable, "the flow is over"))
  }

  /// Hands in an answer.
  ///
  /// - Parameter kind: the kind of answer; a flow that waits for another kind does not get it.
  /// - Throws: `Refusal`; the flow then continues to wait.
  public func give(_ answer: Secret, _ kind: Answer, to id: String, by caller: Caller) throws(Refusal) {
    let taken: Result<CheckedContinuation<Result<Secret, CodeFailure>, Never>?, Refusal> = places.withLock { places in
      guard var place = places[id], place.caller == caller, let wanted = place.wanted, wanted.answer == kind else {
        return .failure(.noSuchFlow)
      }
      guard wanted.fits(answer.revealed) else { return .failure(.wrongForm(expected: wanted.form)) }
      // It waits again because its last answer was refused. A PIN is not kept for that.
      guard kind == .pin || place.given.insert(answer).inserted else { return .failure(.givenBefore) }
      let waiter = place.waiter
      place.waiter = nil
      place.wanted = nil
      place.early = waiter == nil ? answer : nil
      places[id] = place
      return .success(waiter)
    }
    try taken.get()?.resume(returning: .success(answer))
  }

  private func next(at id: String) async -> Result<Secret, CodeFailure>? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Result<Secret, CodeFailure>? = places.withLock { places in
          guard var place = places[id], place.waiter == nil, !Task.isCancelled else {
            return .failure(CodeFailure(.unavailable, "the flow is over"))
          }
          defer { places[id] = place }
          if let early = place.early.take() { return .success(early) }
          place.waiter = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      leave(id)
    }
  }

  /// Nobody waits there any more.
  private func leave(_ id: String) {
    let waiter = places.withLock { places in
      defer {
        places[id]?.waiter = nil
        places[id]?.wanted = nil
        places[id]?.early = nil
      }
      return places[id]?.waiter
    }
    waiter?.resume(returning: .failure(CodeFailure(.unavailable, "nobody waits for the code any more")))
  }
}
