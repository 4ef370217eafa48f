import NIOCore
import NIOPosix

/// Knows this machine alone. In clear nothing else proves that who answers for `localhost` is on this machine, and a
/// resolver may be told otherwise.
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
