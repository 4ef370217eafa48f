import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NetworkAddress

/// One listening HTTP or HTTPS server of the simulated operator.
public final class WebServer: Sendable {
  private let channel: any Channel
  /// The port it listens on.
  public let port: Int

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
  ///   - habits: how it treats its connections.
  /// - Throws: `IOError` when the address or port cannot be had, `NIOSSLError`.
  public static func start(
    at address: IPAddress, port: Int, identity: ServerIdentity?, services: [any SimulatedService],
    habits: ServerHabits = ServerHabits(), on group: any EventLoopGroup
  ) async throws -> WebServer {
    let context = try identity.map { try $0.tlsContext(habits.tls) }
    let channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: habits.writes == .nagle ? 0 : 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let context { try pipeline.addHandler(NIOSSLServerHandler(context: context)) }
          try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
          try pipeline.addHandler(
            HTTPService(
              isSecure: context != nil, habits: habits, services: services))
        }
      }
      .bind(to: SocketAddress(ipAddress: address.description, port: port)).get()
    return WebServer(channel: channel)
  }

  public func stop() async { try? await channel.close() }
}
