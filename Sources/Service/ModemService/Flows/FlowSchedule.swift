import LimitClock

/// Decides which flow runs, which waits and which is refused. A value without clock or lock.
///
/// A flow runs while its bearer and its caller are below their limits. Others wait: one caller's
/// flows for one bearer keep their order, and callers take turns. Between two calls, no waiting
/// flow could run.
///
/// If many may run, only root may use all places: see `FlowLimits`.
struct FlowSchedule: Sendable {
  typealias Instant = LimitClock.Instant

  /// Identifies a flow while it runs or waits.
  struct ID: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// The answer to a flow's request.
  enum Answer: Hashable, Sendable {
    case runs(ID)
    case waits(ID)
    /// The queue is full: how many may wait, and when it will probably be empty.
    case refused(limit: Int, retryAfter: Duration)
  }

  private struct Running {
    let caller: Caller
    let bearer: String
    let since: Instant
  }

  private struct Place: Hashable {
    let caller: Caller
    let bearer: String
  }

  private struct Waiting {
    let id: ID
    let bearer: String
  }

  private(set) var limits: FlowLimits
  private var nextNumber: UInt64 = 0
  private var running: [ID: Running] = [:]
  private var countByBearer: [String: Int] = [:]
  private var countByCaller: [Caller: Int] = [:]
  private var countByPlace: [Place: Int] = [:]
  private var queues: [Caller: [Waiting]] = [:]
  /// The waiting callers; the first has the next turn.
  private var turns: [Caller] = []
  private(set) var waitingCount = 0
  /// The typical duration of a flow, as far as it is known; recent ones count more.
  private var typical = Duration.seconds(1)

  init(_ limits: FlowLimits) { self.limits = limits }

  var runningCount: Int { running.count }

  func runningCount(over bearer: String) -> Int { countByBearer[bearer] ?? 0 }

  /// Other limits apply from now on. No flow ends for them: where fewer may run, others wait until
  /// there is room.
  ///
  /// - Returns: the flows that run from now on, in their order.
  mutating func change(to limits: FlowLimits, now: Instant) -> [ID] {
    self.limits = limits
    return startNext(now)
  }

  /// A flow wants to run.
  mutating func ask(_ caller: Caller, bearer: String, now: Instant) -> Answer {
    nextNumber += 1
    let id = ID(number: nextNumber)
    if hasPlace(caller, bearer) {
      start(id, caller, bearer, now)
      return .runs(id)
    }
    let own = queues[caller]?.count ?? 0
    if own >= limits.waitingPerCaller {
      return .refused(limit: limits.waitingPerCaller, retryAfter: drain(own, countByCaller[caller] ?? 0))
    }
    if waitingCount >= limits.waiting(for: caller) {
      return .refused(limit: limits.waiting, retryAfter: drain(waitingCount, running.count))
    }
    if own == 0 { turns.append(caller) }
    queues[caller, default: []].append(Waiting(id: id, bearer: bearer))
    waitingCount += 1
    return .waits(id)
  }

  /// A running flow is over.
  ///
  /// - Returns: the flows that run from now on, in their order.
  mutating func end(_ id: ID, now: Instant) -> [ID] {
    guard let flow = running.removeValue(forKey: id) else { return [] }
    Self.decrease(&countByBearer, flow.bearer)
    Self.decrease(&countByCaller, flow.caller)
    Self.decrease(&countByPlace, Place(caller: flow.caller, bearer: flow.bearer))
    typical = (typical * 7 + (now - flow.since)) / 8
    return startNext(now)
  }

  /// A waiting flow no longer wants to run. False if it does not wait.
  mutating func leave(_ id: ID) -> Bool {
    for (caller, queue) in queues {
      guard let index = queue.firstIndex(where: { $0.id == id }) else { continue }
      remove(at: index, of: caller)
      return true
    }
    return false
  }

  private func hasPlace(_ caller: Caller, _ bearer: String) -> Bool {
    countByBearer[bearer] ?? 0 < limits.perBearer(for: caller) && countByCaller[caller] ?? 0 < limits.perCaller
      && countByPlace[Place(caller: caller, bearer: bearer)] ?? 0 < limits.share(of: caller)
  }

  private mutating func start(_ id: ID, _ caller: Caller, _ bearer: String, _ now: Instant) {
    running[id] = Running(caller: caller, bearer: bearer, since: now)
    countByBearer[bearer, default: 0] += 1
    countByCaller[caller, default: 0] += 1
    countByPlace[Place(caller: caller, bearer: bearer), default: 0] += 1
  }

  /// Starts the flows that may run: one per turn of a caller, until no place is free.
  private mutating func startNext(_ now: Instant) -> [ID] {
    var started: [ID] = []
    var index = 0
    while index < turns.count {
      let caller = turns[index]
      guard let next = queues[caller]?.firstIndex(where: { hasPlace(caller, $0.bearer) }),
        let flow = queues[caller]?[next]
      else {
        index += 1
        continue
      }
      start(flow.id, caller, flow.bearer, now)
      started.append(flow.id)
      // Its next turn comes after everybody else's.
      turns.remove(at: index)
      turns.append(caller)
      remove(at: next, of: caller)
      index = 0
    }
    return started
  }

  private mutating func remove(at index: Int, of caller: Caller) {
    queues[caller]?.remove(at: index)
    waitingCount -= 1
    guard queues[caller]?.isEmpty == true else { return }
    queues[caller] = nil
    turns.removeAll { $0 == caller }
  }

  /// The expected time until all waiting flows have had their turn.
  private func drain(_ waiting: Int, _ parallel: Int) -> Duration {
    let rounds = (waiting + max(parallel, 1) - 1) / max(parallel, 1)
    return min(max(typical * max(rounds, 1), .milliseconds(100)), .seconds(60))
  }

  private static func decrease<Key: Hashable>(_ counts: inout [Key: Int], _ key: Key) {
    counts[key, default: 1] -= 1
    if counts[key] == 0 { counts[key] = nil }
  }
}
