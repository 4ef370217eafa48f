import Logging
import NIOCore

/// A Varlink service on a Unix socket.
public final class VarlinkServer: Sendable {
  private let door: Door<Reception>

  private init(_ door: Door<Reception>) { self.door = door }

  /// Starts to listen. All connections of the server are on one event loop of `group`, so that
  /// usage is counted in one place. Accepting connections and running handlers happens outside it,
  /// unless the router gives a method this loop (`runCalls`).
  ///
  /// - Parameter group: preferably one whose loops carry nothing else.
  /// - Throws: `VarlinkListenError` if the path is taken or cannot be made.
  public static func start(
    _ router: VarlinkRouter, at endpoint: VarlinkEndpoint, limits: Limits = Limits(), on group: any EventLoopGroup,
    logger: Logger
  ) async throws -> VarlinkServer {
    let loop = group.next()
    let door = try await Door.open(
      endpoint, batchSize: min(max(limits.connections / 8, 1), 256), on: loop, logger: logger
    ) { Reception(router, limits, on: loop, clock: .machine, logger: logger) }
    return VarlinkServer(door)
  }

  /// Answers calls by another router from now on, and applies other limits. Calls under way end
  /// with what they began with, and no connection is closed.
  public func change(to router: VarlinkRouter, limits: Limits) async {
    await door.change { $0.change(to: router, limits) }
  }

  /// Stops listening, removes the socket file that it made, and ends every connection.
  public func close() async { await door.close() }
}
