import NIOCore

/// Hears of what a socket moves: bytes as they go to the kernel and come from it, without the
/// headers of IP, TCP and UDP, and streams that were connected. It runs on the socket's event loop
/// and must not block.
package typealias ByteReport = @Sendable (_ sent: Int, _ received: Int, _ connections: Int) -> Void

/// Counts a stream's bytes: the handler next to the socket, so that those of TLS are included.
final class StreamByteCounter: ChannelDuplexHandler, Sendable {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer

  private let report: ByteReport

  init(_ report: @escaping ByteReport) { self.report = report }

  func channelActive(context: ChannelHandlerContext) {
    report(0, 0, 1)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    report(0, unwrapInboundIn(data).readableBytes, 0)
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    report(unwrapOutboundIn(data).readableBytes, 0, 0)
    context.write(data, promise: promise)
  }
}

/// Counts the payloads of datagrams.
final class DatagramByteCounter: ChannelDuplexHandler, Sendable {
  typealias InboundIn = AddressedEnvelope<ByteBuffer>
  typealias OutboundIn = AddressedEnvelope<ByteBuffer>

  private let report: ByteReport

  init(_ report: @escaping ByteReport) { self.report = report }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    report(0, unwrapInboundIn(data).data.readableBytes, 0)
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    report(unwrapOutboundIn(data).data.readableBytes, 0, 0)
    context.write(data, promise: promise)
  }
}
