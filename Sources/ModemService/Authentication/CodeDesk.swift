import AuthCore
import Synchronization

/// Where callers hand in one-time codes for flows that wait for them. A flow is named by an id that nobody guesses, and only the user
/// who began it may give its code.
public final class CodeDesk: Sendable {
  /// Why a code was not taken.
  public enum Refusal: Error, Hashable, Sendable {
    /// No flow of this user has the id, or it does not wait for a code.
    case noSuchFlow
    /// The same code was given for this flow before, and was not the right one.
    case givenBefore
    /// It is no code: 4 to 16 letters and digits.
    case noCode
  }

  private struct Place {
    let caller: Caller
    var given: Set<Secret> = []
    var waiter: CheckedContinuation<Result<Secret, CodeFailure>, Never>?
  }

  private let places = Mutex<[String: Place]>([:])
  private let sleep: @Sendable (Duration) async throws -> Void

  /// - Parameter sleep: ends early when its task is cancelled.
  public init(sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }) {
    self.sleep = sleep
  }

  /// Makes a place for a flow's codes.
  ///
  /// - Returns: its id: 32 hexadecimal digits. `close` takes the place away.
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

  /// Waits until somebody gives a code.
  ///
  /// - Throws: `CancellationError` when the flow's caller left.
  public func wait(at id: String, for time: Duration) async throws -> Result<Secret, CodeFailure> {
    let result = try await withThrowingTaskGroup(of: Result<Secret, CodeFailure>?.self) { group in
      group.addTask { await self.next(at: id) }
      group.addTask {
        try await self.sleep(time)
        return .failure(
          CodeFailure(.late, "nobody gave the code within \(time.components.seconds) seconds; begin again"))
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

  /// Hands in a code.
  ///
  /// - Throws: `Refusal`; then the flow waits on.
  public func give(_ code: Secret, to id: String, by caller: Caller) throws(Refusal) {
    guard Self.isCode(code.revealed) else { throw .noCode }
    let taken: Result<CheckedContinuation<Result<Secret, CodeFailure>, Never>, Refusal> = places.withLock { places in
      guard var place = places[id], place.caller == caller, let waiter = place.waiter else {
        return .failure(.noSuchFlow)
      }
      // It waits again because what it got was refused.
      guard place.given.insert(code).inserted else { return .failure(.givenBefore) }
      place.waiter = nil
      places[id] = place
      return .success(waiter)
    }
    try taken.get().resume(returning: .success(code))
  }

  private static func isCode(_ text: String) -> Bool {
    (4...16).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0) }
  }

  private func next(at id: String) async -> Result<Secret, CodeFailure>? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isPlaced = places.withLock { places in
          guard places[id] != nil, places[id]?.waiter == nil, !Task.isCancelled else { return false }
          places[id]?.waiter = continuation
          return true
        }
        if !isPlaced { continuation.resume(returning: .failure(CodeFailure(.unavailable, "the flow is over"))) }
      }
    } onCancel: {
      leave(id)
    }
  }

  /// Nobody waits there any more.
  private func leave(_ id: String) {
    let waiter = places.withLock { places in
      defer { places[id]?.waiter = nil }
      return places[id]?.waiter
    }
    waiter?.resume(returning: .failure(CodeFailure(.unavailable, "nobody waits for the code any more")))
  }
}
