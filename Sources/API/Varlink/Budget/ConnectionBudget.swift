import LimitClock

/// What each user, and all users together, may use of a service: connections, bytes, and running
/// calls. A value without clock, lock or socket.
///
/// Root has no limit of its own, and a part of each total limit is reserved for it. A user with
/// much makes room for a user with little: an idle connection is closed for it.
package struct ConnectionBudget: Sendable {
  package typealias Instant = LimitClock.Instant

  /// A user's rights in the service.
  package enum Standing: Hashable, Sendable {
    case root
    /// May call something.
    case known
    /// May only read the service's own description.
    case stranger
  }

  /// Identifies a connection while it is open. A type of its own would cost the start of a daemon a
  /// search through all its types, because dictionaries have it as a key.
  package typealias ID = UInt64

  /// What happens to a new connection.
  package enum Admission: Hashable, Sendable {
    case admitted(ID)
    /// It replaces another one, which must be closed.
    case inPlace(ID, of: ID)
    case refused(Shortage)
  }

  /// What is short.
  package enum Shortage: Hashable, Sendable {
    case userConnections(limit: Int)
    case connections(limit: Int)
    case strangerConnections(limit: Int)
  }

  private struct Connection {
    let user: UInt32
    var bytes = 0
    var hasCall = false
    /// Since when it has been idle.
    var idleSince: Instant?
  }

  private struct User {
    var standing: Standing
    var connections: Set<ID> = []
    var bytes = 0
    var calls = 0
    var descriptors = 0
    /// Until then, none of its connections is idle for long enough to be closed. A connection's
    /// idle time starts when it becomes idle, so this is never too late. It saves a search when a
    /// user is turned away again and again.
    var noRoomUntil: Instant?
  }

  /// Whoever has more than new limits allow keeps it, and gets no more.
  var limits: VarlinkServer.Limits
  private var nextNumber: UInt64 = 0
  private var connections: [ID: Connection] = [:]
  private var users: [UInt32: User] = [:]
  private var bytes = 0
  private var calls = 0
  private var descriptors = 0
  private var strangerConnections = 0
  /// Running calls of closed connections that have not noticed the close yet.
  private var departed: [ID: UInt32] = [:]

  package init(_ limits: VarlinkServer.Limits) { self.limits = limits }

  var connectionCount: Int { connections.count }
  /// Bytes charged to all connections.
  var chargedBytes: Int { bytes }
  func connectionCount(of user: UInt32) -> Int { users[user]?.connections.count ?? 0 }

  // MARK: Connections

  /// A user connects. The connection is idle.
  package mutating func open(_ user: UInt32, _ standing: Standing, now: Instant) -> Admission {
    let own = users[user]?.connections.count ?? 0
    switch standing {
    case .stranger:
      guard own < limits.strangerConnections, strangerConnections < 4 * limits.strangerConnections else {
        return .refused(.strangerConnections(limit: limits.strangerConnections))
      }
    case .known:
      guard own < limits.userConnections else {
        guard let old = outlived(of: user, now) else {
          return .refused(.userConnections(limit: limits.userConnections))
        }
        close(old)
        return .inPlace(add(user, standing, now), of: old)
      }
    case .root: break
    }
    if connections.count < share(limits.connections, standing) { return .admitted(add(user, standing, now)) }
    guard let old = placeFromAnother(than: own, standing) else {
      return .refused(.connections(limit: limits.connections))
    }
    close(old)
    return .inPlace(add(user, standing, now), of: old)
  }

  /// A connection is closed. A call that still runs counts until it ends.
  package mutating func close(_ id: ID) {
    guard let connection = connections.removeValue(forKey: id) else { return }
    let number = connection.user
    bytes -= connection.bytes
    if connection.hasCall { departed[id] = number }
    if users[number]?.standing == .stranger { strangerConnections -= 1 }
    users[number]?.bytes -= connection.bytes
    users[number]?.connections.remove(id)
    forget(number)
  }

  private mutating func forget(_ number: UInt32) {
    guard let user = users[number], user.connections.isEmpty, user.calls == 0, user.descriptors == 0 else { return }
    users[number] = nil
  }

  /// Records whether a connection is busy with a call, an unfinished one, or an unread reply.
  package mutating func note(_ id: ID, isIdle: Bool, now: Instant) {
    guard let connection = connections[id], (connection.idleSince != nil) != isIdle else { return }
    connections[id]?.idleSince = isIdle ? now : nil
  }

  /// Connections that have been idle for too long. The limit is shorter when connections are
  /// scarce.
  func outlived(now: Instant) -> [ID] {
    let isShort = connections.count > limits.connections / 4 * 3
    return connections.compactMap { id, connection in
      guard let since = connection.idleSince, let user = users[connection.user] else { return nil }
      let isUserShort = user.standing != .root && user.connections.count > limits.userConnections / 4 * 3
      let limit = isShort || isUserShort ? min(limits.shortIdleTime, limits.idleTime) : limits.idleTime
      return now - since >= limit ? id : nil
    }
  }

  private mutating func add(_ user: UInt32, _ standing: Standing, _ now: Instant) -> ID {
    nextNumber += 1
    let id = nextNumber
    connections[id] = Connection(user: user, idleSince: now)
    // A user who was a stranger at the first connection counts as one until the last connection of
    // that time is gone.
    if users[user] == nil { users[user] = User(standing: standing) }
    users[user]?.connections.insert(id)
    if users[user]?.standing == .stranger { strangerConnections += 1 }
    return id
  }

  /// The part of a total limit that is available to users with these rights.
  private func share(_ limit: Int, _ standing: Standing) -> Int {
    standing == .root ? limit : limit - limit / 16
  }

  /// A connection of a user that was idle for long enough.
  private mutating func outlived(of user: UInt32, _ now: Instant) -> ID? {
    if let end = users[user]?.noRoomUntil, now < end { return nil }
    let oldest = longestIdle(of: user)
    if let oldest, now - oldest.since >= limits.shortIdleTime { return oldest.id }
    users[user]?.noRoomUntil = (oldest?.since ?? now) + limits.shortIdleTime
    return nil
  }

  private func longestIdle(of user: UInt32) -> (id: ID, since: Instant)? {
    (users[user]?.connections ?? []).compactMap { id in
      connections[id]?.idleSince.map { (id: id, since: $0) }
    }.min { $0.since < $1.since }
  }

  /// An idle connection of the user who has the most, if that is more than twice as many as the
  /// requesting user has.
  private func placeFromAnother(than own: Int, _ standing: Standing) -> ID? {
    guard standing != .stranger else { return nil }
    let others = users.filter { $0.value.standing != .root }
      .filter { standing == .root || $0.value.connections.count > 2 * (own + 1) }
      .sorted { $0.value.connections.count > $1.value.connections.count }
    for (user, _) in others {
      if let old = longestIdle(of: user) { return old.id }
    }
    return nil
  }

  // MARK: Bytes

  /// Sets the total number of bytes charged to a connection.
  ///
  /// - Returns: false if they are too many; nothing is charged then.
  mutating func charge(_ id: ID, _ count: Int) -> Bool {
    guard let connection = connections[id], let user = users[connection.user] else { return false }
    let more = count - connection.bytes
    if more > 0 {
      guard bytes + more <= share(limits.bytes, user.standing) else { return false }
      guard user.standing == .root || user.bytes + more <= userBytes(user.standing) else { return false }
    }
    bytes += more
    users[connection.user]?.bytes += more
    connections[id]?.bytes = count
    return true
  }

  private func userBytes(_ standing: Standing) -> Int {
    standing == .stranger ? limits.userBytes / 32 : limits.userBytes
  }

  // MARK: Calls

  /// A call begins over a connection without one.
  ///
  /// - Returns: false if too many are running.
  mutating func beginCall(_ id: ID) -> Bool {
    guard let connection = connections[id], !connection.hasCall, let user = users[connection.user] else {
      return false
    }
    guard calls < share(limits.calls, user.standing) else { return false }
    guard user.standing == .root || user.calls < limits.userCalls else { return false }
    calls += 1
    users[connection.user]?.calls += 1
    connections[id]?.hasCall = true
    return true
  }

  mutating func endCall(_ id: ID) {
    guard let number = departed.removeValue(forKey: id) ?? connections[id].flatMap({ $0.hasCall ? $0.user : nil })
    else { return }
    calls -= 1
    users[number]?.calls -= 1
    connections[id]?.hasCall = false
    forget(number)
  }

  // MARK: Descriptors

  /// A call begins whose reply will carry a descriptor.
  ///
  /// - Returns: false if too many are on their way.
  mutating func beginDescriptor(_ id: ID) -> Bool {
    guard let number = connections[id]?.user, let user = users[number] else { return false }
    guard descriptors < share(limits.descriptors, user.standing) else { return false }
    guard user.standing == .root || user.descriptors < limits.userDescriptors else { return false }
    descriptors += 1
    users[number]?.descriptors += 1
    return true
  }

  /// A descriptor is no longer on its way: it was read, or will not be sent.
  mutating func endDescriptor(of user: UInt32) {
    guard let count = users[user]?.descriptors, count > 0 else { return }
    descriptors -= 1
    users[user]?.descriptors = count - 1
    forget(user)
  }
}
