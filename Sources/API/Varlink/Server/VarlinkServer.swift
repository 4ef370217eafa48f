import Glibc
import Logging
import NIOCore

/// A Varlink service on a Unix socket.
public final class VarlinkServer: Sendable {
  private let path: String?
  private let loop: any EventLoop
  private let reception: NIOLoopBound<Reception>
  private let acceptor: Acceptor
  /// Nothing is accepted any more.
  private let ended: EventLoopFuture<Void>

  private init(
    path: String?, loop: any EventLoop, reception: NIOLoopBound<Reception>, acceptor: Acceptor,
    ended: EventLoopFuture<Void>
  ) {
    self.path = path
    self.loop = loop
    self.reception = reception
    self.acceptor = acceptor
    self.ended = ended
  }

  /// Starts to listen. All connections of the server are on one event loop of `group`, so that
  /// usage is counted in one place. Accepting connections and running handlers happens outside it.
  ///
  /// - Parameter group: preferably one whose loops carry nothing else.
  /// - Throws: `VarlinkListenError` if the path is taken or cannot be made.
  public static func start(
    _ router: VarlinkRouter, at endpoint: VarlinkEndpoint, limits: Limits = Limits(), on group: any EventLoopGroup,
    logger: Logger
  ) async throws -> VarlinkServer {
    let loop = group.next()
    let reception = try await loop.submit {
      NIOLoopBound(Reception(router, limits, on: loop, clock: .machine, logger: logger), eventLoop: loop)
    }.get()
    let acceptor = try Acceptor(
      socket: ListeningSocket.open(endpoint), batchSize: min(max(limits.connections / 8, 1), 256), logger: logger)
    let ended = try acceptor.start(on: loop) { reception.value.receive($0) }
    let path: String? = if case .path(let path, _) = endpoint { path } else { nil }
    return VarlinkServer(path: path, loop: loop, reception: reception, acceptor: acceptor, ended: ended)
  }

  /// Answers calls by another router from now on, and applies other limits. Calls under way end
  /// with what they began with, and no connection is closed.
  public func change(to router: VarlinkRouter, limits: Limits) async {
    try? await loop.submit { [reception] in reception.value.change(to: router, limits) }.get()
  }

  /// Stops listening, removes the socket file that it made, and ends every connection.
  public func close() async {
    if let path { unlink(path) }
    acceptor.stop()
    try? await ended.get()
    try? await loop.submit { [reception] in reception.value.closeAll() }.get()
  }
}
