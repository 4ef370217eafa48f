import Glibc
import NIOCore
import NIOSSL

extension Channel {
  /// Closes the socket at once, past the TLS handler, without waiting for a misbehaving server to
  /// close TLS. Call it on the channel's loop.
  package func abort() {
    if let context = try? pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self) {
      context.close(promise: nil)
    } else {
      close(promise: nil)
    }
  }

  /// Makes the kernel reset the connection on close and discard unsent data (SO_LINGER with zero
  /// time).
  package func discardUnsent() {
    let now = linger(l_onoff: 1, l_linger: 0)
    (self as? any SocketOptionProvider)?.setSoLinger(now).whenComplete { _ in }
  }
}
