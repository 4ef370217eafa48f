import Glibc
import Logging
import MetricsServer
import NIOPosix
import ServiceMetrics
import SystemdSupport
import Varlink

/// The sockets that tell modemd's figures, open from its start until the task of `run` is
/// cancelled.
final class MetricsService: Sendable {
  /// Whose members may read the figures, besides root: they tell what other users do.
  static let group = "modemd-metrics"

  private let server: MetricsServer

  /// One thread only for readers, so that what they ask delays neither chains nor calls. It lives
  /// as long as the process.
  private static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// Where it listens.
  struct Sockets {
    var varlink: VarlinkEndpoint?
    var http: VarlinkEndpoint?
  }

  /// - Throws: `VarlinkListenError` if a socket cannot be used or made.
  init(_ base: ServiceBase, at sockets: Sockets) async throws {
    let readers = getgrnam(Self.group)?.pointee.gr_gid
    if readers == nil {
      base.logger.notice("there is no group \(Self.group), so only root may read the figures")
    }
    let own = geteuid()
    let state = StateSources(registry: base.registry, bearers: base.bearers, ledger: base.ledger)
    let source = MetricsSource(
      ServiceInformation(
        vendor: "modemd", product: "modemd", version: ModemdCommand.version, url: "https://github.com/modemd/modemd"),
      domain: "org.modemd", prefix: ServiceMetrics.prefix, families: Figures.all,
      samples: { [metrics = base.metrics] in metrics.samples(state) },
      isAllowed: { peer in
        peer.userID == 0 || peer.userID == own || readers.map(peer.groupIDs.contains) ?? false
      })
    server = try await MetricsServer.start(
      source, varlink: sockets.varlink, http: sockets.http, on: Self.loops, logger: base.logger)
  }

  /// Comes back when the loop of the readers has done what it was given before.
  static func answer() async { try? await loops.next().submit {}.get() }

  func run() async {
    let (nothing, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in nothing {}
    extendLifetime(continuation)
    // In a task that is not cancelled.
    await Task { await server.close() }.value
  }

  /// Where to listen: the sockets that systemd passed, else at the paths; nil for nowhere.
  static func sockets(_ environment: ServiceEnvironment, path: String?, http: String?) throws -> Sockets? {
    var sockets = Sockets(
      varlink: path.map { .path($0, mode: 0o660) }, http: http.map { .path($0, mode: 0o660) })
    for passed in try environment.inheritedSockets() where names.contains(passed.name) {
      try passed.prepare()
      if passed.name == varlinkName {
        sockets.varlink = .descriptor(passed.descriptor)
      } else {
        sockets.http = .descriptor(passed.descriptor)
      }
    }
    return sockets.varlink == nil && sockets.http == nil ? nil : sockets
  }

  private static let varlinkName = "varlink-metrics"
  /// As the socket units name them (`FileDescriptorName=`).
  static let names: Set<String> = [varlinkName, "metrics-http"]
}
