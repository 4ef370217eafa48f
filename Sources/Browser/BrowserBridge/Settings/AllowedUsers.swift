import DetachedThread
import Glibc
import LimitClock

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
  private static func groups(of user: UInt32) async -> [UInt32] {
    await withCheckedContinuation { continuation in
      let hasBegun = DetachedThread.start { continuation.resume(returning: read(user)) }
      if !hasBegun { continuation.resume(returning: []) }
    }
  }

  private static func read(_ user: UInt32) -> [UInt32] {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var space = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(user, &entry, &space, space.count, &found) == 0, found != nil else { return [] }
    var count: Int32 = 1024
    var groups = [gid_t](repeating: 0, count: Int(count))
    guard getgrouplist(entry.pw_name, entry.pw_gid, &groups, &count) >= 0 else { return [] }
    return groups.prefix(Int(max(count, 0))).map { $0 }
  }
}
