import NIOCore
import NetworkAddress

/// Opens a connection to the first address that answers. IPv6 starts a quarter of a second before
/// IPv4 (RFC 8305).
///
/// `@unchecked Sendable`: confined to the scope's loop; every method runs on it.
final class ConnectRace<Opened: Sendable>: @unchecked Sendable {
  private struct Attempt {
    let address: IPAddress
    /// Whether it belongs to the family that is not preferred.
    let isOfOtherFamily: Bool
  }

  private let scope: ChainScope
  private let timing: ConnectionTiming
  private let open: @Sendable (IPAddress) -> EventLoopFuture<Opened>
  private let discard: @Sendable (Opened) -> Void
  private let promise: EventLoopPromise<Opened>
  private var left: [Attempt]
  private var running = 0
  private var errors: [any Error] = []
  private var isDone = false
  private var timer: Scheduled<Void>?

  /// - Parameters:
  ///   - addresses: at least one, in order of preference.
  ///   - isIPv4: the family that is kept to if possible; nil for none.
  ///   - open: opens a connection to an address, on the scope's loop.
  ///   - discard: closes a connection that came too late.
  init(
    _ addresses: [ReachableAddress], preferring isIPv4: Bool?, _ scope: ChainScope, _ timing: ConnectionTiming,
    open: @escaping @Sendable (IPAddress) -> EventLoopFuture<Opened>, discard: @escaping @Sendable (Opened) -> Void
  ) {
    self.scope = scope
    self.timing = timing
    self.open = open
    self.discard = discard
    let attempts = addresses.map { reachable in
      Attempt(
        address: reachable.address, isOfOtherFamily: isIPv4.map { $0 != reachable.address.isIPv4 } ?? false)
    }
    left = attempts.filter { !$0.isOfOtherFamily } + attempts.filter(\.isOfOtherFamily)
    promise = scope.loop.makePromise()
  }

  func start() -> EventLoopFuture<Opened> {
    next()
    return promise.futureResult
  }

  /// Opens no more connections, and discards the one that is on its way.
  func cancel() { finish(.failure(CancellationError())) }

  private func next() {
    guard !isDone else { return }
    timer?.cancel()
    guard !left.isEmpty else {
      if running == 0 { finish(.failure(errors.first ?? BoundHTTPError(.badAddress, "there is no address"))) }
      return
    }
    let attempt = left.removeFirst()
    running += 1
    if let later = left.first {
      let isTurn = later.isOfOtherFamily && !attempt.isOfOtherFamily
      let delay = TimeAmount(isTurn ? timing.otherFamily : timing.nextAddress)
      timer = scope.loop.scheduleTask(in: delay) { self.next() }
    }
    open(attempt.address).whenComplete { result in
      self.running -= 1
      switch result {
      case .success(let opened):
        if self.isDone {
          self.discard(opened)
        } else {
          self.finish(.success(opened))
        }
      case .failure(let error):
        self.errors.append(error)
        // The other family is tried when the preferred one has no addresses left, or when its
        // timer fires.
        if self.running == 0 || self.left.first?.isOfOtherFamily != true { self.next() }
      }
    }
  }

  private func finish(_ result: Result<Opened, any Error>) {
    guard !isDone else { return }
    isDone = true
    timer?.cancel()
    promise.completeWith(result)
  }
}
