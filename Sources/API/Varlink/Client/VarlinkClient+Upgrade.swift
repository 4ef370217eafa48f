import NIOCore
import NIOPosix

/// A reply and the bytes that the connection carries after it.
public struct ReplyWithStream<Reply: Sendable>: Sendable {
  public let reply: Reply
  public let stream: VarlinkByteStream
}

extension VarlinkClient {
  /// Calls a method with `upgrade`, over a connection of its own, which carries other bytes after
  /// the reply. Cancelling the task ends the call.
  ///
  /// - Throws: `VarlinkError` that the service answered, `VarlinkClientError`, `CancellationError`.
  public static func upgrade<Method: VarlinkMethod>(
    by method: Method.Type, _ parameters: Method.Parameters, at path: String,
    on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
  ) async throws -> ReplyWithStream<Method.Reply> {
    let bootstrap = ClientBootstrap(group: group)
      .channelOption(.autoRead, value: false)
      .channelOption(.allowRemoteHalfClosure, value: true)
    let stream = try await trying(by: .machine) {
      try await reaching(path) {
        try await bootstrap.connect(unixDomainSocketPath: path) { channel in
          channel.eventLoop.makeCompletedFuture {
            let handler = ByteStreamHandler(method: Method.name)
            try channel.pipeline.syncOperations.addHandler(handler)
            return VarlinkByteStream(channel, NIOLoopBound(handler, eventLoop: channel.eventLoop))
          }
        }
      }
    }
    let frame = try await stream.replyFrame(to: Frame.call(method, parameters, upgrade: true))
    return ReplyWithStream(reply: try ReceivedReply.only(frame, of: method), stream: stream)
  }
}

/// The bytes of a connection after a call with `upgrade`, in both directions.
///
/// It reads no more than its reader takes, and a write waits until the service takes it. Dropping
/// it, or cancelling a task that reads or writes, closes the connection.
public final class VarlinkByteStream: Sendable, AsyncSequence {
  private let channel: any Channel
  /// Not looked up in the channel, which forgets it when it is closed: bytes may be left in it.
  private let handler: NIOLoopBound<ByteStreamHandler>

  init(_ channel: any Channel, _ handler: NIOLoopBound<ByteStreamHandler>) {
    self.channel = channel
    self.handler = handler
  }

  deinit { channel.close(promise: nil) }

  /// The next bytes; nil when the other side sends no more.
  ///
  /// - Throws: `VarlinkClientError.disconnected`, `CancellationError`. Of two tasks that read at
  ///   the same time, the later one gets `disconnected`.
  public func read() async throws -> ByteBuffer? { try await ask { $0.next($1) } }

  /// Sends bytes. Returns when the kernel has taken them.
  ///
  /// - Throws: `VarlinkClientError.disconnected`, `CancellationError`.
  public func write(_ bytes: ByteBuffer) async throws {
    try await endable { [channel] in try await channel.writeAndFlush(bytes).get() }
  }

  /// Sends no more; bytes can still be read.
  public func closeSending() async throws { try? await channel.close(mode: .output) }

  /// Closes the connection.
  public func close() async { try? await channel.close() }

  public func makeAsyncIterator() -> Iterator { Iterator(stream: self) }

  public struct Iterator: AsyncIteratorProtocol {
    let stream: VarlinkByteStream

    public mutating func next() async throws -> ByteBuffer? { try await stream.read() }
  }

  /// Sends the call, and waits for its reply.
  func replyFrame(to call: ByteBuffer) async throws -> [UInt8] {
    let frame: [UInt8]? = try await ask { handler, promise in
      handler.frame(promise)
      handler.send(call)
    }
    guard let frame else { throw VarlinkClientError.disconnected }
    return frame
  }

  private func ask<Value: Sendable>(
    _ body: @escaping @Sendable (ByteStreamHandler, EventLoopPromise<Value?>) -> Void
  ) async throws -> Value? {
    try await endable { [channel, handler] in
      let promise = channel.eventLoop.makePromise(of: Value?.self)
      channel.eventLoop.execute { body(handler.value, promise) }
      let value = try await promise.futureResult.get()
      // Cancelling closes the connection, which then ends like any other.
      if value == nil { try Task.checkCancellation() }
      return value
    }
  }

  private func endable<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
    do {
      return try await withTaskCancellationHandler {
        try await body()
      } onCancel: {
        channel.close(promise: nil)
      }
    } catch {
      try Task.checkCancellation()
      throw error is VarlinkClientError ? error : VarlinkClientError.disconnected
    }
  }
}

/// Gives the reply, and then the bytes behind it, to whoever asks. Reads only when asked.
final class ByteStreamHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  /// Who waits: for the reply, or for bytes.
  private enum Waiter {
    case none
    case frame(EventLoopPromise<[UInt8]?>)
    case bytes(EventLoopPromise<ByteBuffer?>)
  }

  private let method: String
  private var context: ChannelHandlerContext?
  private var splitter = FrameSplitter(limit: 16 << 20)
  /// What nobody has asked for yet.
  private var bytes = ByteBuffer()
  private var waiter = Waiter.none
  private var isEnded = false
  private var failure: VarlinkClientError?

  init(method: String) { self.method = method }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    end(nil)
  }

  func send(_ call: ByteBuffer) { context?.channel.writeAndFlush(call, promise: nil) }

  /// Waits for the reply.
  func frame(_ promise: EventLoopPromise<[UInt8]?>) {
    waiter = .frame(promise)
    proceed()
  }

  /// Waits for the next bytes.
  func next(_ promise: EventLoopPromise<ByteBuffer?>) {
    guard case .none = waiter else { return promise.fail(VarlinkClientError.disconnected) }
    waiter = .bytes(promise)
    proceed()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var read = unwrapInboundIn(data)
    if case .frame(let promise) = waiter {
      splitter.append(&read)
      do {
        guard let frame = try splitter.next() else { return }
        waiter = .none
        bytes = splitter.takeRest()
        promise.succeed(frame)
      } catch {
        waiter = .none
        promise.fail(VarlinkClientError.badReply(method: method))
        context.close(promise: nil)
      }
    } else {
      bytes.writeBuffer(&read)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) { proceed() }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .some(.inputClosed) = event as? ChannelEvent else { return context.fireUserInboundEventTriggered(event) }
    end(nil)
  }

  /// The kernel does not tell the end of a stream from the end of the other program.
  func channelInactive(context: ChannelHandlerContext) { end(nil) }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    end(.disconnected)
    context.close(promise: nil)
  }

  /// No more bytes come: because the other side ended (nil), or because of an error.
  private func end(_ failure: VarlinkClientError?) {
    guard !isEnded else { return }
    isEnded = true
    self.failure = failure
    proceed()
  }

  private func proceed() {
    switch waiter {
    case .none: break
    case .frame(let promise):
      guard isEnded else { return context?.read() ?? () }
      waiter = .none
      promise.fail(VarlinkClientError.disconnected)
    case .bytes(let promise):
      guard bytes.readableBytes == 0 else {
        waiter = .none
        promise.succeed(bytes)
        bytes = ByteBuffer()
        return
      }
      guard isEnded else { return context?.read() ?? () }
      waiter = .none
      if let failure { promise.fail(failure) } else { promise.succeed(nil) }
    }
  }
}
