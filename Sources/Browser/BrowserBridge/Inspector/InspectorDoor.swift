import LimitClock

/// Who may look at the inspector: links that are good once, and the sessions that they became. Each
/// belongs to one user of this machine, and is worth nothing in another user's browser.
struct InspectorDoor {
  struct Session: Hashable {
    let key: String
    /// In the page's form, and in no address.
    let form: String
    let user: UInt32
    let end: LimitClock.Instant
  }

  static let linkTime = Duration.seconds(60)
  static let sessionTime = Duration.seconds(900)
  /// Links of one user, and sessions of one user. A new one takes the oldest one's place.
  private static let most = 4

  private var links: [(token: String, user: UInt32, end: LimitClock.Instant)] = []
  private var sessions: [Session] = []

  /// - Returns: the token of a new link.
  mutating func newLink(for user: UInt32, at now: LimitClock.Instant) -> String {
    links.removeAll { $0.end <= now }
    if links.count(where: { $0.user == user }) >= Self.most, let oldest = links.firstIndex(where: { $0.user == user }) {
      links.remove(at: oldest)
    }
    let token = Unguessable.text()
    links.append((token, user, now + Self.linkTime))
    return token
  }

  /// Makes a link's session. The link is used up, whoever has used it.
  ///
  /// - Returns: nil if there is no such link, it is too old, or it is another user's.
  mutating func enter(_ token: String, _ user: UInt32, at now: LimitClock.Instant) -> Session? {
    guard let index = links.firstIndex(where: { Unguessable.isSame($0.token, token) }) else { return nil }
    let link = links.remove(at: index)
    guard link.user == user, now < link.end else { return nil }
    sessions.removeAll { $0.end <= now }
    if sessions.count(where: { $0.user == user }) >= Self.most,
      let oldest = sessions.firstIndex(where: { $0.user == user })
    {
      sessions.remove(at: oldest)
    }
    let session = Session(
      key: Unguessable.text(), form: Unguessable.text(), user: user, end: now + Self.sessionTime)
    sessions.append(session)
    return session
  }

  /// - Returns: nil if there is no such session, it has ended, or it is another user's.
  func session(_ key: String, _ user: UInt32, at now: LimitClock.Instant) -> Session? {
    sessions.first { $0.user == user && now < $0.end && Unguessable.isSame($0.key, key) }
  }

  mutating func end(_ session: Session) { sessions.removeAll { $0 == session } }
}
