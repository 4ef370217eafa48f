import Glibc

/// A user's groups, as this machine's databases have them (passwd(5), group(5), nsswitch.conf(5)).
package enum UserGroups {
  /// The primary and the supplementary groups of a user. A database may take as long as it likes,
  /// so that this is not for an event loop or a task.
  ///
  /// - Returns: none for a user that no database has. Of a user with more than 1024 groups the
  ///   primary one counts alone.
  package static func of(_ user: UInt32) -> Set<UInt32> {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var space = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(user, &entry, &space, space.count, &found) == 0, found != nil, let name = entry.pw_name else {
      return []
    }
    var count: Int32 = 1024
    var groups = [gid_t](repeating: 0, count: Int(count))
    guard getgrouplist(name, entry.pw_gid, &groups, &count) >= 0 else { return [entry.pw_gid] }
    return Set(groups.prefix(Int(max(count, 0))))
  }
}
