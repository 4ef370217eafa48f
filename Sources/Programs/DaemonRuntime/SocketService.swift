import Logging
import NIOPosix
import SystemdSupport
import Varlink

/// Serves a daemon's socket until its task is cancelled, and tells the service manager when it is open.
public struct SocketService: Sendable {
  private let router: VarlinkRouter
  private let endpoint: VarlinkEndpoint
  private let limits: VarlinkServer.Limits
  private let notifier: ServiceNotifier
  private let logger: Logger

  /// One thread for callers and nothing else: what they send holds up no chain, and no modem. It lives as long as the
  /// process.
  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  /// - Parameter limits: what callers may take; connections never more than the process's files allow.
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
    await Self.untilCancelled()
    note(.stopping)
    // In a task that is not cancelled.
    await Task { await server.close() }.value
  }

  private static func untilCancelled() async {
    let (nothing, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in nothing {}
    extendLifetime(continuation)
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
