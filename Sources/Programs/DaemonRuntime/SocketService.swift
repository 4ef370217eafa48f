import Logging
import NIOPosix
import ServiceLifecycle
import SystemdSupport
import Varlink

/// Serves a daemon's socket until shutdown, and reports to the service manager when it is open.
public struct SocketService: Service {
  private let router: VarlinkRouter
  private let endpoint: VarlinkEndpoint
  private let limits: VarlinkServer.Limits
  private let notifier: ServiceNotifier
  private let logger: Logger

  /// One thread only for callers, so that what they send delays neither chains nor modems. It lives
  /// as long as the process.
  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// - Parameter limits: what callers may use; connections never exceed what the process's open
  ///   files allow.
  public init(
    router: VarlinkRouter, endpoint: VarlinkEndpoint, limits: VarlinkServer.Limits, notifier: ServiceNotifier,
    logger: Logger
  ) {
    self.router = router
    self.endpoint = endpoint
    self.limits = limits
    self.notifier = notifier
    self.logger = logger
  }

  public func run() async throws {
    let server = try await VarlinkServer.start(
      router, at: endpoint, limits: limits.fittingOpenFiles(), on: Self.group, logger: logger)
    note(.ready, .status("serving"))
    try? await gracefulShutdown()
    note(.stopping)
    await server.close()
  }

  private func note(_ notifications: ServiceNotification...) {
    for notification in notifications {
      do {
        try notifier.send(notification)
      } catch {
        logger.warning("\(error)")
      }
    }
  }
}
