import ModemModel

/// Passes each new state of a modem to all watchers.
struct StateBroadcast {
  private var watchers: [UInt64: AsyncStream<ModemState>.Continuation] = [:]
  private var nextID: UInt64 = 0

  /// A stream of states from now on. A reader that falls 64 states behind loses the oldest ones,
  /// but never the newest.
  mutating func add() -> (id: UInt64, stream: AsyncStream<ModemState>) {
    let (stream, continuation) = AsyncStream.makeStream(of: ModemState.self, bufferingPolicy: .bufferingNewest(64))
    nextID += 1
    watchers[nextID] = continuation
    return (nextID, stream)
  }

  mutating func remove(_ id: UInt64) { watchers.removeValue(forKey: id)?.finish() }

  func send(_ state: ModemState) {
    for watcher in watchers.values { watcher.yield(state) }
  }

  mutating func finish() {
    for watcher in watchers.values { watcher.finish() }
    watchers.removeAll()
  }
}
