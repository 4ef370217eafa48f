import NIOCore
import NIOSSL

extension Channel {
  /// Closes the socket at once, past the TLS handler: there is no farewell to wait for from a server that misbehaves.
  /// It must be called on the channel's loop.
  func abort() {
    if let context = try? pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self) {
      context.close(promise: nil)
    } else {
      close(promise: nil)
    }
  }
}
