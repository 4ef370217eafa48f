import NIOCore

/// Counts what a server sends for one answer, before it is parsed: a head that never ends, endless interim answers
/// and chunks that are all extension are caught here.
///
/// `@unchecked Sendable`: used by one channel, on its loop.
final class AnswerLimit: ChannelInboundHandler, @unchecked Sendable {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Bytes of a status line, its fields and the interim answers before it.
  static let headBytes = 32_768

  private(set) var count = 0
  private var isInHead = true
  private var total = Int.max
  private(set) var firstByte: NIODeadline?

  /// A request goes out.
  func begin(bodyBytes: Int) {
    count = 0
    isInHead = true
    firstByte = nil
    // Chunks of one byte each take six.
    total = Self.headBytes + 8 * bodyBytes + 16_384
  }

  /// The head of the answer is through.
  func headEnded() { isInHead = false }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if firstByte == nil { firstByte = .now() }
    let buffer = unwrapInboundIn(data)
    count += buffer.readableBytes
    context.fireChannelRead(data)
    guard isInHead && count > Self.headBytes || count > total else { return }
    context.fireErrorCaught(
      BoundHTTPError(.tooLarge, "the head of an answer is over \(Self.headBytes) bytes, or its framing is bloated"))
    context.channel.abort()
  }
}
