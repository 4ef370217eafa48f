/// When to try a lost or failed bearer again. It is a value: the caller supplies time and chance.
public struct ReconnectBackoff: Hashable, Sendable {
  /// How patient it is.
  public struct Policy: Hashable, Sendable {
    /// Waits after the first failure, the second and so on; the last one repeats.
    public var delays: [Duration]
    /// The same for causes that last until the subscription, SIM or configuration changes.
    public var lastingDelays: [Duration]
    /// After this time, a bearer counts as stable, and counting starts again.
    public var settledAfter: Duration
    /// The least time between an attempt and one that good news brings forward.
    public var leastSpacing: Duration
    /// The random extension of a wait, 0 to 1, so that a network's modems do not all return at
    /// once.
    public var jitter: Double

    public init(
      delays: [Duration] = [1, 2, 5, 15, 30, 60, 120, 300].map { .seconds($0) },
      lastingDelays: [Duration] = [600, 1800, 3600].map { .seconds($0) }, settledAfter: Duration = .seconds(60),
      leastSpacing: Duration = .seconds(5), jitter: Double = 0.2
    ) {
      self.delays = delays
      self.lastingDelays = lastingDelays
      self.settledAfter = settledAfter
      self.leastSpacing = leastSpacing
      self.jitter = jitter
    }
  }

  public let policy: Policy
  /// Failures in a row.
  public private(set) var failures = 0
  private var lastingFailures = 0

  public init(_ policy: Policy = Policy()) { self.policy = policy }

  /// The bearer went down after it had been up for this long.
  public mutating func ended(afterUp time: Duration) {
    if time >= policy.settledAfter { reset() }
  }

  /// Starts counting again: the bearer was requested, or it is stable.
  public mutating func reset() {
    failures = 0
    lastingFailures = 0
  }

  /// Counts a failure and returns how long to wait.
  ///
  /// - Parameters:
  ///   - isLasting: whether the cause is lasting.
  ///   - chance: 0 up to 1.
  public mutating func delay(isLasting: Bool, chance: Double) -> Duration {
    let list = isLasting ? policy.lastingDelays : policy.delays
    let position = isLasting ? lastingFailures : failures
    failures += 1
    lastingFailures = isLasting ? lastingFailures + 1 : 0
    let delay = list.isEmpty ? .seconds(60) : list[min(position, list.count - 1)]
    return delay + delay * (policy.jitter * min(max(chance, 0), 1))
  }

  /// How long to wait after good news: SIM ready, registered again, resumed from suspend.
  ///
  /// - Parameter time: since the last attempt; nil if there was none.
  public func delayAfterGoodNews(sinceAttempt time: Duration?) -> Duration {
    time.map { max(policy.leastSpacing - $0, .zero) } ?? .zero
  }
}
