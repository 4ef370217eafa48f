import NIOCore
import NIOHTTP1

/// Limits of one request and its answer.
package struct RequestLimits: Hashable, Sendable {
  /// Connections of all users.
  package var connections = 128
  /// Connections of one user.
  package var userConnections = 32
  /// Bytes of a request, with its body.
  package var bytes = 20_480
  /// Bytes of a body.
  package var bodyBytes = 4096
  /// Fields of a request.
  package var fields = 64
  /// Until a request is complete.
  package var requestTime = TimeAmount.seconds(10)
  /// Until its answer is complete; a stream may go on as long.
  package var answerTime = TimeAmount.minutes(20)

  package init() {}
}

/// Ends a request that is too long before anybody reads it.
final class ByteLimit: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  struct Exceeded: Error {}

  private var left: Int

  init(_ most: Int) { left = most }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    guard left > 0 else { return }
    left -= bytes.readableBytes
    if left > 0 {
      context.fireChannelRead(wrapInboundOut(bytes))
    } else {
      context.fireErrorCaught(Exceeded())
    }
  }
}

/// Reads the one request of a connection, and writes its answer. The connection ends with it.
final class RequestReader: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart

  private enum State {
    case reading(HTTPRequestHead?, [UInt8])
    case answering(Task<Void, Never>)
    case over
  }

  private let user: UInt32
  private let port: Int
  private let limits: RequestLimits
  private let serve: @Sendable (BrowserRequest) async -> BrowserAnswer
  private var state = State.reading(nil, [])
  private var timer: Scheduled<Void>?

  init(
    user: UInt32, port: Int, limits: RequestLimits, serve: @escaping @Sendable (BrowserRequest) async -> BrowserAnswer
  ) {
    self.user = user
    self.port = port
    self.limits = limits
    self.serve = serve
  }

  func handlerAdded(context: ChannelHandlerContext) { end(context.channel, after: limits.requestTime) }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  /// Closes the connection at a time, whatever it does then.
  private func end(_ channel: any Channel, after time: TimeAmount) {
    timer?.cancel()
    timer = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .reading(let head, var body) = state else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      guard head.headers.count <= limits.fields, !head.headers.contains(name: "transfer-encoding") else {
        return refuse(context, 400, "the request has too many fields, or no Content-Length")
      }
      state = .reading(head, [])
    case .body(var bytes):
      guard body.count + bytes.readableBytes <= limits.bodyBytes else {
        return refuse(context, 413, "a body has \(limits.bodyBytes) bytes at most")
      }
      body += bytes.readBytes(length: bytes.readableBytes) ?? []
      state = .reading(head, body)
    case .end:
      guard let head, let request = BrowserRequest(head, body, user: user, port: port) else {
        return refuse(context, 400, "the request's target is no path")
      }
      begin(context) { [serve] in await serve(request) }
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if case .answering(let task) = state { task.cancel() }
    state = .over
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard case .reading = state else { return context.close(promise: nil) }
    error is ByteLimit.Exceeded
      ? refuse(context, 431, "a request has \(limits.bytes) bytes at most")
      : refuse(context, 400, "the request is no HTTP")
  }

  private func refuse(_ context: ChannelHandlerContext, _ status: Int, _ text: String) {
    begin(context) { BrowserAnswer.text(status, text) }
  }

  private func begin(_ context: ChannelHandlerContext, _ answer: @escaping @Sendable () async -> BrowserAnswer) {
    let channel = context.channel
    end(channel, after: limits.answerTime)
    state = .answering(
      Task {
        await AnswerWriter.write(await answer(), to: channel)
        channel.close(promise: nil)
      })
  }
}

extension BrowserRequest {
  init?(_ head: HTTPRequestHead, _ body: [UInt8], user: UInt32, port: Int) {
    guard head.uri.hasPrefix("/"), head.uri.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
    let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    self.init(
      method: head.method.rawValue, path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : nil,
      fields: head.headers.map { ($0.name.lowercased(), $0.value) }, body: body, user: user, port: port)
  }
}

/// Writes an answer as fast as the browser takes it.
enum AnswerWriter {
  static func write(_ answer: BrowserAnswer, to channel: any Channel) async {
    var headers = HTTPHeaders(SafeFields.all + answer.fields)
    do {
      switch answer.body {
      case .bytes(let bytes):
        headers.add(name: "Content-Length", value: "\(bytes.count)")
        try await send(head(answer.status, headers), channel)
        try await send(.body(.byteBuffer(ByteBuffer(bytes: bytes))), channel)
      case .stream(let chunks):
        headers.add(name: "Transfer-Encoding", value: "chunked")
        try await send(head(answer.status, headers), channel)
        for await chunk in chunks { try await send(.body(.byteBuffer(ByteBuffer(bytes: chunk))), channel) }
      }
      try await send(.end(nil), channel)
    } catch {
      // The browser has left: there is nobody to tell.
    }
  }

  private static func head(_ status: Int, _ headers: HTTPHeaders) -> HTTPServerResponsePart {
    .head(HTTPResponseHead(version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: headers))
  }

  private static func send(_ part: HTTPServerResponsePart, _ channel: any Channel) async throws {
    try await channel.writeAndFlush(part).get()
  }
}
