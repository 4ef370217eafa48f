import LimitClock
import ModemModel
import Synchronization

/// A modem's events at the port's pace: the first of a kind at once, and a burst once per interval.
final class PacedEvents: Sendable {
  private struct State {
    var pacer: EventPacer
    var rests: [ModemEvent: Task<Void, Never>] = [:]
    var hasEnded = false
  }

  private let state: Mutex<State>
  private let mailbox = EventMailbox()
  private let clock: LimitClock

  init(_ pace: EventPace, clock: LimitClock) {
    state = Mutex(State(pacer: EventPacer(pace)))
    self.clock = clock
  }

  /// Passes each event to `handle`, one after the other, until the events end, the task is
  /// cancelled or `handle` returns false.
  func forEach(
    of events: AsyncStream<ModemEvent>, isolation: isolated (any Actor)? = #isolation,
    _ handle: (ModemEvent) async -> Bool
  ) async {
    let intake = Task {
      for await event in events { self.perform { $0.receive(event) } }
      self.mailbox.finish()
    }
    for await event in mailbox.events {
      guard await handle(event) else { break }
    }
    intake.cancel()
    end()
  }

  private func perform(_ step: (inout EventPacer) -> [EventPacer.Action]) {
    let actions = state.withLock { state -> [EventPacer.Action] in state.hasEnded ? [] : step(&state.pacer) }
    for action in actions {
      switch action {
      case .deliver(let event): mailbox.post(event)
      case .rest(let event, let duration): rest(event, duration)
      }
    }
  }

  private func rest(_ event: ModemEvent, _ duration: Duration) {
    let task = Task { [weak self, clock] in
      guard (try? await clock.pause(for: duration)) != nil else { return }
      self?.perform { $0.rested(event) }
    }
    state.withLock { state in
      if state.hasEnded { task.cancel() } else { state.rests[event] = task }
    }
  }

  private func end() {
    let rests = state.withLock { state -> [Task<Void, Never>] in
      state.hasEnded = true
      defer { state.rests = [:] }
      return Array(state.rests.values)
    }
    for rest in rests { rest.cancel() }
    mailbox.finish()
  }
}
