import Glibc
import NIOCore
import NIOSSL

extension Channel {
  /// Closes the socket at once, past the TLS handler: there is no farewell to wait for from a server that misbehaves.
  /// It must be called on the channel's loop.
  package func abort() {
    if let context = try? pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self) {
      context.close(promise: nil)
    } else {
      close(promise: nil)
    }
  }

  /// Has the kernel reset the connection when it is closed, and keep nothing of it (SO_LINGER with no time).
  package func discardUnsent() {
    let now = linger(l_onoff: 1, l_linger: 0)
    (self as? any SocketOptionProvider)?.setSoLinger(now).whenComplete { _ in }
  }
}
