import CLinux
import Glibc
import LimitClock
import NIOCore
import NIOPosix

/// Why a call has no answer.
public enum VarlinkClientError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Nobody listens at the path, or the kernel refuses this user's connection: errno.
  case unreachable(path: String, errno: Int32)
  /// The service closed the connection before the answer was complete.
  case disconnected
  /// The service's answer does not fit this method.
  case badReply(method: String)

  public var description: String {
    switch self {
    case .unreachable(let path, let errno): "\(path) cannot be reached: \(String(cString: strerror(errno)))"
    case .disconnected: "the service closed the connection before it answered"
    case .badReply(let method): "the service's answer to \(method) cannot be read; are both of the same version?"
    }
  }
}

/// One connection to a Varlink service. Calls made at the same time are sent at once and answered
/// in order.
public final class VarlinkClient: Sendable {
  private let channel: any Channel

  private init(channel: any Channel) { self.channel = channel }

  deinit { channel.close(promise: nil) }

  /// Waits between attempts while the service's queue in the kernel is full. There is one attempt
  /// per wait.
  private static let queueWaits: [Duration] = [5, 10, 20, 50, 100, 200, 500, 1000].map { .milliseconds($0) }

  /// Connects to the service that listens at `path`. If its queue is full, it tries again for two
  /// seconds.
  ///
  /// - Throws: `VarlinkClientError.unreachable`.
  public static func connect(
    to path: String, on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
  ) async throws -> VarlinkClient {
    try await connect(to: path, on: group, clock: .machine)
  }

  /// The same, with waits by a clock of the caller's.
  package static func connect(
    to path: String, on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton, clock: LimitClock
  ) async throws -> VarlinkClient {
    try await trying(by: clock) { try await connectOnce(to: path, on: group) }
  }

  /// Connects, and again while the queue in the kernel is full.
  static func trying<Connected>(
    by clock: LimitClock, _ connect: () async throws -> Connected
  ) async throws -> Connected {
    for wait in queueWaits {
      do {
        return try await connect()
      } catch VarlinkClientError.unreachable(_, EAGAIN) {
        try await clock.pause(for: wait)
      }
    }
    return try await connect()
  }

  private static func connectOnce(to path: String, on group: any EventLoopGroup) async throws -> VarlinkClient {
    let bootstrap = ClientBootstrap(group: group)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(ReplyHandler()) }
      }
    return VarlinkClient(
      channel: try await reaching(path) { try await bootstrap.connect(unixDomainSocketPath: path).get() })
  }

  /// - Throws: `VarlinkClientError.unreachable`.
  static func reaching<Connected>(_ path: String, _ connect: () async throws -> Connected) async throws -> Connected {
    do {
      return try await connect()
    } catch let error as IOError {
      throw VarlinkClientError.unreachable(path: path, errno: error.errnoCode)
    } catch let error as NIOConnectionError {
      throw VarlinkClientError.unreachable(
        path: path, errno: (error.connectionErrors.first?.error as? IOError)?.errnoCode ?? 0)
    }
  }

  /// Calls a method and waits for its reply. Cancelling the task closes the connection.
  ///
  /// - Throws: `VarlinkError` that the service answered, `VarlinkClientError`.
  public func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) async throws -> Method.Reply {
    var last: Method.Reply?
    for try await reply in replies(to: method, parameters, more: false) { last = reply }
    if let last { return last }
    try Task.checkCancellation()
    throw VarlinkClientError.disconnected
  }

  /// Calls a method with `more`. The connection is closed when the reader leaves before the end.
  public func stream<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters
  ) -> AsyncThrowingStream<Method.Reply, any Error> {
    replies(to: method, parameters, more: true)
  }

  /// Whether a call can be sent: no other one runs, the service has not closed the connection, and
  /// has sent nothing that nobody asked for.
  package func isFree() async -> Bool {
    let answer = try? await channel.eventLoop.submit { [channel] in
      let operations = channel.pipeline.syncOperations
      guard channel.isActive, let handler = try? operations.handler(type: ReplyHandler.self), handler.isIdle else {
        return false
      }
      // The kernel may know what the event loop has not read yet.
      let hasNothing: Bool?? = try? operations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { socket in
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) < 0 && [EAGAIN, EINTR].contains(errno)
      }
      return (hasNothing ?? nil) ?? false
    }.get()
    return answer ?? false
  }

  /// Closes the connection; running calls end with `disconnected`.
  public func close() async { try? await channel.close() }

  private func replies<Method: VarlinkMethod>(
    to method: Method.Type, _ parameters: Method.Parameters, more: Bool
  ) -> AsyncThrowingStream<Method.Reply, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: Method.Reply.self)
    let waiter = ReplyHandler.Waiter(method: Method.name) { event in
      switch event {
      case .reply(let received):
        guard let reply = try? received.read(Method.Reply.self) else {
          continuation.finish(throwing: VarlinkClientError.badReply(method: Method.name))
          return
        }
        continuation.yield(reply)
        if !received.continues { continuation.finish() }
      case .failure(let error):
        continuation.finish(throwing: error)
      }
    }
    // The stream holds its client, and so the connection, until it ends.
    continuation.onTermination = { [self] reason in
      if case .cancelled = reason { channel.close(promise: nil) }
    }
    let frame = Frame.call(method, parameters, more: more)
    channel.eventLoop.execute { [self] in
      guard channel.isActive, let handler = try? channel.pipeline.syncOperations.handler(type: ReplyHandler.self) else {
        return waiter.receive(.failure(VarlinkClientError.disconnected))
      }
      handler.await(waiter)
      channel.writeAndFlush(frame, promise: nil)
    }
    return stream
  }
}
