import DetachedThread
import LimitClock
import LocalUsers

/// Which users' browsers are answered: root's, and those that the configuration names.
package actor AllowedUsers {
  private let users: Set<UInt32>
  private let groups: Set<UInt32>
  private let clock: LimitClock
  private var known: [UInt32: (isMember: Bool, until: LimitClock.Instant)] = [:]

  /// Users whose groups are remembered.
  private static let most = 64

  package init(users: Set<UInt32>, groups: Set<UInt32>, clock: LimitClock = .machine) {
    self.users = users
    self.groups = groups
    self.clock = clock
  }

  package func allows(_ user: UInt32) async -> Bool {
    if user == 0 || users.contains(user) { return true }
    guard !groups.isEmpty else { return false }
    if let known = known[user], known.until > clock.now { return known.isMember }
    let isMember = await Self.groups(of: user).contains(where: groups.contains)
    if known.count >= Self.most { known = known.filter { $0.value.until > clock.now } }
    if known.count < Self.most { known[user] = (isMember, clock.now + .seconds(30)) }
    return isMember
  }

  /// Asks the system's databases, which may take as long as they like.
  private static func groups(of user: UInt32) async -> Set<UInt32> {
    await withCheckedContinuation { continuation in
      let hasBegun = DetachedThread.start { continuation.resume(returning: UserGroups.of(user)) }
      if !hasBegun { continuation.resume(returning: []) }
    }
  }
}
