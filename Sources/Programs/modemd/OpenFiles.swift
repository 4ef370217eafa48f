import Glibc

/// How many files this process may have open: each chain has a few sockets.
enum OpenFiles {
  /// Raises the limit as far as the system lets a process raise its own. Where it does not, as under the unit's system call
  /// filter, the unit's own limit holds.
  static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
