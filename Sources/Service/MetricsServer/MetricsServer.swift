import Glibc
import Logging
import MetricSeries
import NIOCore
import Varlink

/// Tells a service's figures to whoever may ask: over Varlink and as text.
package final class MetricsServer: Sendable {
  private let varlink: VarlinkServer?
  private let http: HTTPDoor?

  private init(varlink: VarlinkServer?, http: HTTPDoor?) {
    self.varlink = varlink
    self.http = http
  }

  /// Listens.
  ///
  /// - Parameters:
  ///   - varlink: where io.systemd.Metrics is served; nil for none.
  ///   - http: where `GET /metrics` is served; nil for none.
  ///   - group: preferably one whose loops carry nothing else.
  /// - Throws: `VarlinkListenError` if a path is taken or cannot be made.
  package static func start(
    _ source: MetricsSource, varlink: VarlinkEndpoint?, http: VarlinkEndpoint?, limits: MetricsLimits = MetricsLimits(),
    on group: any EventLoopGroup, logger: Logger
  ) async throws -> MetricsServer {
    var server: VarlinkServer?
    if let varlink {
      server = try await VarlinkServer.start(
        source.router, at: varlink, limits: VarlinkServer.Limits(limits), on: group, logger: logger)
    }
    do {
      var door: HTTPDoor?
      if let http { door = try await HTTPDoor.open(source, at: http, limits: limits, on: group.next(), logger: logger) }
      return MetricsServer(varlink: server, http: door)
    } catch {
      await server?.close()
      throw error
    }
  }

  /// Listens no more, removes the socket files that it made, and ends every connection.
  package func close() async {
    await http?.close()
    await varlink?.close()
  }
}

/// What readers of figures may take. A sixteenth of the connections is for root alone.
package struct MetricsLimits: Sendable {
  /// Connections to either socket at one time.
  package var connections = 32
  /// Of one user; root has no limit of its own.
  package var userConnections = 8
  /// Of one user without the right, who is told so; all such users together have four times as
  /// many.
  package var strangerConnections = 2
  /// Bytes of one request, with all its fields.
  package var requestBytes = 16 << 10
  /// How long a connection over HTTP may last, from its beginning to the answer's last byte.
  package var time = Duration.seconds(10)

  package init() {}
}

extension VarlinkServer.Limits {
  fileprivate init(_ limits: MetricsLimits) {
    self.init()
    connections = limits.connections
    userConnections = limits.userConnections
    strangerConnections = limits.strangerConnections
    frameBytes = 4096
    openingBytes = 4096
    unreadReplyBytes = 2 << 20
    unreadReplyTime = limits.time
    idleTime = .seconds(600)
    bytes = 16 << 20
    userBytes = 4 << 20
    calls = limits.connections
    userCalls = limits.userConnections
  }
}
