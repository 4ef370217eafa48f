import Glibc
import LocalUsers
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// An HTTP/1.1 server on this machine's loopback addresses, for browsers. Each connection has one
/// request and a user that the kernel names; one without is closed before a byte of it is read.
package final class LoopbackServer: Sendable {
  package typealias Serve = @Sendable (BrowserRequest) async -> BrowserAnswer

  /// Where it listens.
  package let port: Int
  private let channels: [any Channel]

  private init(port: Int, channels: [any Channel]) {
    self.port = port
    self.channels = channels
  }

  /// Listens on 127.0.0.1 and, where the machine has it, on ::1.
  ///
  /// - Parameters:
  ///   - port: 1 to 65535; 0 for any, in tests.
  ///   - group: its loops carry the connections; it must outlive the server.
  ///   - serve: answers a request; its task is cancelled if the browser leaves.
  /// - Throws: `IOError` if the port is taken.
  package static func start(
    port: Int, limits: RequestLimits = RequestLimits(), on group: any EventLoopGroup, logger: Logger,
    serve: @escaping Serve
  ) async throws -> LoopbackServer {
    let gate = Gate(limits, logger: logger)
    let first = try await bind("127.0.0.1", port, limits, gate, group, serve)
    let chosen = first.localAddress?.port ?? port
    var channels = [first]
    do {
      channels.append(try await bind("::1", chosen, limits, gate, group, serve))
    } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL || error.errnoCode == EAFNOSUPPORT {
      logger.notice("this machine has no IPv6: only 127.0.0.1 is served")
    } catch {
      try? await first.close()
      throw error
    }
    return LoopbackServer(port: chosen, channels: channels)
  }

  /// Listens no more. Connections that are open end by themselves.
  package func close() async {
    for channel in channels { try? await channel.close() }
  }

  private static func bind(
    _ host: String, _ port: Int, _ limits: RequestLimits, _ gate: Gate, _ group: any EventLoopGroup,
    _ serve: @escaping Serve
  ) async throws -> any Channel {
    try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        gate.enter(channel).flatMapThrowing { user in
          let local = channel.localAddress?.port ?? port
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(ByteLimit(limits.bytes))
          try pipeline.addHandler(HTTPResponseEncoder())
          try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
          try pipeline.addHandler(RequestReader(user: user, port: local, limits: limits, serve: serve))
        }
      }
      .bind(host: host, port: port).get()
  }

  /// Lets connections in, while there are not too many.
  private final class Gate: Sendable {
    struct Full: Error {}

    private let counts: Mutex<ConnectionCounts>
    private let hasComplained = Mutex(false)
    private let logger: Logger

    init(_ limits: RequestLimits, logger: Logger) {
      counts = Mutex(ConnectionCounts(most: limits.connections, mostOfOne: limits.userConnections))
      self.logger = logger
    }

    /// - Returns: the connection's user. It is counted until the connection ends.
    func enter(_ channel: any Channel) -> EventLoopFuture<UInt32> {
      guard let remote = channel.remoteAddress, let local = channel.localAddress, counts.withLock({ $0.begin() })
      else { return channel.eventLoop.makeFailedFuture(Full()) }
      let isOver = NIOLoopBoundBox(false, eventLoop: channel.eventLoop)
      let counted = NIOLoopBoundBox<UInt32?>(nil, eventLoop: channel.eventLoop)
      channel.closeFuture.whenComplete { _ in
        isOver.value = true
        self.counts.withLock { $0.end(counted.value) }
      }
      // Not on the loop: the kernel may have many connections to look through.
      return NIOThreadPool.singleton.runIfActive(eventLoop: channel.eventLoop) {
        try ConnectionOwner.user(remote: remote, local: local)
      }.flatMapThrowing { user in
        guard !isOver.value, self.counts.withLock({ $0.note(user) }) else { throw Full() }
        counted.value = user
        return user
      }.flatMapErrorThrowing { error in
        if let failure = error as? ConnectionOwner.Failure { self.complain(failure) }
        throw error
      }
    }

    /// Once: what the kernel lacks now, it lacks for every connection.
    private func complain(_ failure: ConnectionOwner.Failure) {
      guard case .noAnswer = failure,
        hasComplained.withLock({ was in
          defer { was = true }
          return !was
        })
      else { return }
      logger.error("\(failure)")
    }
  }
}
