import ModemService
import Synchronization
import TrafficLedger

/// The life of one connection or socket: what it holds, and who wants to end it. It is over once,
/// and everything that it holds is free then.
final class ConnectionLife: Sendable {
  /// Why it is ended from outside.
  enum End: Hashable, Sendable {
    case budgetSpent, requested, bearerLost

    init(_ end: TrafficAccount.End) {
      self =
        switch end {
        case .budgetSpent: .budgetSpent
        case .requested: .requested
        case .bearerLost: .bearerLost
        }
    }
  }

  /// What is given back at the end.
  private struct Holdings {
    let place: ConnectionCount.Place
    var use: BearerUse?
    var loss: Task<Void, Never>?
  }

  private enum State {
    case open(Holdings, onEnd: (@Sendable (End) -> Void)?)
    /// It was ended from outside, and is not over yet.
    case ended(Holdings, End)
    case over(End?)
  }

  let account: TrafficAccount
  private let state: Mutex<State>

  init(_ account: TrafficAccount, _ place: ConnectionCount.Place, _ use: BearerUse?) {
    self.account = account
    state = Mutex(.open(Holdings(place: place, use: use), onEnd: nil))
  }

  /// Follows the account and the bearer.
  func follow(_ losses: AsyncStream<BearerLoss>) {
    let loss = Task { [weak self] in
      for await _ in losses { self?.lost() }
    }
    let isOver = state.withLock { state in
      switch state {
      case .open(var holdings, let onEnd):
        holdings.loss = loss
        state = .open(holdings, onEnd: onEnd)
        return false
      case .ended, .over: return true
      }
    }
    if isOver { loss.cancel() }
    account.onEnd { [weak self] in self?.end(End($0)) }
  }

  /// Why it was ended from outside; nil if it was not.
  var ending: End? {
    state.withLock { state in
      switch state {
      case .open: nil
      case .ended(_, let end): end
      case .over(let end): end
      }
    }
  }

  /// Says what ends the connection from now on, in place of what ended it until now. If it was
  /// ended already, `body` runs at once.
  func onEnd(_ body: @escaping @Sendable (End) -> Void) {
    let end = state.withLock { state -> End? in
      switch state {
      case .open(let holdings, _):
        state = .open(holdings, onEnd: body)
        return nil
      case .ended(_, let end): return end
      case .over: return nil
      }
    }
    if let end { body(end) }
  }

  /// Whether nothing of it is open.
  var isOver: Bool { state.withLock { if case .over = $0 { true } else { false } } }

  /// The bearer is not in use by it, for now.
  func endUse() {
    let use = state.withLock { state -> BearerUse? in
      guard case .open(var holdings, let onEnd) = state else { return nil }
      defer {
        holdings.use = nil
        state = .open(holdings, onEnd: onEnd)
      }
      return holdings.use
    }
    use?.end()
  }

  /// The bearer is in use from now on.
  func begin(_ use: BearerUse) {
    state.withLock { state in
      guard case .open(var holdings, let onEnd) = state else { return }
      holdings.use = use
      state = .open(holdings, onEnd: onEnd)
    }
  }

  /// Ends it from outside. Only the first reason counts.
  func end(_ reason: End) {
    let body = state.withLock { state -> (@Sendable (End) -> Void)? in
      guard case .open(let holdings, let onEnd) = state else { return nil }
      state = .ended(holdings, reason)
      return onEnd
    }
    body?(reason)
  }

  /// The bearer is gone. What was ended before and is not over yet is over with it.
  private func lost() {
    if ending == nil { end(.bearerLost) } else { finish() }
  }

  /// It is over: nothing of it is open.
  func finish() {
    let holdings = state.withLock { state -> Holdings? in
      switch state {
      case .open(let holdings, _):
        state = .over(nil)
        return holdings
      case .ended(let holdings, let end):
        state = .over(end)
        return holdings
      case .over: return nil
      }
    }
    guard let holdings else { return }
    holdings.loss?.cancel()
    holdings.use?.end()
    account.close()
  }

  deinit { finish() }
}
