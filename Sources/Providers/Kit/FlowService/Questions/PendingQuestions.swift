import AuthCore
import LimitClock
import Synchronization

/// Where callers hand in what flows ask them for: codes, PINs, and what a mail holds. A flow is
/// named by an id that nobody guesses, and only the user who began it may answer.
package final class PendingQuestions: Sendable {
  /// Why a code was not taken.
  package enum Refusal: Error, Hashable, Sendable {
    /// No flow of this user has the id, or it does not wait for this.
    case noSuchFlow
    /// The same code was given for this flow before, and was wrong.
    case givenBefore
    /// It does not have the required form.
    case wrongForm(expected: String)
  }

  private struct Place {
    let user: UInt32
    /// Never PINs.
    var given: Set<Secret> = []
    /// Set until it is answered.
    var wanted: CodeQuestion.Wanted?
    /// An answer that came before the flow waited for it.
    var early: Secret?
    var waiter: CheckedContinuation<Result<Secret, CodeFailure>, Never>?
  }

  private let places = Mutex<[String: Place]>([:])
  private let clock: LimitClock

  package init(clock: LimitClock = .machine) { self.clock = clock }

  /// Makes a place for a flow's answers.
  ///
  /// - Returns: its id: 32 hexadecimal digits. `close` takes the place away.
  package func open(for user: UInt32) -> String {
    var generator = SystemRandomNumberGenerator()
    let id = (0..<4).map { _ in
      let digits = String(UInt32.random(in: .min ... .max, using: &generator), radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
    places.withLock { $0[id] = Place(user: user) }
    return id
  }

  /// Ends whatever waits there.
  package func close(_ id: String) {
    let place = places.withLock { $0.removeValue(forKey: id) }
    place?.waiter?.resume(returning: .failure(CodeFailure(.unavailable, "the flow is over")))
  }

  /// Asks, and waits until somebody answers.
  ///
  /// - Parameter tell: tells the caller; the answer may come at once.
  /// - Throws: `CancellationError` when the flow's caller left.
  package func wait(
    at id: String, for question: CodeQuestion, tell: @Sendable () -> Void = {}
  ) async throws -> Result<Secret, CodeFailure> {
    places.withLock { $0[id]?.wanted = question.wanted }
    tell()
    let result = try await withThrowingTaskGroup(of: Result<Secret, CodeFailure>?.self) { group in
      group.addTask { await self.next(at: id) }
      group.addTask {
        try await self.clock.pause(for: question.time)
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
  /// - Parameter kind: what it is; a flow that waits for something else does not get it.
  /// - Throws: `Refusal`; then the flow waits on.
  package func give(_ answer: Secret, _ kind: Answer, to id: String, by user: UInt32) throws(Refusal) {
    let taken: Result<CheckedContinuation<Result<Secret, CodeFailure>, Never>?, Refusal> = places.withLock { places in
      guard var place = places[id], place.user == user, let wanted = place.wanted, wanted.answer == kind else {
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
