import BoundHTTP
import CLinux
import Glibc

/// A process, as long as it runs. It stays the same one if its number is given to another process.
final class RunningProcess: Sendable {
  /// A pidfd (pidfd_open(2), Linux 5.3); -1 if there is none.
  private let descriptor: CInt
  private let wasGone: Bool

  /// - Parameter id: of a process that runs, or has ended since it asked.
  init(_ id: Int32) {
    descriptor = pidfd_open(id, 0)
    wasGone = descriptor < 0 && errno == ESRCH
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Whether it is known to have ended.
  var hasEnded: Bool {
    guard descriptor >= 0 else { return wasGone }
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }
}

/// What modemd keeps of a datagram socket that it handed over, so that the socket can be ended.
///
/// SOCK_DESTROY does not end datagram sockets: it disconnects them, and that takes the interface
/// off them, so that their next datagram leaves by the machine's own network. `shutdown` by another
/// descriptor of the same socket holds for good: whoever has the socket reads the end, and gets
/// EPIPE for what he sends. Nothing says when a program closes its descriptor, so that the socket
/// also ends with the process that asked for it.
final class DatagramHold: Sendable {
  private let descriptor: CInt

  /// - Throws: `IOError` if there is no descriptor left.
  init(_ socket: BoundDescriptor) throws { descriptor = try socket.duplicate() }

  deinit { close(descriptor) }

  /// The kernel says ENOTCONN for a socket without a destination, and shuts it down all the same.
  func shutDown() { shutdown(descriptor, CInt(SHUT_RDWR)) }
}
