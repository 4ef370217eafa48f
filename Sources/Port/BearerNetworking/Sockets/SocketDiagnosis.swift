import Rtnetlink

/// Access to the machine's sockets.
package struct SocketDiagnosis: Sendable {
  let openSocket: @Sendable (_ watchingEndsOn: Int?) throws -> any NetlinkSocket
  let tell: @Sendable (String) -> Void

  /// - Parameters:
  ///   - tell: takes a sentence for the log when sockets cannot be ended; the same one once.
  ///   - openSocket: opens a socket to the kernel's list of sockets, and has it report the ends of
  ///     those bound to an interface.
  package init(
    tell: @escaping @Sendable (String) -> Void,
    openSocket: @escaping @Sendable (_ watchingEndsOn: Int?) throws -> any NetlinkSocket = {
      try KernelNetlinkSocket.sockets(watchingEndsOn: $0)
    }
  ) {
    self.tell = tell
    self.openSocket = openSocket
  }
}
