import Synchronization

/// Collects a modem's events for one reader. At most one event of each kind waits here.
public final class EventMailbox: Sendable {
  private struct State {
    var pending = PendingEvents()
    var reader: CheckedContinuation<ModemEvent?, Never>?
    var isFinished = false
  }

  private let state = Mutex(State())

  public init() {}

  /// The events, for one reader at a time. They end after `finish`, when all are read.
  public var events: AsyncStream<ModemEvent> { AsyncStream { await self.next() } }

  /// How many events were dropped as already pending.
  public var coalesced: Int { state.withLock { $0.pending.coalesced } }

  public func post(_ event: ModemEvent) {
    let reader = state.withLock { state -> CheckedContinuation<ModemEvent?, Never>? in
      guard !state.isFinished else { return nil }
      guard let reader = state.reader else {
        state.pending.add(event)
        return nil
      }
      state.reader = nil
      return reader
    }
    reader?.resume(returning: event)
  }

  /// Accepts no more events; pending ones can still be read.
  public func finish() {
    let reader = state.withLock { state -> CheckedContinuation<ModemEvent?, Never>? in
      state.isFinished = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  /// Waits for the next event; nil at the end, and if the reader is cancelled.
  func next() async -> ModemEvent? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<ModemEvent?, Never>) in
        let (answer, other) = state.withLock {
          state -> (ModemEvent??, CheckedContinuation<ModemEvent?, Never>?) in
          if let event = state.pending.take() { return (.some(event), nil) }
          if state.isFinished || Task.isCancelled { return (.some(nil), nil) }
          // Of two readers, the earlier one gets the end.
          let other = state.reader
          state.reader = continuation
          return (nil, other)
        }
        other?.resume(returning: nil)
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let reader = state.withLock { state -> CheckedContinuation<ModemEvent?, Never>? in
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(returning: nil)
    }
  }
}
