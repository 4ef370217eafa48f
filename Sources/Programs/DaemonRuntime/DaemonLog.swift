import ArgumentParser
import Glibc
import JournalLog
import Logging

/// A daemon's log: entries of the journal where stderr is the journal's, else lines on stderr.
package enum DaemonLog {
  /// Sets the log up for the process, once, before another thread is started.
  ///
  /// - Parameter label: the program's name.
  package static func start(_ label: String, level: Logger.Level) -> Logger {
    let stream = getenv("JOURNAL_STREAM").map { String(cString: $0) }
    if JournalStream.isJournal(stream), let writer = JournalWriter() {
      LoggingSystem.bootstrap { JournalLogHandler(label: $0, writer: writer) }
    } else {
      LoggingSystem.bootstrap { PlainLogHandler(label: $0) }
    }
    var logger = Logger(label: label)
    logger.logLevel = level
    return logger
  }
}

// For `--log-level`.
extension Logger.Level: @retroactive ExpressibleByArgument {}
