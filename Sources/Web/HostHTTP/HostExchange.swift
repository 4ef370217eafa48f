import HTTPExchange
import NIOCore
import NIOHTTP1
import NIOPosix
@_spi(Exchange) import Web

/// One call in progress, from resolving its host to the end of its answer. Nothing stays open
/// afterwards.
///
/// `@unchecked Sendable`: confined to `loop`; `run` and `cancel` hop there first.
final class HostExchange: @unchecked Sendable {
  typealias Outcome = Result<WebReply, WebFailure>

  /// Largest body in bytes, as sent and as read.
  static let bodyLimit = 262_144

  private enum State {
    case ready
    case connecting(CheckedContinuation<Outcome, Never>)
    case waiting(CheckedContinuation<Outcome, Never>, ExchangeHandler)
    case over
  }

  private let call: WebRequest
  private let tls: TLSClientContext?
  private let userAgent: String
  private let isConfigured: Bool
  private let loop: any EventLoop
  private let deadline: NIODeadline
  private var state = State.ready
  /// More than one while several addresses of a name are tried.
  private var channels: [ObjectIdentifier: any Channel] = [:]
  private var timer: Scheduled<Void>?

  /// - Parameters:
  ///   - tls: nil for cleartext.
  ///   - isConfigured: whether the configuration names the URL; otherwise only public addresses are
  ///     reached.
  init(
    _ call: WebRequest, tls: TLSClientContext?, userAgent: String, isConfigured: Bool, on loop: any EventLoop
  ) {
    self.isConfigured = isConfigured
    self.call = call
    self.tls = tls
    self.userAgent = userAgent
    self.loop = loop
    deadline = .now() + TimeAmount(call.time)
  }

  func run() async -> Outcome {
    await withCheckedContinuation { continuation in
      loop.execute { self.start(continuation) }
    }
  }

  /// Ends the call at once, even before it has begun.
  func cancel() {
    loop.execute {
      self.finish(.failure(WebFailure(.cancelled, "the call to \(self.call.url.host) was cancelled")))
    }
  }

  private func start(_ continuation: CheckedContinuation<Outcome, Never>) {
    guard case .ready = state else {
      return continuation.resume(
        returning: .failure(WebFailure(.cancelled, "the call to \(call.url.host) was cancelled")))
    }
    state = .connecting(continuation)
    timer = loop.scheduleTask(deadline: deadline) { self.fail(HostFailure.OutOfTime()) }
    connect().whenComplete { result in
      switch result {
      case .success(let channel): self.ask(over: channel)
      case .failure(let error): self.fail(error)
      }
    }
  }

  /// Opens a connection to the first address that answers (RFC 8305). No socket is bound: the
  /// machine's routes decide.
  private func connect() -> EventLoopFuture<any Channel> {
    let url = call.url
    let bootstrap = ClientBootstrap(group: loop)
      // For all addresses together. The call's own timer decides.
      .connectTimeout(TimeAmount(call.time))
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { try self.prepare(channel) } }
    if url.address != nil {
      do {
        return bootstrap.connect(to: try SocketAddress(ipAddress: url.host, port: url.port))
      } catch {
        return loop.makeFailedFuture(error)
      }
    }
    let isLocal = url.scheme == .http && url.isOnThisMachine
    return bootstrap.resolver(isLocal ? LoopbackResolver(on: loop) : nil).connect(host: url.host, port: url.port)
  }

  private func prepare(_ channel: any Channel) throws {
    // A name may be resolved after the call has ended.
    guard case .connecting = state else { throw ChannelError.ioOnClosedChannel }
    let key = ObjectIdentifier(channel)
    channels[key] = channel
    channel.closeFuture.whenComplete { _ in self.channels[key] = nil }
    let limit = AnswerLimit()
    if !isConfigured { try channel.pipeline.syncOperations.addHandler(AddressGate()) }
    try ExchangePipeline.add(
      limit, ExchangeHandler(isTLS: tls != nil, limit: limit), to: channel.pipeline.syncOperations,
      tls: tls.map { (call.url, $0) })
  }

  /// Writes the request once. Over TLS, it waits for the server's certificate and leaves with the
  /// handshake's last message.
  private func ask(over channel: any Channel) {
    guard case .connecting(let continuation) = state else { return channel.abort() }
    let handler: ExchangeHandler
    do {
      handler = try channel.pipeline.syncOperations.handler(type: ExchangeHandler.self)
    } catch {
      return fail(error)
    }
    state = .waiting(continuation, handler)
    let connection = WebHeader(name: "Connection", value: "close")
    let question = HTTPRequestHead(
      call.method.rawValue, call.url, headers: call.fields + [connection], bodyBytes: call.bodyBytes,
      userAgent: userAgent)
    let answer = handler.send(
      question, body: call.body?.bytes, on: loop,
      limits: .init(handshakeBy: deadline, connect: call.time, read: call.time, bodyBytes: Self.bodyLimit))
    answer.head.and(answer.body).whenComplete { result in
      do {
        let (head, sent) = try result.get()
        let body = try head.decoded(sent, limit: Self.bodyLimit)
        self.finish(.success(WebReply(status: head.status, headers: head.headers, body: body)))
      } catch {
        self.fail(error)
      }
    }
  }

  private func fail(_ error: any Error) {
    let stage: HostFailure.Stage =
      switch state {
      case .ready, .connecting, .over: .connecting
      case .waiting(_, let handler): tls != nil && handler.handshakeDone == nil ? .handshake : .answer
      }
    finish(.failure(HostFailure(url: call.url, time: call.time, stage: stage).failure(error)))
  }

  private func finish(_ outcome: Outcome) {
    let continuation: CheckedContinuation<Outcome, Never>?
    switch state {
    case .ready: continuation = nil
    case .connecting(let waiting), .waiting(let waiting, _): continuation = waiting
    case .over: return
    }
    state = .over
    timer?.cancel()
    for channel in channels.values {
      if case .success = outcome {
        channel.close(promise: nil)
      } else {
        // Unsent data must not leave after the call has ended.
        channel.discardUnsent()
        channel.abort()
      }
    }
    continuation?.resume(returning: outcome)
  }
}
