import HTTPExchange
import LimitClock
import NIOCore
import Synchronization
import Web

/// The connections of a client that wait for their users' next calls, with their timers.
final class KeptConnections: Sendable {
  typealias Shelf = ConnectionShelf<Waiting>

  /// A connection, and the timer that ends its wait.
  struct Waiting: Sendable {
    let connection: KeptConnection
    let timer: Scheduled<Void>
  }

  private enum State {
    case open(Shelf)
    /// Nothing is kept any more.
    case retired
  }

  private let state: Mutex<State>
  /// Advances while the machine sleeps: the server's clock does so too.
  private let clock: LimitClock
  let quiet: Duration

  init(_ keeping: ConnectionKeeping, clock: LimitClock) {
    state = Mutex(.open(Shelf(keeping)))
    quiet = keeping.quiet
    self.clock = clock
  }

  deinit { retire() }

  var now: LimitClock.Instant { clock.now }

  /// How many wait.
  var count: Int { change { $0.count } ?? 0 }

  /// Keeps a connection whose last answer is whole, or closes it. Call it on the connection's loop.
  ///
  /// - Parameters:
  ///   - answer: the fields of the last answer.
  ///   - isFirst: whether the connection has not been kept before.
  func keep(_ connection: KeptConnection, _ key: Shelf.Key, after answer: [WebHeader], isFirst: Bool) {
    let said = KeepAliveField(answer)
    let now = clock.now
    let place = change { shelf -> (id: Shelf.ID, time: Duration)? in
      guard !said.isLast,
        let time = shelf.patience(key, opened: connection.opened, announced: said.timeout, at: now)
      else { return nil }
      return (shelf.makeID(), time)
    }
    guard let place = place ?? nil else { return connection.channel.close(promise: nil) }
    let timer = connection.channel.eventLoop.scheduleTask(in: TimeAmount(place.time)) { [weak self] in
      guard let self else { return }
      close(change { $0.remove(place.id) } ?? nil)
    }
    let waiting = Waiting(connection: connection, timer: timer)
    let closing = change { $0.put(waiting, key, as: place.id, for: place.time, at: now) } ?? [waiting]
    for other in closing { close(other) }
    guard isFirst else { return }
    let handler = connection.handler
    connection.channel.closeFuture.whenComplete { [weak self, weak handler] _ in
      guard let self, let handler else { return }
      let closing = change { $0.ended(at: self.clock.now) { $0.connection.handler === handler } }
      for waiting in closing ?? [] { close(waiting) }
    }
  }

  /// Takes a connection for a call; nil if none waits.
  ///
  /// - Parameter isRepeatable: whether the call's request may be sent twice.
  func take(_ key: Shelf.Key, isRepeatable: Bool) -> KeptConnection? {
    guard let (taken, closing) = change({ $0.take(key, isRepeatable: isRepeatable, at: clock.now) }) else { return nil }
    for waiting in closing { close(waiting) }
    taken?.timer.cancel()
    return taken?.connection
  }

  /// Whether a connection should be opened ahead: none waits that would serve any call, and one
  /// would be kept.
  func misses(_ key: Shelf.Key) -> Bool { change { $0.misses(key, at: clock.now) } ?? false }

  /// A server ended a connection instead of answering: nothing is kept for it for a while.
  func distrust(_ key: Shelf.Key) {
    for waiting in change({ $0.distrust(key, at: clock.now) }) ?? [] { close(waiting) }
  }

  /// Closes what waits. From now on nothing is kept.
  func retire() {
    let closing = state.withLock { state -> [Waiting] in
      guard case .open(var shelf) = state else { return [] }
      state = .retired
      return shelf.removeAll()
    }
    for waiting in closing { close(waiting) }
  }

  /// Nil once nothing is kept any more.
  @discardableResult
  private func change<Value: Sendable>(_ body: (inout Shelf) -> Value) -> Value? {
    state.withLock { state -> Value? in
      guard case .open(var shelf) = state else { return nil }
      defer { state = .open(shelf) }
      return body(&shelf)
    }
  }

  private func close(_ waiting: Waiting?) {
    waiting?.timer.cancel()
    waiting?.connection.channel.close(promise: nil)
  }
}
