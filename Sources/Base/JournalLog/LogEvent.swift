import Logging

/// A kind of event that an operator acts on. The journal finds it by its id (`MESSAGE_ID`,
/// systemd.journal-fields(7)), and the catalogue explains it (`journalctl -x`).
package struct LogEvent: Hashable, Sendable {
  /// For tests and pages, as in `bearer-lost`.
  package let name: String
  /// 128 bits as 32 lower-case hexadecimal digits. It never changes once it was released.
  package let messageID: String

  package init(_ name: String, _ messageID: String) {
    self.name = name
    self.messageID = messageID
  }
}

extension LogEvent {
  /// The metadata's key that carries the id to the log handler.
  package static let metadataKey = "message-id"
}

extension Logger {
  /// Writes nothing.
  package static let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }

  /// Logs an event that an operator acts on.
  ///
  /// - Parameters:
  ///   - metadata: what ties lines together. The keys are those of Docs/logs.md (`modem`, `bearer`,
  ///     `check`, `flow`, `trace`, `provider`, `result`, `cause`, `code`); nothing personal.
  package func event(
    _ event: LogEvent, level: Logger.Level, _ message: @autoclosure () -> Logger.Message,
    metadata: @autoclosure () -> Logger.Metadata = [:], file: String = #fileID, function: String = #function,
    line: UInt = #line
  ) {
    log(
      level: level, message(), metadata: metadata().merging([LogEvent.metadataKey: "\(event.messageID)"]) { $1 },
      file: file, function: function, line: line)
  }
}
