import HTTPExchange
import LimitClock
import NIOCore
import NIOHTTP1
import NIOPosix
@_spi(Exchange) import Web

/// One exchange, from resolving the host or taking a kept connection to the end of the answer.
///
/// `@unchecked Sendable`: confined to `loop`; `run` and `cancel` hop there first.
final class HostExchange: @unchecked Sendable {
  typealias Outcome = Result<WebReply, WebFailure>

  /// Where the connection stays afterwards.
  struct Place {
    let connections: KeptConnections
    let key: KeptConnections.Shelf.Key
  }

  /// How an exchange ended.
  enum End {
    case over(Outcome)
    /// The kept connection could not be used. Nothing was written to it.
    case unused
    /// The server ended the kept connection after the request was written, and before any byte of
    /// an answer. Nobody knows whether it took the request.
    case unanswered
    /// Nothing was to be asked: the connection waits for a call.
    case opened
  }

  /// Largest body in bytes, as sent and as read.
  static let bodyLimit = 262_144
  /// How long a kept connection may take to become quiet: it is next to nothing, and a new
  /// connection is better than more.
  private static let patience = TimeAmount.milliseconds(5)
  private static let glance = TimeAmount.microseconds(200)

  private enum State {
    case ready
    case connecting(CheckedContinuation<End, Never>)
    case waiting(CheckedContinuation<End, Never>, ExchangeHandler)
    case over
  }

  private let call: WebRequest
  private let tls: TLSClientContext?
  private let userAgent: String
  private let isConfigured: Bool
  private let kept: KeptConnection?
  private let place: Place?
  private let opensAlone: Bool
  private let loop: any EventLoop
  private let deadline: NIODeadline
  private var state = State.ready
  /// More than one while several addresses of a name are tried.
  private var channels: [ObjectIdentifier: any Channel] = [:]
  private var timer: Scheduled<Void>?
  private var opened: LimitClock.Instant?

  /// - Parameters:
  ///   - tls: nil for cleartext.
  ///   - isConfigured: whether the configuration names the URL; otherwise only public addresses are
  ///     reached.
  ///   - kept: the connection to use; nil for a new one, on `loop`.
  ///   - place: where the connection waits for the user's next call; nil if it closes after the
  ///     answer.
  ///   - opensAlone: whether nothing is asked: the connection waits in `place` once the server has
  ///     proved who it is.
  ///   - deadline: for the whole call.
  init(
    _ call: WebRequest, tls: TLSClientContext?, userAgent: String, isConfigured: Bool, over kept: KeptConnection? = nil,
    place: Place?, opensAlone: Bool = false, by deadline: NIODeadline, on loop: any EventLoop
  ) {
    self.isConfigured = isConfigured
    self.call = call
    self.tls = tls
    self.userAgent = userAgent
    self.kept = kept
    self.place = place
    self.opensAlone = opensAlone
    self.deadline = deadline
    self.loop = kept?.channel.eventLoop ?? loop
  }

  func run() async -> End {
    await withCheckedContinuation { continuation in
      loop.execute { self.start(continuation) }
    }
  }

  /// Ends the call at once, even before it has begun.
  func cancel() {
    loop.execute { self.finish(.over(.failure(self.cancelled))) }
  }

  private var cancelled: WebFailure { WebFailure(.cancelled, "the call to \(call.url.host) was cancelled") }

  private func start(_ continuation: CheckedContinuation<End, Never>) {
    if let kept { channels[ObjectIdentifier(kept.channel)] = kept.channel }
    guard case .ready = state else {
      closeAll()
      return continuation.resume(returning: .over(.failure(cancelled)))
    }
    state = .connecting(continuation)
    timer = loop.scheduleTask(deadline: deadline) { self.fail(HostFailure.OutOfTime()) }
    if let kept {
      look(at: kept, until: .now() + Self.patience)
    } else {
      connect().whenComplete { result in
        switch result {
        case .success(let channel): self.opensAlone ? self.shelve(channel) : self.ask(over: channel)
        case .failure(let error): self.fail(error)
        }
      }
    }
  }

  /// Writes the request to a kept connection if it is certain that the connection has not ended:
  /// the request may not be one that can be sent again.
  private func look(at kept: KeptConnection, until limit: NIODeadline) {
    guard case .connecting = state else { return }
    let now = NIODeadline.now()
    let quiet = place.map { TimeAmount($0.connections.quiet) } ?? .zero
    if let ended = kept.handler.ended, ended + quiet > now {
      loop.scheduleTask(deadline: ended + quiet) { self.look(at: kept, until: limit + quiet) }
      return
    }
    switch kept.handler.readiness {
    case .ready where kept.isOnTheMachinesRoute: ask(over: kept.channel)
    // The end of TLS, or a message of TLS, waits to be read.
    case .unread where now < limit: loop.scheduleTask(in: Self.glance) { self.look(at: kept, until: limit) }
    case .ready, .unread, .over: finish(.unused)
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
    // A kept connection must not hold on to the calls before, and to what they sent.
    channel.closeFuture.whenComplete { [weak self] _ in self?.channels[key] = nil }
    let limit = AnswerLimit()
    if !isConfigured { try channel.pipeline.syncOperations.addHandler(AddressGate()) }
    try ExchangePipeline.add(
      limit, ExchangeHandler(isTLS: tls != nil, limit: limit), to: channel.pipeline.syncOperations,
      tls: tls.map { (call.url, $0) })
    if opensAlone { try channel.pipeline.syncOperations.addHandler(HandshakeWatch(on: loop)) }
  }

  /// Keeps a connection that nothing was asked over, once its server has proved who it is.
  private func shelve(_ channel: any Channel) {
    guard case .connecting = state, let place else { return channel.abort() }
    let opened = place.connections.now
    do {
      let handler = try channel.pipeline.syncOperations.handler(type: ExchangeHandler.self)
      try channel.pipeline.syncOperations.handler(type: HandshakeWatch.self).done.whenComplete { result in
        guard case .connecting = self.state else { return }
        switch result {
        case .success:
          self.channels[ObjectIdentifier(channel)] = nil
          place.connections.keep(
            KeptConnection(channel: channel, handler: handler, opened: opened), place.key, after: [], isFirst: true)
          self.finish(.opened)
        case .failure(let error): self.fail(error)
        }
      }
    } catch {
      fail(error)
    }
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
    opened = kept?.opened ?? place?.connections.now
    let close = place == nil ? [WebHeader(name: "Connection", value: "close")] : []
    let question = HTTPRequestHead(
      call.method.rawValue, call.url, headers: call.fields + close, bodyBytes: call.bodyBytes, userAgent: userAgent)
    let answer = handler.send(
      question, body: call.body?.bytes, on: loop,
      limits: .init(handshakeBy: deadline, connect: call.time, read: call.time, bodyBytes: Self.bodyLimit))
    guard answer.isWritten || kept == nil else { return finish(.unused) }
    answer.head.and(answer.body).whenComplete { result in
      do {
        let (head, sent) = try result.get()
        let body = try head.decoded(sent, limit: Self.bodyLimit)
        self.succeed(WebReply(status: head.status, headers: head.headers, body: body), channel, handler)
      } catch {
        self.fail(error)
      }
    }
  }

  /// Gives the answer, and keeps its connection if nothing else came with it.
  private func succeed(_ reply: WebReply, _ channel: any Channel, _ handler: ExchangeHandler) {
    guard let place, let opened, handler.isIdle else { return finish(.over(.success(reply))) }
    timer?.cancel()
    // What came in the same read, behind the answer, is parsed after this.
    loop.execute {
      guard case .waiting = self.state else { return }
      if handler.readiness != .over {
        self.channels[ObjectIdentifier(channel)] = nil
        place.connections.keep(
          KeptConnection(channel: channel, handler: handler, opened: opened), place.key, after: reply.headers,
          isFirst: self.kept == nil)
      }
      self.finish(.over(.success(reply)))
    }
  }

  private func fail(_ error: any Error) {
    if let kept, kept.handler.receivedBytes == 0, case .waiting = state, isEnd(error) { return finish(.unanswered) }
    let stage: HostFailure.Stage =
      switch state {
      case .ready, .connecting, .over: .connecting
      case .waiting(_, let handler): tls != nil && handler.handshakeDone == nil ? .handshake : .answer
      }
    finish(.over(.failure(HostFailure(url: call.url, time: call.time, stage: stage).failure(error))))
  }

  /// Whether an error of a kept connection is its end.
  private func isEnd(_ error: any Error) -> Bool { SocketFailure.isBrokenOff(error) || error is ChannelError }

  private func finish(_ end: End) {
    let continuation: CheckedContinuation<End, Never>?
    switch state {
    case .ready: continuation = nil
    case .connecting(let waiting), .waiting(let waiting, _): continuation = waiting
    case .over: return
    }
    state = .over
    timer?.cancel()
    if case .over(.success) = end {
      for channel in channels.values { channel.close(promise: nil) }
    } else {
      closeAll()
    }
    continuation?.resume(returning: end)
  }

  /// Closes without a farewell. Unsent data must not leave after the call has ended.
  private func closeAll() {
    for channel in channels.values {
      channel.discardUnsent()
      channel.abort()
    }
  }
}
