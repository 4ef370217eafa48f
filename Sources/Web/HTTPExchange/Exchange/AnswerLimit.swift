import NIOCore

/// Counts what a server sends for one answer, before it is parsed. This catches a head that never
/// ends, endless interim answers, chunks that consist of extensions, and unrequested bytes.
///
/// `@unchecked Sendable`: used by one channel, on its loop.
package final class AnswerLimit: ChannelInboundHandler, @unchecked Sendable {
  package typealias InboundIn = ByteBuffer
  package typealias InboundOut = ByteBuffer

  /// Bytes of the status line, its fields and any interim answers before it.
  package static let headBytes = 32_768

  private(set) var count = 0
  /// From a request to the end of its answer.
  private var isAwaiting = false
  private var isInHead = true
  private var total = Int.max
  private(set) var firstByte: NIODeadline?

  package init() {}

  /// A request goes out.
  func begin(bodyBytes: Int) {
    count = 0
    isAwaiting = true
    isInHead = true
    firstByte = nil
    // A chunk of one byte takes six.
    total = Self.headBytes + 8 * bodyBytes + 16_384
  }

  /// The head of the answer is complete.
  func headEnded() { isInHead = false }

  /// The answer is whole.
  func ended() { isAwaiting = false }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard isAwaiting else {
      // It could pass for the answer to the next request.
      context.fireErrorCaught(ExchangeError(.closed, "the server sent something before it was asked"))
      return context.channel.abort()
    }
    if firstByte == nil { firstByte = .now() }
    let buffer = unwrapInboundIn(data)
    count += buffer.readableBytes
    context.fireChannelRead(data)
    guard isInHead && count > Self.headBytes || count > total else { return }
    context.fireErrorCaught(
      ExchangeError(.tooLarge, "the head of an answer is over \(Self.headBytes) bytes, or its framing is bloated"))
    context.channel.abort()
  }
}
