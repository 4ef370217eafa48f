import NIOCore

/// Joins what several handlers write during one read into one segment. Without it, the TLS handler
/// would flush its Finished message before the request behind it, and a server would see two
/// segments.
///
/// `@unchecked Sendable`: used by one channel, on its loop.
package final class JoinedFlush: ChannelDuplexHandler, @unchecked Sendable {
  package typealias InboundIn = ByteBuffer
  package typealias OutboundIn = ByteBuffer

  private var isReading = false
  private var isFlushDue = false

  package init() {}

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    isReading = true
    context.fireChannelRead(data)
  }

  package func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    isReading = false
    flushWhatIsDue(context)
  }

  package func flush(context: ChannelHandlerContext) {
    if isReading {
      isFlushDue = true
    } else {
      context.flush()
    }
  }

  package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    // A last alert must still leave.
    flushWhatIsDue(context)
    context.close(mode: mode, promise: promise)
  }

  package func handlerRemoved(context: ChannelHandlerContext) { flushWhatIsDue(context) }

  private func flushWhatIsDue(_ context: ChannelHandlerContext) {
    guard isFlushDue else { return }
    isFlushDue = false
    context.flush()
  }
}
