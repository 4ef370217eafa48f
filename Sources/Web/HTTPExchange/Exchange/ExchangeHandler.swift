import NIOCore
import NIOHTTP1
import NIOSSL
import NIOTLS
import OutsideNumber
import RedirectChain
import Web

/// One request and its answer at a time on one connection.
///
/// `@unchecked Sendable`: confined to its channel's loop; every method runs on it.
package final class ExchangeHandler: ChannelInboundHandler, @unchecked Sendable {
  package typealias InboundIn = HTTPClientResponsePart
  package typealias OutboundOut = HTTPClientRequestPart

  /// The status line and fields of an answer.
  package struct Head: Sendable {
    package let status: Int
    package let headers: [WebHeader]
    package let firstByte: NIODeadline
  }

  /// The parts of an exchange that a caller can wait for. The body is complete: a cut-off body
  /// never passes for a whole one.
  package struct Exchange: Sendable {
    package let head: EventLoopFuture<Head>
    package let body: EventLoopFuture<[UInt8]>
    /// False if the connection was over before. The server has nothing of the request then.
    package var isWritten = true
  }

  /// How long and how much.
  package struct Limits: Sendable {
    let handshakeBy: NIODeadline
    let connect: Duration?
    let read: Duration
    let bodyBytes: Int

    /// - Parameters:
    ///   - connect: the limit that `handshakeBy` comes from. It appears in messages only.
    ///   - read: between two parts of an answer.
    package init(handshakeBy: NIODeadline, connect: Duration? = nil, read: Duration, bodyBytes: Int) {
      self.handshakeBy = handshakeBy
      self.connect = connect
      self.read = read
      self.bodyBytes = bodyBytes
    }
  }

  /// Whether a connection can take another request.
  package enum Readiness: Sendable {
    case ready
    /// Unread bytes arrived: TLS messages, or the end of TLS.
    case unread
    /// It ended, or carries bytes that nobody requested.
    case over
  }

  private struct Pending {
    let head: EventLoopPromise<Head>
    let body: EventLoopPromise<[UInt8]>
    let limits: Limits

    /// Whether the announced length of an answer describes a body that follows (RFC 9110, 6.4.1).
    func carriesBody(_ status: Int) -> Bool { status != 204 && status != 304 }

    func fail(_ error: any Error) {
      head.fail(error)
      body.fail(error)
    }
  }

  private enum State {
    /// Ready for a request.
    case idle
    /// The request was sent, or waits in the TLS handler for the handshake to finish.
    case waiting(Pending)
    /// The head arrived; the body as received so far.
    case reading(Pending, isKeptAlive: Bool, body: [UInt8])
    /// No further request.
    case closed((any Error)?)
  }

  private let isTLS: Bool
  private let limit: AnswerLimit
  private var state = State.idle
  private var context: ChannelHandlerContext?
  private var timer: Scheduled<Void>?
  /// Whether the kernel has all of the last request. A server that answers earlier would take the
  /// rest of it for the beginning of the next one.
  private var isWritten = true
  package private(set) var handshakeDone: NIODeadline?
  /// As in `1.3`; nil for cleartext and before the handshake ends.
  package private(set) var tlsVersion: String?
  package private(set) var ended: NIODeadline?
  /// Whether the last answer said that the connection stays open: `Connection: keep-alive`, which
  /// is HTTP/1.1's own rule, but which most servers that keep connections say all the same.
  package private(set) var announcesReuse = false
  /// The Content-Length of the last answer.
  package private(set) var announcedBytes: Int?
  /// Set by the pipeline.
  var decoder: AnswerDecoder?

  package init(isTLS: Bool, limit: AnswerLimit) {
    self.isTLS = isTLS
    self.limit = limit
  }

  /// Bytes received for the last answer.
  package var receivedBytes: Int { limit.count }

  package var isIdle: Bool {
    if case .idle = state { context?.channel.isActive == true } else { false }
  }

  /// Checks the connection in its present state, beyond what the loop has read. A request must not
  /// be what discovers that the connection has ended, because it could not be sent again.
  package var readiness: Readiness {
    guard isIdle, isWritten, let context, decoder?.isAtStart() == true else { return .over }
    // Before its end, the handshake still has messages to read, and a request waits for it in the
    // TLS handler.
    let isShaking = isTLS && handshakeDone == nil
    return switch context.unreadInput {
    case .none: .ready
    case .end: .over
    case .some: isShaking ? .ready : isTLS ? .unread : .over
    }
  }

  /// The body that is still arriving, if any.
  package var unfinished: EventLoopFuture<[UInt8]>? {
    switch state {
    case .reading(let pending, isKeptAlive: true, _): pending.body.futureResult
    case .idle, .waiting, .reading, .closed: nil
    }
  }

  /// Writes a request at once. Before the handshake ends, it waits in the TLS handler and leaves
  /// with the handshake's last message.
  package func send(
    _ head: HTTPRequestHead, body: [UInt8]?, on loop: any EventLoop, limits: Limits
  ) -> Exchange {
    let pending = Pending(head: loop.makePromise(), body: loop.makePromise(), limits: limits)
    var exchange = Exchange(head: pending.head.futureResult, body: pending.body.futureResult)
    guard case .idle = state, let context else {
      exchange.isWritten = false
      if case .closed(let error?) = state {
        pending.fail(error)
      } else {
        pending.fail(ExchangeError(.closed, "the connection was closed before the request was written"))
      }
      return exchange
    }
    guard readiness != .over else {
      exchange.isWritten = false
      fail(ExchangeError(.closed, "the connection was over before the request was written"))
      if case .closed(let error?) = state { pending.fail(error) }
      return exchange
    }
    state = .waiting(pending)
    ended = nil
    announcedBytes = nil
    announcesReuse = false
    limit.begin(bodyBytes: limits.bodyBytes)
    if isTLS, handshakeDone == nil {
      schedule(
        at: limits.handshakeBy, "the TLS handshake did not end \(limits.connect.map { "within \($0)" } ?? "in time")")
    } else {
      awaitHead(limits)
    }
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if let body, !body.isEmpty {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
    }
    isWritten = false
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.whenSuccess { self.isWritten = true }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    return exchange
  }

  package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  package func handlerRemoved(context: ChannelHandlerContext) {
    fail(ExchangeError(.closed, "the connection was closed"))
    self.context = nil
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted? = event as? TLSUserEvent {
      handshakeDone = .now()
      let version = try? context.pipeline.syncOperations.nioSSL_tlsVersion()
      tlsVersion = version == .tlsv13 ? "1.3" : "1.2"
      if case .waiting(let pending) = state {
        awaitHead(pending.limits)
      }
    }
    context.fireUserInboundEventTriggered(event)
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): received(head)
    case .body(let part): received(part)
    case .end: receivedEnd()
    }
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // The server's identity is already proven. What remains is an answer that was cut off or
    // damaged on its way.
    guard handshakeDone != nil, SocketFailure.isTLS(error) else { return fail(error) }
    fail(ExchangeError(.closed, "TLS was cut off or damaged before the answer was whole", cause: "\(error)"))
  }

  package func channelInactive(context: ChannelHandlerContext) {
    fail(ExchangeError(.closed, "the connection was closed before the answer was whole"))
    context.fireChannelInactive()
  }

  private func received(_ head: HTTPResponseHead) {
    guard case .waiting(let pending) = state else {
      return fail(ExchangeError(.closed, "the server sent an answer that nobody asked for"))
    }
    limit.headEnded()
    let status = Int(head.status.code)
    guard status >= 200 else {
      return fail(ExchangeError(.closed, "the server wants to speak another protocol (status \(status))"))
    }
    // No other coding was requested (RFC 9112, 7.4), and its content is not the plain body.
    let codings = head.headers[canonicalForm: "transfer-encoding"].map { $0.lowercased() }
    guard codings.allSatisfy({ $0 == "chunked" || $0 == "identity" }) else {
      return fail(ExchangeError(.closed, "the answer has a transfer coding that is not chunked"))
    }
    announcedBytes = head.headers.first(name: "content-length").flatMap(Int.init)
    if let length = announcedBytes, length > pending.limits.bodyBytes, pending.carriesBody(status) {
      return fail(Self.tooLarge(pending.limits))
    }
    announcesReuse =
      head.isKeepAlive
      && head.headers[canonicalForm: "connection"].contains { $0.lowercased() == "keep-alive" }
    state = .reading(pending, isKeptAlive: head.isKeepAlive, body: [])
    awaitMore(pending.limits)
    let headers = head.headers.map { WebHeader(name: $0.name, value: $0.value) }
    pending.head.succeed(Head(status: status, headers: headers, firstByte: limit.firstByte ?? .now()))
  }

  private func received(_ part: ByteBuffer) {
    guard case .reading(let pending, let isKeptAlive, var body) = state else { return }
    guard body.count + part.readableBytes <= pending.limits.bodyBytes else {
      return fail(Self.tooLarge(pending.limits))
    }
    state = .idle
    body += part.readableBytesView
    state = .reading(pending, isKeptAlive: isKeptAlive, body: body)
    awaitMore(pending.limits)
  }

  private func receivedEnd() {
    guard case .reading(let pending, let isKeptAlive, let body) = state else { return }
    timer?.cancel()
    limit.ended()
    ended = .now()
    if isKeptAlive {
      state = .idle
    } else {
      state = .closed(nil)
      context?.close(promise: nil)
    }
    pending.body.succeed(body)
  }

  private func fail(_ error: any Error) {
    timer?.cancel()
    switch state {
    case .closed: return
    case .idle: state = .closed(error)
    case .waiting(let pending), .reading(let pending, _, _):
      state = .closed(error)
      pending.fail(error)
    }
    context?.channel.abort()
  }

  private func awaitHead(_ limits: Limits) {
    schedule(at: .now() + TimeAmount(limits.read), "no whole head of an answer came within \(limits.read.words)")
  }

  private func awaitMore(_ limits: Limits) {
    schedule(at: .now() + TimeAmount(limits.read), "nothing more of the answer came within \(limits.read.words)")
  }

  private func schedule(at deadline: NIODeadline, _ text: String) {
    timer?.cancel()
    timer = context?.eventLoop.scheduleTask(deadline: deadline) { self.fail(ExchangeError(.timeout, text)) }
  }

  private static func tooLarge(_ limits: Limits) -> ExchangeError {
    ExchangeError(.tooLarge, "the body of an answer is over \(limits.bodyBytes) bytes")
  }
}
