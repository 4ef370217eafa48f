import Synchronization

/// How much is being made ready for flows: a caller whose flows never come to a chain must not fill
/// the memory with what waits for a bearer.
final class WarmingCount: Sendable {
  /// For one caller.
  static let maximumPerCaller = 8
  /// For all callers beside root.
  static let maximum = 32

  /// Something that is being made ready, until `end`.
  struct Place: Sendable {
    fileprivate let count: WarmingCount
    fileprivate let caller: Caller

    func end() { count.end(caller) }
  }

  private let running = Mutex<[Caller: Int]>([:])

  /// Begins for a caller; nil if enough is being made ready already.
  func begin(_ caller: Caller) -> Place? {
    running.withLock { running in
      let all = running.lazy.filter { !$0.key.isRoot }.reduce(0) { $0 + $1.value }
      guard running[caller] ?? 0 < Self.maximumPerCaller, caller.isRoot || all < Self.maximum else { return nil }
      running[caller, default: 0] += 1
      return Place(count: self, caller: caller)
    }
  }

  private func end(_ caller: Caller) {
    running.withLock { running in
      running[caller, default: 1] -= 1
      if running[caller] == 0 { running[caller] = nil }
    }
  }
}
