import ModemModel

/// Operators that a discovery service told, by the codes of their networks. What belongs to one subscriber is not in it. A value: the time is
/// told with each use.
public struct OperatorCache: Hashable, Sendable {
  /// What is kept of a network.
  public enum Finding: Hashable, Sendable {
    case fresh(MobileConnectOperator)
    /// Too old: good enough where the service cannot be asked, for `staleTime`.
    case stale(MobileConnectOperator)
  }

  private struct Entry: Hashable, Sendable {
    var found: MobileConnectOperator
    var end: Timestamp
    var used: Timestamp
  }

  /// The shortest and the longest time for which an answer is believed: 5 minutes and 180 days.
  public static let shortest = Duration.seconds(300)
  public static let longest = Duration.seconds(180 * 86_400)

  /// How long behind its end an answer serves where the service cannot be asked: a day.
  public static let staleTime = Duration.seconds(86_400)

  /// Entries at most; the one that was not used for longest leaves first.
  public let capacity: Int
  /// For how long an answer is believed at least.
  public let least: Duration
  private var entries: [PLMN: Entry] = [:]

  /// - Parameters:
  ///   - capacity: at least 1.
  ///   - least: up to `longest`.
  public init(capacity: Int = 64, least: Duration = Self.shortest) {
    self.capacity = max(capacity, 1)
    self.least = min(least, Self.longest)
  }

  public var count: Int { entries.count }

  /// What is kept of a network.
  public mutating func find(_ network: PLMN, at now: Timestamp) -> Finding? {
    guard var entry = entries[network] else { return nil }
    entry.used = now
    entries[network] = entry
    // A clock that was set back by more than any answer is believed makes an entry of the future.
    let isBelieved = now < entry.end && entry.end <= Self.end(of: nil, Self.longest, at: now)
    if isBelieved { return .fresh(entry.found) }
    let isUsable =
      now < Self.end(of: nil, Self.staleTime, at: entry.end) && entry.end <= Self.end(of: nil, Self.longest, at: now)
    return isUsable ? .stale(entry.found) : nil
  }

  /// Keeps what was found.
  ///
  /// - Parameter ttl: of the answer: a moment, in milliseconds since 1970. It is held within `least` to 180 days from now; nil means the
  ///   shortest time.
  public mutating func keep(_ found: MobileConnectOperator, for network: PLMN, ttl: Int?, at now: Timestamp) {
    entries[network] = Entry(found: found, end: Self.end(of: ttl, least, atLeast: least, at: now), used: now)
    while entries.count > capacity, let oldest = entries.min(by: { $0.value.used < $1.value.used })?.key {
      entries[oldest] = nil
    }
  }

  /// Forgets a network, or all of them.
  public mutating func forget(_ network: PLMN? = nil) {
    if let network { entries[network] = nil } else { entries = [:] }
  }

  /// Until when an answer is believed.
  ///
  /// - Parameter other: how long, where the answer does not say.
  static func end(
    of ttl: Int?, _ other: Duration, atLeast least: Duration = Self.shortest, at now: Timestamp
  ) -> Timestamp {
    guard let ttl else { return now.later(by: other) }
    return min(max(Timestamp(milliseconds: Int64(ttl)), now.later(by: least)), now.later(by: longest))
  }
}
