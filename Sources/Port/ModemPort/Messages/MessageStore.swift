import ModemModel

/// The modem's messages as the port knows them, and their watchers.
struct MessageStore {
  /// How many messages that the modem does not store are kept; the oldest is dropped first.
  static let memoryLimit = 64

  private var messages: [StoredMessage] = []
  private(set) var state = MessageStoreState(unavailable: "the control port is not open yet")
  /// How many messages came.
  private(set) var arrivals: UInt64 = 0
  /// Whether this SIM's store was read before. Any additional message in a later reading has
  /// arrived since.
  private var wasLoaded = false
  private var lastInMemory = 0
  private var watchers: [UInt64: AsyncStream<MessageUpdate>.Continuation] = [:]
  private var nextWatcher: UInt64 = 0

  private var snapshot: MessageUpdate { .snapshot(messages, state) }

  /// The present messages, then every change. A reader that falls 1024 updates behind gets no more,
  /// and must ask again.
  mutating func watch() -> (id: UInt64, stream: AsyncStream<MessageUpdate>) {
    let (stream, continuation) = AsyncStream.makeStream(
      of: MessageUpdate.self, bufferingPolicy: .bufferingOldest(1024))
    nextWatcher += 1
    watchers[nextWatcher] = continuation
    continuation.yield(snapshot)
    return (nextWatcher, stream)
  }

  mutating func forget(_ watcher: UInt64) { watchers.removeValue(forKey: watcher)?.finish() }

  mutating func finish() {
    for watcher in watchers.values { watcher.finish() }
    watchers = [:]
  }

  /// Loads the store's messages. Messages that only the port keeps stay. For the others, what is
  /// known about their arrival stays.
  mutating func load(_ stored: [StoredMessage], isFull: Bool, at now: Timestamp) {
    let known = Dictionary(messages.map { ($0.reference, $0) }) { first, _ in first }
    let kept = stored.map { message in
      if let old = known[message.reference], old.pdu == message.pdu { return old }
      var message = message
      if wasLoaded { message.received = now }
      return message
    }
    wasLoaded = true
    messages = kept + messages.filter { !$0.isStored }
    state = MessageStoreState(isFull: isFull)
    send(snapshot)
  }

  /// Forgets everything, because the SIM was replaced or removed.
  mutating func clear(because reason: String) {
    guard !messages.isEmpty || state.unavailable != reason else { return }
    messages = []
    wasLoaded = false
    state = MessageStoreState(unavailable: reason)
    send(snapshot)
  }

  /// Keeps what is known; nothing new can be learned at present.
  mutating func becomeUnavailable(because reason: String) {
    guard state.unavailable != reason else { return }
    state.unavailable = reason
    send(snapshot)
  }

  mutating func setFull(_ isFull: Bool) {
    guard state.isFull != isFull else { return }
    state.isFull = isFull
    send(snapshot)
  }

  /// Adds a message that came.
  mutating func add(_ message: StoredMessage) {
    var message = message
    arrivals += 1
    if !message.isStored {
      lastInMemory += 1
      message.reference = "memory/\(lastInMemory)"
      let inMemory = messages.filter { !$0.isStored }
      if inMemory.count >= Self.memoryLimit, let oldest = inMemory.first { remove(oldest.reference) }
    }
    messages.removeAll { $0.reference == message.reference }
    messages.append(message)
    send(.arrived(message))
  }

  mutating func remove(_ reference: String) {
    messages.removeAll { $0.reference == reference }
    send(.removed(reference: reference))
  }

  func message(at reference: String) -> StoredMessage? { messages.first { $0.reference == reference } }

  private mutating func send(_ update: MessageUpdate) {
    for (id, watcher) in watchers {
      // A dropped update would leave its reader with a wrong state.
      if case .dropped = watcher.yield(update) {
        watcher.finish()
        watchers[id] = nil
      }
    }
  }
}
