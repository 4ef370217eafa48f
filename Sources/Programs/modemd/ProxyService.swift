import BearerProxy
import Logging
import NIOPosix
import SystemdSupport
import Varlink

/// The proxy's socket, which is open from its start until the task of `run` is cancelled.
final class ProxyService: Sendable {
  private let proxy: BearerProxy

  /// One thread only for the proxy's clients, so that their bytes delay neither chains nor calls.
  /// It lives as long as the process.
  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// - Throws: `VarlinkListenError` if the socket cannot be used or made.
  init(_ service: BearerProxy.Service, at endpoint: VarlinkEndpoint, logger: Logger) async throws {
    proxy = try await BearerProxy.start(
      service, at: endpoint, limits: ProxyLimits().fittingOpenFiles(), on: Self.group, logger: logger)
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

  /// Where to listen: the socket that systemd passed, else the path; nil for no proxy.
  static func endpoint(_ environment: ServiceEnvironment, path: String?) throws -> VarlinkEndpoint? {
    guard let passed = try environment.inheritedSockets().first(where: { $0.name == "proxy" }) else {
      return path.map { .path($0, mode: 0o666) }
    }
    try passed.prepare()
    return .descriptor(passed.descriptor)
  }
}
