import NIOCore
import NIOHTTP1

/// Reads answers, each with its own parser. Extra bytes after an answer, or before the next
/// request, therefore never become the beginning of the next answer.
final class AnswerDecoder: WriteObservingByteToMessageDecoder {
  typealias InboundOut = HTTPClientResponsePart
  typealias OutboundIn = HTTPClientRequestPart

  private var parser = AnswerDecoder.makeParser()
  private weak var context: ChannelHandlerContext?

  private static func makeParser() -> HTTPResponseDecoder {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = AnswerLimit.headBytes
    limits.maxHeaderListSize = AnswerLimit.headBytes
    return HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)
  }

  /// Whether nothing of another answer followed the last one. It is only asked between an answer
  /// and the next request, when the parser is at its end.
  func isAtStart() -> Bool {
    guard let context else { return false }
    var nothing = ByteBuffer()
    // The stream may end between two answers, but not within one.
    return (try? parser.decodeLast(context: context, buffer: &nothing, seenEOF: true)) != nil
  }

  func decoderAdded(context: ChannelHandlerContext) {
    self.context = context
    parser.decoderAdded(context: context)
  }

  func decoderRemoved(context: ChannelHandlerContext) {
    parser.decoderRemoved(context: context)
    self.context = nil
  }

  func write(data: HTTPClientRequestPart) {
    if case .head = data, let context {
      parser.decoderRemoved(context: context)
      parser = Self.makeParser()
      parser.decoderAdded(context: context)
    }
    parser.write(data: data)
  }

  func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
    try parser.decode(context: context, buffer: &buffer)
  }

  func decodeLast(context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool) throws -> DecodingState {
    try parser.decodeLast(context: context, buffer: &buffer, seenEOF: seenEOF)
  }
}
