import CLinux
import Glibc

/// A daemon's memory, which holds secrets and personal data, stays its own.
package enum PrivateMemory {
  /// Makes it readable only for root: no core is dumped, and no other process of the daemon's user
  /// can trace this one. Call it before the first secret is read.
  package static func keep() {
    // It does not fail on any supported Linux.
    clinux_forbid_dumps()
    // For use without a unit: a unit sets LimitCORE=0, and its system call filter refuses this
    // call.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
  }
}
