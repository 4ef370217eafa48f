import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NetworkAddress

/// One listening HTTP or HTTPS server of the simulated operator.
package final class WebServer: Sendable {
  private let channel: any Channel
  /// The port it listens on; 0 at a Unix socket.
  package let port: Int

  private init(channel: any Channel) {
    self.channel = channel
    port = channel.localAddress?.port ?? 0
  }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - address: where to listen.
  ///   - port: 1 to 65535, or 0 for any free one.
  ///   - identity: certificate and key for https; nil for http.
  ///   - services: asked in order; the first that answers counts.
  ///   - connectionBehaviour: how it treats its connections.
  ///   - log: where requests are noted; nil for nowhere.
  /// - Throws: `IOError` when the address or port cannot be had, `NIOSSLError`.
  package static func start(
    at address: IPAddress, port: Int, identity: ServerIdentity?, services: [any SimulatedService],
    connectionBehaviour: ConnectionBehaviour = ConnectionBehaviour(), log: RequestLog? = nil,
    on group: any EventLoopGroup
  ) async throws -> WebServer {
    let context = try identity.map { try $0.tlsContext(connectionBehaviour.tls) }
    let bootstrap = bootstrap(on: group, context) {
      HTTPService(
        origin: .connection(isSecure: context != nil), connectionBehaviour: connectionBehaviour, services: services,
        log: log)
    }
    let channel =
      try await bootstrap
      .childChannelOption(.tcpOption(.tcp_nodelay), value: connectionBehaviour.writes == .nagle ? 0 : 1)
      .bind(to: SocketAddress(ipAddress: address.description, port: port)).get()
    return WebServer(channel: channel)
  }

  /// Starts a server for requests that another process forwards, with `ForwardedRequest`'s headers.
  ///
  /// - Parameters:
  ///   - path: of the Unix socket, in a folder that nobody else may enter, because every sender is
  ///     trusted.
  ///   - services: asked in order; the first that answers counts.
  /// - Throws: `IOError`.
  package static func start(
    forwardedAt path: String, services: [any SimulatedService], on group: any EventLoopGroup
  ) async throws -> WebServer {
    let channel = try await bootstrap(on: group, nil) { HTTPService(origin: .forwarded, services: services) }
      .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
    return WebServer(channel: channel)
  }

  private static func bootstrap(
    on group: any EventLoopGroup, _ context: NIOSSLContext?, _ service: @escaping @Sendable () -> HTTPService
  ) -> ServerBootstrap {
    ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
          try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
          try pipeline.addHandler(service())
        }
      }
  }

  package func stop() async { try? await channel.close() }
}
