import LimitClock

/// The tickets that have acted, each until it would have expired. The backend decides in the end: a
/// ticket can be claimed there once. This memory spares it the second question, and holds where a
/// backend forgets.
package struct UsedTickets {
  private struct Key: Hashable {
    let backend: String
    let id: String
  }

  private let most: Int
  private var ends: [Key: LimitClock.Instant] = [:]

  /// - Parameter most: tickets that are remembered at one time.
  package init(most: Int = 4096) { self.most = most }

  package enum Use: Hashable, Sendable {
    case first
    case used
    /// Nothing can be remembered, so nothing may act.
    case full
  }

  /// Whether a ticket has acted.
  package func contains(_ address: TicketAddress, at now: LimitClock.Instant) -> Bool {
    ends[Key(backend: address.backend.key, id: address.id)].map { $0 > now } ?? false
  }

  /// Notes that a ticket acts.
  package mutating func use(_ address: TicketAddress, until end: LimitClock.Instant, at now: LimitClock.Instant) -> Use
  {
    guard !contains(address, at: now) else { return .used }
    if ends.count >= most { ends = ends.filter { $0.value > now } }
    guard ends.count < most else { return .full }
    ends[Key(backend: address.backend.key, id: address.id)] = end
    return .first
  }
}

/// How many tickets of a backend a user may have fetched, or how often an origin may ask: so many
/// in a minute, and as many at once.
package struct StartAllowance {
  private struct Key: Hashable {
    let name: String
    let user: UInt32
  }

  private struct Level {
    var left: Double
    var then: LimitClock.Instant
  }

  private let mostKeys: Int
  private var levels: [Key: Level] = [:]

  /// - Parameter most: pairs of a name and a user that are remembered at one time.
  package init(most: Int = 1024) { mostKeys = most }

  /// - Returns: nil if the ticket may be fetched, else in how many seconds one may be.
  package mutating func take(_ backend: Backend, _ user: UInt32, at now: LimitClock.Instant) -> Int? {
    take(backend.key, user, most: backend.startsPerMinute, at: now)
  }

  /// The same for whatever asks under a name.
  ///
  /// - Parameter most: in a minute.
  package mutating func take(_ name: String, _ user: UInt32, most: Int, at now: LimitClock.Instant) -> Int? {
    let key = Key(name: name, user: user)
    let full = Double(most)
    let rate = full / 60
    var level = levels[key] ?? Level(left: full, then: now)
    level.left = min(full, level.left + (now - level.then) / .seconds(1) * rate)
    level.then = now
    if levels[key] == nil, levels.count >= mostKeys {
      // Whoever has been quiet for a minute has everything again.
      levels = levels.filter { now - $0.value.then < .seconds(60) }
      guard levels.count < mostKeys else { return 60 }
    }
    defer { levels[key] = level }
    guard level.left >= 1 else { return max(1, Int(((1 - level.left) / rate).rounded(.up))) }
    level.left -= 1
    return nil
  }
}
