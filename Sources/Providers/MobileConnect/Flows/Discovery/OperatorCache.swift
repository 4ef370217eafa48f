import ModemModel

/// Operators from a discovery service, by the codes of their networks. It holds no data about a
/// single subscriber. A value: the time is passed in with each use.
package struct OperatorCache: Hashable, Sendable {
  /// What is kept about a network.
  package enum Finding: Hashable, Sendable {
    case fresh(MobileConnectOperator)
    /// Out of date: usable if the service cannot be reached, for `staleTime`.
    case stale(MobileConnectOperator)
  }

  private struct Entry: Hashable, Sendable {
    var found: MobileConnectOperator
    var end: Timestamp
    var used: Timestamp
  }

  /// The limits of an answer's validity: 5 minutes and 180 days.
  package static let shortest = Duration.seconds(300)
  package static let longest = Duration.seconds(180 * 86_400)

  /// How long an expired answer is used if the service cannot be reached: a day.
  package static let staleTime = Duration.seconds(86_400)

  /// The largest number of entries; the one that was not used for longest is removed first.
  package let capacity: Int
  /// The minimum validity of an answer.
  package let least: Duration
  private var entries: [PLMN: Entry] = [:]

  /// - Parameters:
  ///   - capacity: at least 1.
  ///   - least: up to `longest`.
  package init(capacity: Int = 64, least: Duration = Self.shortest) {
    self.capacity = max(capacity, 1)
    self.least = min(least, Self.longest)
  }

  package var count: Int { entries.count }

  /// What is kept about a network.
  package mutating func find(_ network: PLMN, at now: Timestamp) -> Finding? {
    guard var entry = entries[network] else { return nil }
    entry.used = now
    entries[network] = entry
    // If the clock was set back by more than the longest validity, the entry is from the future.
    let isBelieved = now < entry.end && entry.end <= Self.end(of: nil, Self.longest, at: now)
    if isBelieved { return .fresh(entry.found) }
    let isUsable =
      now < Self.end(of: nil, Self.staleTime, at: entry.end) && entry.end <= Self.end(of: nil, Self.longest, at: now)
    return isUsable ? .stale(entry.found) : nil
  }

  /// Keeps what was found.
  ///
  /// - Parameter ttl: the answer's: a moment in milliseconds since 1970. It is limited to `least`
  ///   to 180 days from now; nil means the shortest time.
  package mutating func keep(_ found: MobileConnectOperator, for network: PLMN, ttl: Int?, at now: Timestamp) {
    entries[network] = Entry(found: found, end: Self.end(of: ttl, least, atLeast: least, at: now), used: now)
    while entries.count > capacity, let oldest = entries.min(by: { $0.value.used < $1.value.used })?.key {
      entries[oldest] = nil
    }
  }

  /// Forgets a network, or all of them.
  package mutating func forget(_ network: PLMN? = nil) {
    if let network { entries[network] = nil } else { entries = [:] }
  }

  /// Until when an answer is valid.
  ///
  /// - Parameter other: how long, if the answer does not say.
  static func end(
    of ttl: Int?, _ other: Duration, atLeast least: Duration = Self.shortest, at now: Timestamp
  ) -> Timestamp {
    guard let ttl else { return now.later(by: other) }
    return min(max(Timestamp(milliseconds: Int64(ttl)), now.later(by: least)), now.later(by: longest))
  }
}
