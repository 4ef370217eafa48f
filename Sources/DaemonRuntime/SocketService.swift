import Logging
import NIOPosix
import ServiceLifecycle
import SystemdSupport
import Varlink

/// Serves a daemon's socket until shutdown, and tells the service manager when it is open.
public struct SocketService: Service {
  private let router: VarlinkRouter
  private let endpoint: VarlinkEndpoint
  private let notifier: ServiceNotifier
  private let logger: Logger

  public init(router: VarlinkRouter, endpoint: VarlinkEndpoint, notifier: ServiceNotifier, logger: Logger) {
    self.router = router
    self.endpoint = endpoint
    self.notifier = notifier
    self.logger = logger
  }

  public func run() async throws {
    let server = try await VarlinkServer.start(
      router, at: endpoint, on: MultiThreadedEventLoopGroup.singleton, logger: logger)
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
