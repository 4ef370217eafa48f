import Glibc
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// A Varlink service on a Unix socket.
public final class VarlinkServer: Sendable {
  /// What one client, and all together, may take.
  public struct Limits: Sendable {
    /// Bytes of one call.
    public var frameBytes = 1 << 20
    /// Bytes of replies that a client has not read yet; beyond it is disconnected.
    public var unreadReplyBytes = 4 << 20
    /// How long replies may wait for a client that reads none of them; it is then disconnected, within twice that time.
    public var unreadReplyTime = Duration.seconds(60)
    /// Calls that a client may send ahead.
    public var waitingCalls = 64
    /// Connections at one time; beyond they are closed at once.
    public var connections = 2048

    public init() {}
  }

  private let channel: any Channel
  private let path: String?
  private let connections: Connections

  private init(channel: any Channel, path: String?, connections: Connections) {
    self.channel = channel
    self.path = path
    self.connections = connections
  }

  /// Starts to listen.
  ///
  /// - Throws: `VarlinkListenError` when the path is taken or cannot be made, `IOError`.
  public static func start(
    _ router: VarlinkRouter, at endpoint: VarlinkEndpoint, limits: Limits = Limits(), on group: any EventLoopGroup,
    logger: Logger
  ) async throws -> VarlinkServer {
    let connections = Connections(limit: limits.connections)
    let bootstrap = ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 1024)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.autoRead, value: false)
      .childChannelInitializer { channel in
        guard connections.add(channel) else {
          logger.warning("more than \(limits.connections) connections; one more was closed")
          return channel.eventLoop.makeFailedFuture(ChannelError.connectPending)
        }
        channel.closeFuture.whenComplete { _ in connections.remove(channel) }
        return channel.eventLoop.makeCompletedFuture {
          let handler = ConnectionHandler(
            router: router, limits: limits, executor: EventLoopTaskExecutor(channel.eventLoop))
          try channel.pipeline.syncOperations.addHandlers(FirstRead(), handler)
        }
      }
    switch endpoint {
    case .descriptor(let descriptor):
      let channel = try await bootstrap.withBoundSocket(descriptor).get()
      return VarlinkServer(channel: channel, path: nil, connections: connections)
    case .path(let path, let mode):
      try ListeningSocket.free(path)
      let temporary = "\(path).\(getpid())"
      let channel = try await bootstrap.bind(unixDomainSocketPath: temporary).get()
      do {
        try ListeningSocket.publish(temporary, as: path, mode: mode)
      } catch {
        try? await channel.close()
        throw error
      }
      return VarlinkServer(channel: channel, path: path, connections: connections)
    }
  }

  /// Stops to listen, removes the socket file that it made, and ends every connection.
  public func close() async {
    if let path { unlink(path) }
    try? await channel.close()
    await connections.closeAll()
  }
}

/// Asks for the first bytes; after that the connection's handler says when it wants more.
private final class FirstRead: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer

  func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    context.read()
  }
}

/// The open connections, counted.
private final class Connections: Sendable {
  private let limit: Int
  private let channels = Mutex<[ObjectIdentifier: any Channel]>([:])

  init(limit: Int) { self.limit = limit }

  func add(_ channel: any Channel) -> Bool {
    channels.withLock { channels in
      guard channels.count < limit else { return false }
      channels[ObjectIdentifier(channel)] = channel
      return true
    }
  }

  func remove(_ channel: any Channel) {
    channels.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(channel)) }
  }

  func closeAll() async {
    for channel in channels.withLock({ Array($0.values) }) { try? await channel.close() }
  }
}
