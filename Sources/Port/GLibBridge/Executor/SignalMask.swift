import Glibc

/// The signals that a thread had blocked before it unblocked all.
///
/// A thread started from a Swift task blocks all signals, and its child processes inherit that. The
/// libraries start mbim-proxy and qmi-proxy, which SIGTERM could then not stop. Unblock the GLib
/// thread's signals while a library may start one.
package struct SignalMask: Sendable {
  private let blocked: sigset_t

  /// Unblocks all signals of the calling thread.
  /// - Returns: The signals that it had blocked.
  package static func clear() -> SignalMask {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    return SignalMask(blocked: before)
  }

  /// Blocks the same signals again, on the same thread.
  package func restore() {
    var blocked = blocked
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
  }
}
