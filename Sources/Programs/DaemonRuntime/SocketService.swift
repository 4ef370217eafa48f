import Logging
import NIOPosix
import SystemdSupport
import Varlink

/// Serves a daemon's socket until its task is cancelled, and tells the service manager when it is
/// open.
package struct SocketService: Sendable {
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
  package init(
    router: VarlinkRouter, endpoint: VarlinkEndpoint, limits: VarlinkServer.Limits, notifier: ServiceNotifier,
    logger: Logger
  ) {
    self.router = router
    self.endpoint = endpoint
    self.limits = limits
    self.notifier = notifier
    self.logger = logger
  }

  /// Comes back when the loop of the callers has done what it was given before.
  package static func answer() async { try? await group.next().submit {}.get() }

  package func run() async throws {
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
