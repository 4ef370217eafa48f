import BearerProxy
import Logging
import NIOPosix
import SystemdSupport
import Varlink

/// The proxy's sockets, which are open from its start until the task of `run` is cancelled.
final class ProxyService: Sendable {
  private let proxy: BearerProxy

  /// One thread only for the proxy's clients, so that their bytes delay neither chains nor calls.
  /// It lives as long as the process.
  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// Where it listens.
  struct Sockets {
    var endpoint: VarlinkEndpoint?
    var loopback: [LoopbackSocket] = []
  }

  /// - Throws: `VarlinkListenError` if a socket cannot be used or made.
  init(_ service: BearerProxy.Service, at sockets: Sockets, logger: Logger) async throws {
    proxy = try await BearerProxy.start(
      service, at: sockets.endpoint, loopback: sockets.loopback, limits: ProxyLimits().fittingOpenFiles(),
      on: Self.group, logger: logger)
  }

  /// Comes back when the proxy's loop has done what it was given before.
  static func answer() async { try? await group.next().submit {}.get() }

  func change(to service: BearerProxy.Service) async { await proxy.change(to: service) }

  func run() async {
    let (nothing, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in nothing {}
    extendLifetime(continuation)
    // In a task that is not cancelled.
    await Task { await proxy.close() }.value
  }

  /// Where to listen: the sockets that systemd passed, else at the path and the port; nil for no
  /// proxy.
  static func sockets(_ environment: ServiceEnvironment, path: String?, port: UInt16?) throws -> Sockets? {
    let all = try environment.inheritedSockets().filter { $0.name == "proxy" }
    var sockets = Sockets()
    for passed in all {
      try passed.prepare()
      if LoopbackSocket.isInternet(passed.descriptor) {
        sockets.loopback.append(try LoopbackSocket(passed: passed.descriptor))
      } else {
        sockets.endpoint = .descriptor(passed.descriptor)
      }
    }
    if all.isEmpty {
      sockets.endpoint = path.map { .path($0, mode: 0o666) }
      if let port { sockets.loopback.append(try LoopbackSocket.open(port: port)) }
    }
    return sockets.endpoint == nil && sockets.loopback.isEmpty ? nil : sockets
  }
}
