/// What was moved since the process started, by modem and purpose, whoever's it was.
struct TrafficTotals: Sendable {
  /// More modems have their sums together, under no name.
  static let modems = 64

  private(set) var counts: [TrafficKey: TrafficCounts] = [:]
  private var names: Set<String> = []

  mutating func add(_ more: TrafficCounts, for key: TrafficKey) {
    var key = TrafficKey(modem: key.modem, user: nil, purpose: key.purpose)
    if !names.contains(key.modem) {
      if names.count < Self.modems { names.insert(key.modem) } else { key.modem = "" }
    }
    counts[key, default: TrafficCounts()] += more
  }
}
