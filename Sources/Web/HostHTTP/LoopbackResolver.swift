import NIOCore
import NIOPosix

/// Resolves `localhost` to this machine only. Cleartext has no other proof that the server for
/// `localhost` is on this machine, and a resolver may give another address.
final class LoopbackResolver: Resolver, Sendable {
  private let loop: any EventLoop

  init(on loop: any EventLoop) { self.loop = loop }

  func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    loop.makeCompletedFuture { [try SocketAddress(ipAddress: "127.0.0.1", port: port)] }
  }

  func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    loop.makeCompletedFuture { [try SocketAddress(ipAddress: "::1", port: port)] }
  }

  func cancelQueries() {}
}
