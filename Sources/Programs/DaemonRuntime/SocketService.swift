import Logging
import NIOPosix
import Synchronization
import SystemdSupport
import Varlink

/// Serves a daemon's socket until its task is cancelled, and tells the service manager when it is
/// open.
package final class SocketService: Sendable {
  private let router: VarlinkRouter
  private let limits: VarlinkServer.Limits
  /// Nil until the socket is open.
  private let server = Mutex<VarlinkServer?>(nil)
  private let endpoint: VarlinkEndpoint
  private let notifier: ServiceNotifier
  private let logger: Logger
  private let opening = AsyncStream.makeStream(of: Void.self)

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
    self.limits = limits
    self.endpoint = endpoint
    self.notifier = notifier
    self.logger = logger
  }

  /// Comes back when the loop of the callers has done what it was given before.
  package static func answer() async { try? await group.next().submit {}.get() }

  package func run() async throws {
    let server = try await VarlinkServer.start(
      router, at: endpoint, limits: limits.fittingOpenFiles(), on: Self.group, logger: logger)
    self.server.withLock { $0 = server }
    notifier.tell(.ready, .status("serving"), logger: logger)
    opening.continuation.finish()
    await Self.untilCancelled()
    notifier.tell(.stopping, logger: logger)
    // In a task that is not cancelled.
    await Task { await server.close() }.value
  }

  /// Comes back when the socket is open, or the task is cancelled. One task may wait.
  package func isOpen() async { for await _ in opening.stream {} }

  /// Answers calls by another router from now on; calls under way end with what they began with.
  /// Call it once the socket is open.
  package func change(to router: VarlinkRouter, limits: VarlinkServer.Limits) async {
    await server.withLock(\.self)?.change(to: router, limits: limits.fittingOpenFiles())
  }

  private static func untilCancelled() async {
    let (nothing, continuation) = AsyncStream.makeStream(of: Void.self)
    for await _ in nothing {}
    extendLifetime(continuation)
  }
}

extension ServiceNotifier {
  /// Sends notifications; one that cannot be sent is logged.
  func tell(_ notifications: ServiceNotification..., logger: Logger) {
    for notification in notifications {
      do {
        try send(notification)
      } catch {
        logger.warning("\(error)")
      }
    }
  }
}
