import NIOCore
import NIOHTTP1
import RedirectChain
import Web

/// The handlers of a connection.
package enum ExchangePipeline {
  /// Adds HTTP/1.1 to a connection.
  ///
  /// - Parameter tls: the URL whose host the certificate must match, and the certificates to trust;
  ///   nil for cleartext.
  package static func add(
    _ limit: AnswerLimit, _ handler: ExchangeHandler, to pipeline: ChannelPipeline.SynchronousOperations,
    tls: (url: WebURL, context: TLSClientContext)? = nil
  ) throws {
    if let (url, context) = tls {
      try pipeline.addHandler(JoinedFlush())
      try pipeline.addHandler(context.handler(for: url))
    }
    let decoder = AnswerDecoder()
    handler.decoder = decoder
    try pipeline.addHandlers(limit, HTTPRequestEncoder(), ByteToMessageHandler(decoder), handler)
  }
}
