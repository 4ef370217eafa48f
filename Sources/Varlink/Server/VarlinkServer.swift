import Glibc
import Logging
import NIOCore
import NIOPosix

/// A Varlink service on a Unix socket.
public final class VarlinkServer: Sendable {
  private let channel: any Channel
  private let path: String?
  private let reception: NIOLoopBound<Reception>

  private init(channel: any Channel, path: String?, reception: NIOLoopBound<Reception>) {
    self.channel = channel
    self.path = path
    self.reception = reception
  }

  /// Starts to listen. The server and all of its connections are on one event loop of `group`, so that what users may take
  /// is counted in one place; handlers run beside it.
  ///
  /// - Parameter group: best one whose loops carry nothing else.
  /// - Throws: `VarlinkListenError` when the path is taken or cannot be made, `IOError`.
  public static func start(
    _ router: VarlinkRouter, at endpoint: VarlinkEndpoint, limits: Limits = Limits(), on group: any EventLoopGroup,
    logger: Logger
  ) async throws -> VarlinkServer {
    let loop = group.next()
    let reception = try await loop.submit {
      NIOLoopBound(Reception(router, limits, on: loop, logger: logger), eventLoop: loop)
    }.get()
    let bootstrap = ServerBootstrap(group: loop)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptPause(logger: logger))
        }
      }
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(.autoRead, value: false)
      // What was read stays in memory with its channel: small pieces keep idle connections small.
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
      .childChannelOption(.maxMessagesPerRead, value: 16)
      .childChannelInitializer { channel in
        // The kernel says who is there before anything is read.
        Peer.of(channel).flatMapThrowing { peer in
          try channel.pipeline.syncOperations.addHandler(try reception.value.admit(channel, peer))
        }
      }
    switch endpoint {
    case .descriptor(let descriptor):
      let channel = try await bootstrap.withBoundSocket(descriptor).get()
      return VarlinkServer(channel: channel, path: nil, reception: reception)
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
      return VarlinkServer(channel: channel, path: path, reception: reception)
    }
  }

  /// Stops to listen, removes the socket file that it made, and ends every connection.
  public func close() async {
    if let path { unlink(path) }
    try? await channel.close()
    try? await channel.eventLoop.submit { [reception] in reception.value.closeAll() }.get()
  }
}
