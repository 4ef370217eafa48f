import ModemModel

/// What was used, by day, and over the present bearers. It is a value, bounded in size.
struct UsageBook: Hashable, Sendable {
  typealias Rows = [TrafficKey: TrafficCounts]

  /// What went over a modem's bearer.
  struct BearerRows: Hashable, Sendable {
    /// When the bearer came up, as its port said.
    var since: Timestamp
    var rows: Rows = [:]
  }

  /// How many days with traffic are kept.
  static let keptDays = 400
  /// How many rows a day may have. Beyond, rows of one user and purpose are joined over all modems
  /// with no name.
  static let dayRows = 1024
  /// How many rows all days may have: the oldest days are forgotten first.
  static let allRows = 32_768
  /// How many modems' bearers are remembered.
  static let keptBearers = 64

  private(set) var days: [CivilDay: Rows] = [:]
  private(set) var bearers: [String: BearerRows] = [:]
  private var rowCount = 0

  mutating func add(_ counts: TrafficCounts, for key: TrafficKey, on day: CivilDay) {
    var key = key
    if days[day, default: [:]][key] == nil {
      if days[day, default: [:]].count >= Self.dayRows {
        key = TrafficKey(modem: "", user: nil, purpose: key.purpose)
      }
      if days[day, default: [:]][key] == nil { rowCount += 1 }
    }
    days[day, default: [:]][key, default: TrafficCounts()] += counts
    if bearers[key.modem] != nil, (bearers[key.modem]?.rows.count ?? 0) < Self.dayRows {
      bearers[key.modem]?.rows[key, default: TrafficCounts()] += counts
    }
    forgetOldest()
  }

  /// A modem's bearer is up. One with another beginning starts at zero.
  ///
  /// - Returns: whether it is another one.
  mutating func begin(bearerOf modem: String, since: Timestamp) -> Bool {
    guard bearers[modem]?.since != since else { return false }
    if bearers[modem] == nil, bearers.count >= Self.keptBearers,
      let oldest = bearers.min(by: { $0.value.since < $1.value.since })?.key
    {
      bearers[oldest] = nil
    }
    bearers[modem] = BearerRows(since: since)
    return true
  }

  /// What was kept in a file.
  mutating func restore(days: [CivilDay: Rows], bearers: [String: BearerRows]) {
    self.days = days
    self.bearers = bearers
    rowCount = days.values.reduce(0) { $0 + $1.count }
    forgetOldest()
  }

  /// The sums over a month up to a day.
  func month(of day: CivilDay) -> Rows {
    days.reduce(into: [:]) { sum, one in
      guard one.key.isInMonth(of: day) else { return }
      for (key, counts) in one.value { sum[key, default: TrafficCounts()] += counts }
    }
  }

  private mutating func forgetOldest() {
    while days.count > 1, days.count > Self.keptDays || rowCount > Self.allRows, let oldest = days.keys.min() {
      rowCount -= days.removeValue(forKey: oldest)?.count ?? 0
    }
  }
}
