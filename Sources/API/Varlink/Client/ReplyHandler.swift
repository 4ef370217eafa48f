import NIOCore

/// Passes each reply to the call that waits for it.
final class ReplyHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  enum Event: Sendable {
    case reply(ReceivedReply)
    case failure(any Error)
  }

  struct Waiter: Sendable {
    /// The called method.
    let method: String
    let receive: @Sendable (Event) -> Void
  }

  private var waiters: [Waiter] = []
  private var splitter = FrameSplitter(limit: 16 << 20)

  func await(_ waiter: Waiter) { waiters.append(waiter) }

  /// Whether no call waits and nothing of a message has come.
  var isIdle: Bool { waiters.isEmpty && splitter.waitingBytes == 0 }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    splitter.append(&bytes)
    do {
      while let frame = try splitter.next() { try deliver(frame) }
    } catch {
      fail { .badReply(method: $0.method) }
      context.close(promise: nil)
    }
  }

  private func deliver(_ frame: [UInt8]) throws {
    // Nobody called: the next call would take it for its own reply.
    guard let waiter = waiters.first else { throw Unasked() }
    let reply = try ReceivedReply(frame)
    if !reply.continues { waiters.removeFirst() }
    if let failure = reply.failure {
      waiter.receive(.failure(failure))
    } else {
      waiter.receive(.reply(reply))
    }
  }

  private struct Unasked: Error {}

  func channelInactive(context: ChannelHandlerContext) { fail { _ in .disconnected } }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fail { _ in .disconnected }
    context.close(promise: nil)
  }

  private func fail(_ error: (Waiter) -> VarlinkClientError) {
    let waiting = waiters
    waiters = []
    for waiter in waiting { waiter.receive(.failure(error(waiter))) }
  }
}
