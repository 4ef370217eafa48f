import Synchronization

/// A bearer's use by something that is no flow. It ends with `end`, or with the last reference.
package final class BearerUse: Sendable {
  private let uses: BearerUses
  private let port: String
  private let isOver = Mutex(false)

  fileprivate init(_ uses: BearerUses, _ port: String) {
    self.uses = uses
    self.port = port
  }

  deinit { end() }

  package func end() {
    let isFirst = isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    if isFirst { uses.end(over: port) }
  }
}

/// How many connections of programs are open over each port's bearer.
final class BearerUses: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  func begin(over port: String) -> BearerUse {
    counts.withLock { $0[port, default: 0] += 1 }
    return BearerUse(self, port)
  }

  func count(over port: String) -> Int { counts.withLock { $0[port] ?? 0 } }

  fileprivate func end(over port: String) {
    counts.withLock { counts in
      counts[port, default: 1] -= 1
      if counts[port] == 0 { counts[port] = nil }
    }
  }
}
