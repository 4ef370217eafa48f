import NIOCore
import NIOTLS
import Synchronization

/// What one connection cost so far, and whether it is ready: for connections that are made before
/// anybody needs them.
final class ConnectionWatch: Sendable {
  private let moved = Atomic<Int>(0)
  /// Succeeds when the connection can carry a request without delay. It fails if it never can.
  let ready: EventLoopFuture<Void>
  private let promise: EventLoopPromise<Void>

  init(on loop: any EventLoop) {
    promise = loop.makePromise()
    ready = promise.futureResult
  }

  /// In either direction, without the headers of IP and TCP.
  var bytes: Int { moved.load(ordering: .relaxed) }

  /// Adds what watches a channel to its pipeline, around the handlers that are there.
  ///
  /// - Parameter isTLS: whether a handshake comes first.
  func add(to pipeline: ChannelPipeline.SynchronousOperations, isTLS: Bool) throws {
    let counter = StreamByteCounter { [self] sent, received, _ in
      moved.wrappingAdd(sent + received, ordering: .relaxed)
    }
    try pipeline.addHandler(counter, position: .first)
    try pipeline.addHandler(Witness(promise, isTLS: isTLS))
  }

  /// No connection came of it.
  func failed(_ error: any Error) { promise.fail(error) }

  private final class Witness: ChannelInboundHandler, Sendable {
    typealias InboundIn = NIOAny

    private let promise: EventLoopPromise<Void>
    private let isTLS: Bool

    init(_ promise: EventLoopPromise<Void>, isTLS: Bool) {
      self.promise = promise
      self.isTLS = isTLS
    }

    func channelActive(context: ChannelHandlerContext) {
      if !isTLS { promise.succeed() }
      context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if case .handshakeCompleted? = event as? TLSUserEvent { promise.succeed() }
      context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
      promise.fail(BoundHTTPError(.closed, "the connection was closed"))
    }
  }
}
