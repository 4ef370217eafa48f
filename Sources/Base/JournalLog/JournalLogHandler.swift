import Logging

/// Writes log lines as the journal's entries: with priorities, ids and fields.
package struct JournalLogHandler: LogHandler {
  private let label: String
  private let writer: JournalWriter
  package var metadata: Logger.Metadata = [:]
  package var metadataProvider: Logger.MetadataProvider?
  package var logLevel = Logger.Level.info

  /// - Parameter label: becomes `SYSLOG_IDENTIFIER`, and names the manual page of an event.
  package init(label: String, writer: JournalWriter) {
    self.label = label
    self.writer = writer
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: Logging.LogEvent) {
    var own = event.metadata ?? [:]
    if let error = event.error { own["error"] = "\(error)" }
    writer.write(entry(event.level, "\(event.message)", own: own)) { count in
      entry(
        .warning, "the journal did not take \(count) earlier lines of this daemon",
        own: [LogEvent.metadataKey: "\(LogEvent.linesDropped.messageID)"])
    }
  }

  /// - Parameter own: the line's own metadata, besides the logger's.
  func entry(_ level: Logger.Level, _ message: String, own: Logger.Metadata) -> JournalEntry {
    var all = metadata
    if let trace = TraceContext.current { all[TraceContext.metadataKey] = "\(trace.traceID)" }
    if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
    all.merge(own) { $1 }
    let id = all.removeValue(forKey: LogEvent.metadataKey)
    var entry = JournalEntry()
    entry.add("MESSAGE", message + Self.words(own))
    entry.add("PRIORITY", "\(JournalEntry.priority(of: level))")
    entry.add("SYSLOG_IDENTIFIER", label)
    entry.add("SYSLOG_FACILITY", "3")
    if let id {
      entry.add("MESSAGE_ID", "\(id)")
      entry.add("DOCUMENTATION", "man:\(label)(8)")
    }
    for (key, value) in all.sorted(by: { $0.key < $1.key }) { entry.add(JournalEntry.name(for: key), "\(value)") }
    return entry
  }

  /// What stands with the line itself, for readers of plain `journalctl`: the fields show only in
  /// its longer forms.
  private static func words(_ own: Logger.Metadata) -> String {
    let shown = own.filter { $0.key != LogEvent.metadataKey && $0.key != TraceContext.metadataKey }
    if shown.isEmpty { return "" }
    return " [" + shown.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ") + "]"
  }
}
