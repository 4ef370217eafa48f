import EAPAKA
import LimitClock
import ModemModel

/// The logins of a port's SIM that are under way, as a value without I/O. All are of the SIM that
/// is in the modem now.
struct EAPLogins: Sendable {
  /// More logins end the one that was idle for the longest time.
  static let most = 8
  /// A login ends so long after it began.
  static let lifetime = Duration.seconds(120)
  /// How many challenges one login may bring to the SIM. The peer holds to this as well.
  static let mostChallenges = EAPPeer.challengeLimit
  /// How many logins' remains are kept for the next ones.
  static let mostKept = 8

  /// What an earlier login left belongs to one method in one realm: other servers must not see its
  /// pseudonym.
  struct KeptName: Hashable, Sendable {
    var method: EAPMethod
    var realm: String?
  }

  private enum Phase: Sendable {
    /// It waits for the server's next packet.
    case idle(EAPPeer)
    /// A packet is being answered; whoever does that has the peer.
    case answering
  }

  private struct Login: Sendable {
    var phase: Phase
    var keptName: KeptName?
    /// What this login last left under that name.
    var left: EAPReauthentication?
    var end: LimitClock.Instant
    /// Grows with every use.
    var lastUse: UInt64
    var challenges = 0
    /// Ends the login in time.
    var timer: Task<Void, Never>

    var isIdle: Bool { if case .idle = phase { true } else { false } }
  }

  private var logins: [String: Login] = [:]
  private var kept: [KeptName: EAPReauthentication] = [:]
  private var lastUse: UInt64 = 0

  var count: Int { logins.count }
  var isEmpty: Bool { logins.isEmpty && kept.isEmpty }

  // MARK: Beginning

  /// What an earlier login left. It is given away once: its identity for re-authentication is good
  /// for one attempt.
  mutating func takeKept(_ name: KeptName) -> EAPReauthentication? { kept.removeValue(forKey: name) }

  /// Adds a login.
  ///
  /// - Parameters:
  ///   - id: an id that nobody can guess.
  ///   - keptName: under which its remains are kept; nil if they are not.
  ///   - timer: ends the login at `end`.
  /// - Throws: `ModemError` `busy` if all other logins are being answered.
  mutating func begin(
    _ peer: EAPPeer, as id: String, keptName: KeptName?, end: LimitClock.Instant, timer: Task<Void, Never>
  ) throws(ModemError) {
    if logins.count >= Self.most {
      let idle = logins.filter { $0.value.isIdle }
      guard let oldest = idle.min(by: { $0.value.lastUse < $1.value.lastUse })?.key else {
        timer.cancel()
        throw ModemError(
          .busy, "SIM authentication: \(Self.most) logins wait for the SIM already; try again in a minute")
      }
      self.end(oldest)
    }
    lastUse += 1
    logins[id] = Login(phase: .idle(peer), keptName: keptName, end: end, lastUse: lastUse, timer: timer)
    keep(what: peer, of: id)
  }

  // MARK: Answering

  /// Gives the peer of a login to whoever answers its next packet.
  ///
  /// - Throws: `EAPFault` `unknownLogin`; `ModemError` `busy` while an earlier packet is being
  ///   answered.
  mutating func take(_ id: String, at now: LimitClock.Instant) throws -> EAPPeer {
    guard let login = logins[id], now < login.end else {
      end(id)
      throw EAPFault.unknownLogin
    }
    guard case .idle(let peer) = login.phase else {
      throw ModemError(
        .busy, "SIM authentication: the login's last packet is still being answered; wait for the answer")
    }
    lastUse += 1
    logins[id]?.phase = .answering
    logins[id]?.lastUse = lastUse
    return peer
  }

  /// Counts a challenge for the SIM.
  ///
  /// - Returns: whether the login may ask the SIM.
  mutating func countChallenge(of id: String) -> Bool {
    guard isAnswering(id), let challenges = logins[id]?.challenges, challenges < Self.mostChallenges else {
      return false
    }
    logins[id]?.challenges = challenges + 1
    return true
  }

  /// Whether a login is there, and the packet that was taken for it is not answered yet.
  func isAnswering(_ id: String) -> Bool {
    if case .answering? = logins[id]?.phase { true } else { false }
  }

  /// Takes the peer back after a packet. What it keeps for the next login is kept.
  ///
  /// - Parameter isOver: whether the login ends with this packet.
  /// - Throws: `EAPFault` `unknownLogin` if the login ended meanwhile.
  mutating func put(_ peer: EAPPeer, of id: String, isOver: Bool, at now: LimitClock.Instant) throws(EAPFault) {
    guard isAnswering(id), let login = logins[id], now < login.end else {
      end(id)
      throw .unknownLogin
    }
    keep(what: peer, of: id)
    if isOver { end(id) } else { logins[id]?.phase = .idle(peer) }
  }

  /// Keeps what a login leaves for the next one, if that changed: another login's must not be
  /// overwritten without news.
  private mutating func keep(what peer: EAPPeer, of id: String) {
    guard let login = logins[id], let name = login.keptName, peer.kept != login.left else { return }
    if kept[name] == nil, kept.count >= Self.mostKept { kept.removeAll() }
    kept[name] = peer.kept
    logins[id]?.left = peer.kept
  }

  // MARK: Ending

  /// Ends a login; its keys are wiped. Does nothing if there is none.
  mutating func end(_ id: String) { logins.removeValue(forKey: id)?.timer.cancel() }

  /// Ends all logins, and forgets what earlier ones left.
  mutating func endAll() {
    for login in logins.values { login.timer.cancel() }
    self = EAPLogins()
  }
}
