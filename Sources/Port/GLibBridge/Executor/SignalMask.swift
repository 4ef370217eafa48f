import Glibc

/// The signals that a thread had blocked, for as long as it blocks none.
///
/// A thread started from a Swift task blocks all signals, and a process it starts inherits that: mbim-proxy and
/// qmi-proxy, which the libraries start, could not be stopped with SIGTERM. Let the GLib thread block none while a
/// library may start one.
public struct SignalMask: Sendable {
  private let blocked: sigset_t

  /// Lets the calling thread block no signal.
  /// - Returns: What it had blocked.
  public static func clear() -> SignalMask {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    return SignalMask(blocked: before)
  }

  /// Blocks the same signals again, on the same thread.
  public func restore() {
    var blocked = blocked
    pthread_sigmask(SIG_SETMASK, &blocked, nil)
  }
}
