import ModemModel
import RedirectChain
import Synchronization

/// A finished check as it is remembered: hosts, causes and times, but nothing secret.
package struct PastCheck: Hashable, Sendable {
  /// How it ended.
  package enum End: Hashable, Sendable {
    /// With an HTTP answer of this status.
    case answer(status: Int)
    case redirectReached
    case failed(ChainFailure)
  }

  /// Counts the checks of this process, from 1; or the caller's own, in that caller's list.
  package internal(set) var number: Int
  package let caller: Caller
  /// When it was asked for.
  package let began: Timestamp
  /// Host of the requested URL.
  package let host: String
  package let modem: String?
  /// The bearer's address from which it was sent.
  package let source: String?
  /// Hops that ended.
  package let hops: Int
  package let end: End
  /// How much of `time` it waited for its turn.
  package let waited: Duration
  /// From the call to the end.
  package let time: Duration
  /// Id of the trace that it belongs to.
  package var trace: String?
}

/// The last checks, in memory only. Each caller's checks are separate: nobody displaces another's,
/// and what a caller sees of its own reveals nothing about others', not even their number.
package final class CheckHistory: Sendable {
  /// All callers together may keep as many checks as this number of callers with full lists.
  static let fullCallers = 8

  private struct Entry {
    var check: PastCheck
    /// Counts the checks of its caller, from 1.
    let ownNumber: Int
  }

  private struct Ring {
    var entries: [Entry] = []
    /// The index of the oldest one once the ring is full.
    var oldest = 0
    var count = 0

    var ordered: [Entry] { Array(entries[oldest...] + entries[..<oldest]) }

    mutating func add(_ entry: Entry, limit: Int) {
      if entries.count < limit {
        if oldest > 0 { (entries, oldest) = (ordered, 0) }
        entries.append(entry)
      } else {
        entries[oldest] = entry
        oldest = (oldest + 1) % limit
      }
    }

    mutating func keepLast(_ limit: Int) {
      entries = ordered.suffix(limit)
      oldest = 0
    }

    mutating func dropOldest() {
      entries = Array(ordered.dropFirst())
      oldest = 0
    }
  }

  private struct Contents {
    /// How many checks are kept per caller.
    var limit: Int
    var rings: [Caller: Ring] = [:]
    var count = 0

    /// Forgets the oldest checks that are too many.
    mutating func trim() {
      for (caller, ring) in rings where ring.entries.count > limit {
        rings[caller]?.keepLast(limit)
        if limit == 0 { rings[caller] = nil }
      }
      while kept > limit * CheckHistory.fullCallers, let fullest = CheckHistory.fullest(rings) {
        rings[fullest]?.dropOldest()
        if rings[fullest]?.entries.isEmpty == true { rings[fullest] = nil }
      }
    }

    var kept: Int { rings.values.reduce(0) { $0 + $1.entries.count } }
  }

  private let contents: Mutex<Contents>

  /// - Parameter limit: how many checks to keep per caller; 0 keeps none.
  package init(limit: Int = 100) { contents = Mutex(Contents(limit: limit)) }

  /// Keeps another number of checks from now on, and forgets the oldest that are too many.
  ///
  /// - Parameter limit: how many to keep per caller; 0 keeps none.
  package func change(limit: Int) {
    contents.withLock { contents in
      contents.limit = limit
      contents.trim()
    }
  }

  /// Remembers a check, in place of the caller's oldest one if its list is full.
  ///
  /// - Returns: the check.
  @discardableResult
  func add(_ make: (_ number: Int) -> PastCheck) -> PastCheck {
    contents.withLock { contents in
      contents.count += 1
      let check = make(contents.count)
      guard contents.limit > 0 else { return check }
      var ring = contents.rings[check.caller] ?? Ring()
      ring.count += 1
      ring.add(Entry(check: check, ownNumber: ring.count), limit: contents.limit)
      contents.rings[check.caller] = ring
      contents.trim()
      return check
    }
  }

  /// The caller with the most checks; root only if nobody else has any.
  private static func fullest(_ rings: [Caller: Ring]) -> Caller? {
    let others = rings.filter { !$0.key.isRoot }
    return (others.isEmpty ? rings : others).max { $0.value.entries.count < $1.value.entries.count }?.key
  }

  /// The last checks, the latest first.
  ///
  /// - Parameters:
  ///   - caller: whose checks, numbered from that caller's first; nil for everybody's, numbered
  ///     from the first of all.
  ///   - trace: only checks of this trace; nil for all.
  ///   - limit: the largest number of checks.
  package func last(of caller: Caller?, trace: String? = nil, limit: Int) -> [PastCheck] {
    let rings = contents.withLock { $0.rings }
    let checks: [PastCheck]
    if let caller {
      checks = (rings[caller]?.ordered ?? []).map { entry in
        var check = entry.check
        check.number = entry.ownNumber
        return check
      }
    } else {
      checks = rings.values.flatMap { $0.entries.map(\.check) }.sorted { $0.number < $1.number }
    }
    let fitting = trace.map { trace in checks.filter { $0.trace == trace } } ?? checks
    return Array(fitting.reversed().prefix(max(limit, 0)))
  }
}
