import NIOCore
import NIOTLS

/// Tells when the server of a connection has proved who it is. It stands last in the pipeline.
///
/// `@unchecked Sendable`: confined to its channel's loop; every method runs on it.
final class HandshakeWatch: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = Any

  private let promise: EventLoopPromise<Void>

  init(on loop: any EventLoop) { promise = loop.makePromise() }

  /// Fails if the connection ends first.
  var done: EventLoopFuture<Void> { promise.futureResult }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted? = event as? TLSUserEvent { promise.succeed(()) }
    context.fireUserInboundEventTriggered(event)
  }

  func handlerRemoved(context: ChannelHandlerContext) { promise.fail(ChannelError.ioOnClosedChannel) }
}
