import MetricSeries
import NIOCore
import NIOHTTP1

/// Answers one request, and closes the connection.
final class MetricsRequest: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let source: MetricsSource
  private let isAllowed: Bool
  private var head: HTTPRequestHead?
  private var isAnswered = false

  init(_ source: MetricsSource, isAllowed: Bool) {
    self.source = source
    self.isAllowed = isAllowed
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): if self.head == nil { self.head = head }
    case .body: break
    case .end: if let head { answer(head, context) }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is HTTPParserError else { return context.close(promise: nil) }
    write(.badRequest, "this is no request of HTTP/1.1\n", isHead: false, context)
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let isHead = head.method == .HEAD
    let path = head.uri.prefix { $0 != "?" }
    if !isAllowed {
      write(
        .forbidden, "only root and members of the group modemd-metrics may read the figures\n", isHead: isHead, context)
    } else if path != "/metrics" {
      write(.notFound, "the figures are at /metrics\n", isHead: isHead, context)
    } else if head.method != .GET, !isHead {
      write(.methodNotAllowed, "ask with GET\n", isHead: isHead, context, [("allow", "GET, HEAD")])
    } else {
      let form = Self.form(head.headers[canonicalForm: "accept"].map { $0.lowercased() })
      write(.ok, form.write(source.samples()), of: form.contentType, isHead: isHead, context)
    }
  }

  /// OpenMetrics, unless the client names plain text alone.
  private static func form(_ accepted: [String]) -> MetricText {
    let namesPlain = accepted.contains { $0.hasPrefix("text/plain") }
    return namesPlain && !accepted.contains { $0.hasPrefix("application/openmetrics-text") }
      ? .prometheus : .openMetrics
  }

  private func write(
    _ status: HTTPResponseStatus, _ text: String, of type: String = "text/plain; charset=utf-8", isHead: Bool,
    _ context: ChannelHandlerContext, _ fields: [(String, String)] = []
  ) {
    guard !isAnswered else { return }
    isAnswered = true
    var headers = HTTPHeaders(fields)
    headers.add(name: "content-type", value: type)
    headers.add(name: "content-length", value: "\(text.utf8.count)")
    headers.add(name: "connection", value: "close")
    headers.add(name: "cache-control", value: "no-store")
    context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: status, headers: headers))), promise: nil)
    if !isHead {
      context.write(wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(string: text)))), promise: nil)
    }
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }
}
