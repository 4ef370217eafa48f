import Synchronization

/// What happened to a connection and was not read yet, within bounds.
final class EventInbox: Sendable {
  private struct State {
    var queue: [MQTTEvent] = []
    var head = 0
    var messages = 0
    var answers = 0
    var turns = 0
    /// Messages that found no room.
    var lost = 0
    var isHeldBack = false
    var hasEnded = false
    var reader: CheckedContinuation<MQTTEvent?, Never>?

    mutating func append(_ event: MQTTEvent) {
      count(event, 1)
      queue.append(event)
    }

    mutating func next() -> MQTTEvent? {
      if lost > 0, messages == 0 {
        defer { lost = 0 }
        return .overflow(lost)
      }
      guard head < queue.count else { return nil }
      let event = queue[head]
      head += 1
      if head == queue.count || head >= 128 {
        queue.removeFirst(head)
        head = 0
      }
      count(event, -1)
      return event
    }

    private mutating func count(_ event: MQTTEvent, _ change: Int) {
      switch event {
      case .message: messages += change
      case .acknowledged, .unacknowledged, .notSubscribed: answers += change
      case .connecting, .connected, .lost: turns += change
      case .overflow: break
      }
    }

    /// Leaves the last turn of those that nobody read: a reader that sleeps for days needs no more.
    mutating func forgetTurns() {
      let last = queue.lastIndex { $0.isTurn }
      let kept = queue.indices.filter { $0 >= head && ($0 == last || !queue[$0].isTurn) }
      queue = kept.map { queue[$0] }
      head = 0
      turns = queue.count { $0.isTurn }
    }
  }

  private static let mostTurns = 64
  private static let mostAnswers = 4 * MQTTLimits.waiting

  private let state = Mutex(State())
  private let wake: @Sendable () -> Void

  /// - Parameter wake: called when the socket may be read again.
  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Whether so much is unread that nothing more is read off the socket for now.
  var isFull: Bool {
    state.withLock { state in
      state.isHeldBack = state.messages >= MQTTLimits.unread / 2
      return state.isHeldBack
    }
  }

  /// Whether the reader leaves the broker's answers lying.
  var isNeglected: Bool { state.withLock { $0.answers >= Self.mostAnswers } }

  func put(_ event: MQTTEvent) {
    let handed: (CheckedContinuation<MQTTEvent?, Never>, MQTTEvent?)? = state.withLock { state in
      guard !state.hasEnded else { return nil }
      if case .message = event, state.messages >= MQTTLimits.unread {
        state.lost += 1
        return nil
      }
      state.append(event)
      if state.turns > Self.mostTurns { state.forgetTurns() }
      guard let reader = state.reader else { return nil }
      state.reader = nil
      return (reader, state.next())
    }
    if let handed { handed.0.resume(returning: handed.1) }
  }

  /// A message came that nobody may see.
  func refuse() {
    let handed: (CheckedContinuation<MQTTEvent?, Never>, MQTTEvent?)? = state.withLock { state in
      guard !state.hasEnded else { return nil }
      state.lost += 1
      guard let reader = state.reader else { return nil }
      state.reader = nil
      return (reader, state.next())
    }
    if let handed { handed.0.resume(returning: handed.1) }
  }

  /// No event comes any more. What is there is read first.
  func end() {
    let reader = state.withLock { state in
      state.hasEnded = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  /// - Returns: the next event; nil at the end, and when the task is cancelled.
  func next() async -> MQTTEvent? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { wait($0) }
    } onCancel: {
      let reader = state.withLock { state in
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(returning: nil)
    }
  }

  private func wait(_ continuation: CheckedContinuation<MQTTEvent?, Never>) {
    enum Step {
      case wait(CheckedContinuation<MQTTEvent?, Never>?)
      case go(MQTTEvent?, isRoom: Bool)
    }
    // Asked here, not before: a task that is cancelled meanwhile finds its continuation.
    let step: Step = state.withLock { state in
      if let event = state.next() {
        let isRoom = state.isHeldBack && state.messages < MQTTLimits.unread / 4
        if isRoom { state.isHeldBack = false }
        return .go(event, isRoom: isRoom)
      }
      guard !state.hasEnded, !Task.isCancelled else { return .go(nil, isRoom: false) }
      defer { state.reader = continuation }
      return .wait(state.reader)
    }
    switch step {
    case .wait(let displaced): displaced?.resume(returning: nil)
    case .go(let event, let isRoom):
      if isRoom { wake() }
      continuation.resume(returning: event)
    }
  }
}

extension MQTTEvent {
  /// Whether it says how the connection is.
  fileprivate var isTurn: Bool {
    switch self {
    case .connecting, .connected, .lost: true
    case .message, .acknowledged, .unacknowledged, .notSubscribed, .overflow: false
    }
  }
}
