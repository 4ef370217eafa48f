import Glibc

/// The limit of open files of this process: each chain has a few sockets.
enum OpenFiles {
  /// Raises the limit as far as the system allows a process. If it does not, as under the unit's
  /// system call filter, the unit's own limit applies.
  static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
