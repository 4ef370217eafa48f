import CLinux
import NIOCore

/// Serves one connection: its calls in order, one at a time, each to its end before the next.
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum State {
    /// The kernel has not said yet who is there.
    case identifying
    case idle(Peer)
    case running(Peer, call: UInt64, Task<Void, Never>)
    case closed
  }

  private let router: VarlinkRouter
  private let limits: VarlinkServer.Limits
  private let executor: EventLoopTaskExecutor
  private var state = State.identifying
  private var splitter: FrameSplitter
  private var frames: [[UInt8]] = []
  private var waitingBytes = 0
  private var callCount: UInt64 = 0
  private var unwrittenBytes = 0
  /// Replies that the client's side of the socket has taken.
  private var writtenCount: UInt64 = 0
  /// Runs while replies wait for the client.
  private var readerWatch: Scheduled<Void>?
  private var isReadHeld = false
  /// Calls wait until the client has read some of its replies.
  private var isServingHeld = false
  private var isInputClosed = false

  init(router: VarlinkRouter, limits: VarlinkServer.Limits, executor: EventLoopTaskExecutor) {
    self.router = router
    self.limits = limits
    self.executor = executor
    splitter = FrameSplitter(limit: limits.frameBytes)
  }

  func channelActive(context: ChannelHandlerContext) {
    guard let options = context.channel as? any SocketOptionProvider else { return context.close(promise: nil) }
    let credentials: EventLoopFuture<clinux_peer_credentials> = options.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: 17))
    let groups: EventLoopFuture<clinux_peer_groups?> = options.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: 59)
    ).map { (groups: clinux_peer_groups) in groups }.recover { _ in nil }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    credentials.and(groups).whenComplete { result in
      let (handler, context) = bound.value
      switch result {
      case .success((let credentials, let groups)):
        guard case .identifying = handler.state else { return }
        handler.state = .idle(Peer(credentials, supplementary: groups))
        handler.serveNext(context)
      case .failure: context.close(promise: nil)
      }
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    splitter.append(&bytes)
    do {
      while let frame = try splitter.next() {
        frames.append(frame)
        waitingBytes += frame.count
      }
    } catch {
      return end(context)
    }
    serveNext(context)
  }

  // A client that sends faster than it is answered waits in its own send buffer.
  private var mustHoldReads: Bool { frames.count >= limits.waitingCalls || waitingBytes >= limits.frameBytes }

  func channelReadComplete(context: ChannelHandlerContext) {
    if mustHoldReads {
      isReadHeld = true
    } else {
      context.read()
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .some(.inputClosed) = event as? ChannelEvent else { return context.fireUserInboundEventTriggered(event) }
    // The client may still read: what it asked is answered, then the connection ends.
    isInputClosed = true
    serveNext(context)
  }

  func channelInactive(context: ChannelHandlerContext) {
    readerWatch?.cancel()
    if case .running(_, _, let task) = state { task.cancel() }
    state = .closed
    frames = []
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { end(context) }

  private func end(_ context: ChannelHandlerContext) {
    if case .running(_, _, let task) = state { task.cancel() }
    state = .closed
    frames = []
    context.close(promise: nil)
  }

  private func serveNext(_ context: ChannelHandlerContext) {
    while case .idle(let peer) = state, !frames.isEmpty {
      // A client that asks faster than it reads is held back; only a stream can grow past the limit.
      guard unwrittenBytes <= limits.unreadReplyBytes / 4 else {
        isServingHeld = true
        return
      }
      let frame = frames.removeFirst()
      waitingBytes -= frame.count
      serve(frame, for: peer, context)
    }
    if case .idle = state, isInputClosed {
      // Written replies go out first: close follows them in the same queue.
      // Impossible: a handler runs on its channel's loop alone.
      context.writeAndFlush(wrapOutboundOut(ByteBuffer())).assumeIsolated().whenComplete { [self] _ in end(context) }
    } else if isReadHeld, !mustHoldReads {
      isReadHeld = false
      context.read()
    }
  }

  private func serve(_ frame: [UInt8], for peer: Peer, _ context: ChannelHandlerContext) {
    let plain = PlainCall.read(frame)
    guard let header = plain ?? (try? JSONCoding.decode(CallHeader.self, from: frame)) else { return end(context) }
    let source = plain == nil ? CallSource.frame(frame) : .bare
    let isOneway = header.oneway ?? false
    let call = CallContext(peer: peer, more: header.more ?? false)
    do {
      guard header.upgrade != true else {
        throw VarlinkError(
          named: "org.varlink.service.MethodNotImplemented", ["method": header.method])
      }
      switch try router.handler(for: header.method, from: peer) {
      case .immediate(let handler):
        let reply = try handler(source, call)
        if !isOneway { write(Frame.reply(reply, continues: false), context) }
      case .task(let handler):
        start(handler, source, call, isOneway: isOneway, context)
      }
    } catch {
      if !isOneway { write(Frame.error(Self.wireError(error)), context) }
    }
  }

  private func start(
    _ handler:
      @escaping @Sendable (CallSource, CallContext, @escaping @Sendable ([UInt8]) -> Void) async throws -> [UInt8],
    _ source: CallSource, _ call: CallContext, isOneway: Bool, _ context: ChannelHandlerContext
  ) {
    callCount += 1
    let number = callCount
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let onLoop = {
      @Sendable [loop = context.eventLoop]
      (body: @escaping @Sendable (ConnectionHandler, ChannelHandlerContext) -> Void) in
      loop.execute {
        let (handler, context) = bound.value
        guard case .running(_, number, _) = handler.state else { return }
        body(handler, context)
      }
    }
    let run: @Sendable () async -> Void = {
      let last: ByteBuffer
      do {
        let reply = try await handler(source, call) { reply in
          guard !isOneway else { return }
          onLoop { $0.write(Frame.reply(reply, continues: true), $1) }
        }
        last = Frame.reply(reply, continues: false)
      } catch {
        last = Frame.error(Self.wireError(error))
      }
      onLoop { handler, context in
        if !isOneway { handler.write(last, context) }
        handler.finishCall(context)
      }
    }
    state = .running(call.peer, call: number, Task(executorPreference: executor, operation: run))
  }

  private func finishCall(_ context: ChannelHandlerContext) {
    guard case .running(let peer, _, _) = state else { return }
    state = .idle(peer)
    serveNext(context)
  }

  private func write(_ frame: ByteBuffer, _ context: ChannelHandlerContext) {
    let count = frame.readableBytes
    unwrittenBytes += count
    guard unwrittenBytes <= limits.unreadReplyBytes else { return end(context) }
    // Impossible: a handler runs on its channel's loop alone.
    context.writeAndFlush(wrapOutboundOut(frame)).assumeIsolated().whenComplete { [self] _ in
      unwrittenBytes -= count
      writtenCount += 1
      guard isServingHeld, unwrittenBytes <= limits.unreadReplyBytes / 4 else { return }
      isServingHeld = false
      serveNext(context)
    }
    watchReader(context)
  }

  /// A client that lets replies wait is looked at from time to time; when it has taken none meanwhile, it is gone.
  private func watchReader(_ context: ChannelHandlerContext) {
    guard unwrittenBytes > 0, readerWatch == nil else { return }
    let seen = writtenCount
    // Impossible: a handler runs on its channel's loop alone.
    readerWatch = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.unreadReplyTime)) { [self] in
      readerWatch = nil
      guard unwrittenBytes > 0 else { return }
      if writtenCount == seen { end(context) } else { watchReader(context) }
    }
  }

  /// Errors of the service are mapped by it before they come here; what is left is a mistake of ours, told without details.
  private static func wireError(_ error: any Error) -> VarlinkError {
    (error as? VarlinkError) ?? VarlinkError(named: "org.varlink.service.InternalError", [String: String]())
  }
}
