import NIOCore
import NIOHTTP1
import NIOSSL
import RedirectChain

/// The handlers of a connection.
package enum ExchangePipeline {
  /// Has HTTP/1.1 spoken on a connection.
  ///
  /// - Parameter tls: for whom the certificate must be, and whose are believed; nil for cleartext.
  package static func add(
    _ limit: AnswerLimit, _ handler: ExchangeHandler, to pipeline: ChannelPipeline.SynchronousOperations,
    tls: (url: WebURL, context: NIOSSLContext)? = nil
  ) throws {
    if let (url, context) = tls {
      try pipeline.addHandler(JoinedFlush())
      try pipeline.addHandler(ServerName.handler(for: url.host, isAddress: url.address != nil, context))
    }
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = AnswerLimit.headBytes
    limits.maxHeaderListSize = AnswerLimit.headBytes
    try pipeline.addHandlers(
      limit, HTTPRequestEncoder(),
      ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits)),
      handler)
  }
}
