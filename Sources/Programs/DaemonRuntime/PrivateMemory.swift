import CLinux
import Glibc

/// A daemon's memory, which holds secrets and personal data, stays its own.
public enum PrivateMemory {
  /// Lets nobody but root read it: no core is dumped, and no other process of the daemon's user can trace this one. To be called before the
  /// first secret is read.
  public static func keep() {
    // It fails for no Linux there is.
    clinux_forbid_dumps()
    // For where no unit says so; under the unit's filter of system calls, which says LimitCORE=0, it is refused.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
