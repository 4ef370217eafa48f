import ArgumentParser
import Logging

/// A daemon's log: lines on stderr, which systemd takes into its journal.
package enum DaemonLog {
  /// Sets the log up for the process, once.
  package static func start(_ label: String, level: Logger.Level) -> Logger {
    LoggingSystem.bootstrap { StreamLogHandler.standardError(label: $0) }
    var logger = Logger(label: label)
    logger.logLevel = level
    return logger
  }
}

// For `--log-level`.
extension Logger.Level: @retroactive ExpressibleByArgument {}
