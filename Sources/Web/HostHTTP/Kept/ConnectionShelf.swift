import LimitClock
import Web

/// The connections that wait for their user's next calls, without I/O: which one a call gets, and
/// which ones have to close. It holds at most `ConnectionKeeping.total`.
struct ConnectionShelf<Connection> {
  typealias Instant = LimitClock.Instant

  /// Who may use a connection and for what. Connections never pass from one key to another.
  struct Key: Hashable {
    let userID: UInt32
    let origin: WebURL.Origin
    /// Whether the configuration named the origin. Otherwise the address was checked to be public
    /// when the connection was opened.
    let isConfigured: Bool
  }

  /// One keeping of a connection: it is taken, or ends, once.
  struct ID: Hashable {
    fileprivate let number: UInt64
  }

  private struct Entry {
    let id: ID
    let key: Key
    let connection: Connection
    let since: Instant
    let until: Instant
  }

  private static var mostDistrusted: Int { 64 }

  let keeping: ConnectionKeeping
  /// In the order in which they were put.
  private var entries: [Entry] = []
  private var distrusted: [(key: Key, until: Instant)] = []
  private var next: UInt64 = 0

  init(_ keeping: ConnectionKeeping) { self.keeping = keeping }

  var count: Int { entries.count }

  /// A name for the next keeping.
  mutating func makeID() -> ID {
    next += 1
    return ID(number: next)
  }

  /// How long a connection may wait from now on; nil if it is not to be kept.
  ///
  /// - Parameters:
  ///   - opened: when the connection was opened.
  ///   - announced: how long the server keeps it; nil if it does not say.
  func patience(_ key: Key, opened: Instant, announced: Duration?, at now: Instant) -> Duration? {
    guard keeping.total > 0, keeping.perUser > 0, keeping.perOrigin > 0 else { return nil }
    guard !distrusted.contains(where: { $0.key == key && $0.until > now }) else { return nil }
    var time = min(keeping.idle, keeping.life - (now - opened))
    // The server's time began before its answer arrived, and ends before its notice does.
    if let announced { time = min(time, announced - .seconds(1)) }
    return time > .zero ? time : nil
  }

  /// Keeps a connection.
  ///
  /// - Returns: the connections that must close in its place, the longest waiting of whoever has
  ///   too many.
  mutating func put(
    _ connection: Connection, _ key: Key, as id: ID, for patience: Duration, at now: Instant
  ) -> [Connection] {
    entries.append(Entry(id: id, key: key, connection: connection, since: now, until: now + patience))
    var closing: [Connection] = []
    closing += drop(beyond: keeping.perOrigin) { $0.key == key }
    closing += drop(beyond: keeping.perUser) { $0.key.userID == key.userID }
    while entries.count > keeping.total, let user = busiestUser {
      closing += drop(beyond: entries.count { $0.key.userID == user } - 1) { $0.key.userID == user }
    }
    return closing
  }

  /// Takes a connection for a call: the one that was used last.
  ///
  /// - Parameter isRepeatable: whether the call's request may be sent twice.
  /// - Returns: the connection, and those whose time is over, which must close.
  mutating func take(
    _ key: Key, isRepeatable: Bool, at now: Instant
  ) -> (connection: Connection?, closing: [Connection]) {
    // Timers do not advance while the machine sleeps.
    let closing = entries.filter { $0.until <= now }.map(\.connection)
    entries.removeAll { $0.until <= now }
    let limit = isRepeatable ? keeping.idle : keeping.idleBeforeUnrepeatable
    guard let place = entries.lastIndex(where: { $0.key == key && now - $0.since < limit }) else {
      return (nil, closing)
    }
    return (entries.remove(at: place).connection, closing)
  }

  /// Whether no connection waits that would serve any call, and one would be kept.
  func misses(_ key: Key, at now: Instant) -> Bool {
    guard patience(key, opened: now, announced: nil, at: now) != nil else { return false }
    return !entries.contains { $0.key == key && now - $0.since < keeping.idleBeforeUnrepeatable }
  }

  /// Ends a keeping.
  ///
  /// - Returns: the connection; nil if it was taken or has ended already.
  mutating func remove(_ id: ID) -> Connection? {
    entries.firstIndex { $0.id == id }.map { entries.remove(at: $0).connection }
  }

  /// A waiting connection was ended by its server.
  ///
  /// - Returns: the connections that must close, because the server gave no notice.
  mutating func ended(at now: Instant, where isIt: (Connection) -> Bool) -> [Connection] {
    guard let place = entries.firstIndex(where: { isIt($0.connection) }) else { return [] }
    let entry = entries.remove(at: place)
    return now - entry.since < keeping.notice ? distrust(entry.key, at: now) : []
  }

  /// A server ended a connection without notice: nothing is kept for it for a while.
  ///
  /// - Returns: the connections that must close.
  mutating func distrust(_ key: Key, at now: Instant) -> [Connection] {
    distrusted.removeAll { $0.key == key || $0.until <= now }
    distrusted.append((key, now + keeping.distrust))
    if distrusted.count > Self.mostDistrusted { distrusted.removeFirst() }
    return drop(beyond: 0) { $0.key == key }
  }

  /// Gives up all connections.
  mutating func removeAll() -> [Connection] {
    defer { entries = [] }
    return entries.map(\.connection)
  }

  private var busiestUser: UInt32? {
    let counts = entries.reduce(into: [UInt32: Int]()) { $0[$1.key.userID, default: 0] += 1 }
    return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
  }

  private mutating func drop(beyond limit: Int, where isOne: (Entry) -> Bool) -> [Connection] {
    let ids = Set(entries.filter(isOne).dropLast(max(limit, 0)).map(\.id))
    defer { entries.removeAll { ids.contains($0.id) } }
    return entries.filter { ids.contains($0.id) }.map(\.connection)
  }
}
