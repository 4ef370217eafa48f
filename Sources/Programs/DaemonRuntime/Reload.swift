import Glibc
import JournalLog
import Logging
import SystemdSupport

extension DaemonPart {
  /// Reads a daemon's files anew at each SIGHUP, and tells the service manager when that begins and
  /// ends (`Type=notify-reload`, systemd.service(5)). A file that cannot be used changes nothing.
  ///
  /// - Parameters:
  ///   - signals: each asks for a reload; those that come before the daemon serves wait.
  ///   - server: the daemon's socket.
  ///   - reload: reads the files and applies them, or throws before anything has changed. It
  ///     returns what people should know, in one line.
  package static func reload(
    at signals: AsyncStream<Int32>, of server: SocketService, notifier: ServiceNotifier, logger: Logger,
    _ reload: @escaping @Sendable () async throws -> String
  ) -> DaemonPart {
    DaemonPart("reload") {
      await server.isOpen()
      for await _ in signals {
        notifier.tell(.reloading(monotonicMicroseconds: monotonicMicroseconds()), logger: logger)
        let status: String
        do {
          status = try await reload()
          logger.event(.reloadDone, level: .notice, "reloaded: \(status)")
        } catch {
          // systemd has no message for a reload that failed; the status shows it.
          status = "the last reload changed nothing: \(error)"
          logger.event(.reloadFailed, level: .error, "the reload changed nothing: \(error)")
        }
        notifier.tell(.ready, .status("serving; \(status)"), logger: logger)
      }
    }
  }

  private static func monotonicMicroseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(clamping: time.tv_sec) * 1_000_000 + UInt64(clamping: time.tv_nsec) / 1000
  }
}
