import ModemService
import Synchronization

/// How many connections programs may have open over the bearers of this machine, whatever their
/// budgets say: each costs descriptors and memory.
package struct ConnectionLimits: Hashable, Sendable {
  /// For one user.
  package var perUser: Int
  /// For all users together; a sixteenth is root's alone.
  package var total: Int

  package init(perUser: Int = 256, total: Int = 4096) {
    self.perUser = perUser
    self.total = total
  }
}

/// The connections that are open or being made.
final class ConnectionCount: Sendable {
  /// A connection's place; it is free again with the last reference.
  final class Place: Sendable {
    private let count: ConnectionCount
    private let caller: Caller

    fileprivate init(_ count: ConnectionCount, _ caller: Caller) {
      self.count = count
      self.caller = caller
    }

    deinit { count.free(caller) }
  }

  private struct State {
    var all = 0
    var perUser: [Caller: Int] = [:]
  }

  private let limits: ConnectionLimits
  private let state = Mutex(State())

  init(_ limits: ConnectionLimits) { self.limits = limits }

  /// - Throws: `StreamError` `budgetSpent`.
  func take(for caller: Caller) throws(StreamError) -> Place {
    let refusal = state.withLock { state -> String? in
      let all = caller.isRoot ? limits.total : limits.total - limits.total / 16
      if state.perUser[caller, default: 0] >= limits.perUser {
        return "this user has \(limits.perUser) connections over bearers; close some, and try again"
      }
      if state.all >= all { return "there are \(state.all) connections over bearers; try again later" }
      state.all += 1
      state.perUser[caller, default: 0] += 1
      return nil
    }
    if let refusal { throw .budgetSpent(budget: "connections", resets: nil, text: refusal) }
    return Place(self, caller)
  }

  private func free(_ caller: Caller) {
    state.withLock { state in
      state.all -= 1
      state.perUser[caller, default: 1] -= 1
      if state.perUser[caller] == 0 { state.perUser[caller] = nil }
    }
  }

  /// All of a user that count at present.
  func count(of caller: Caller) -> Int { state.withLock { $0.perUser[caller] ?? 0 } }
}
