import Logging

/// Writes log lines to stderr, for people who start a daemon by hand.
///
/// An event's id is left out. A line break in a text becomes a space, so that no text can look like
/// another line.
package struct PlainLogHandler: LogHandler {
  private var lines: any LogHandler

  package init(label: String) { self.init(StreamLogHandler.standardError(label: label)) }

  /// - Parameter lines: writes the lines.
  init(_ lines: any LogHandler) { self.lines = lines }

  package var metadata: Logger.Metadata {
    get { lines.metadata }
    set { lines.metadata = newValue.mapValues(Self.oneLine) }
  }

  package var metadataProvider: Logger.MetadataProvider? {
    get { lines.metadataProvider }
    set { lines.metadataProvider = newValue }
  }

  package var logLevel: Logger.Level {
    get { lines.logLevel }
    set { lines.logLevel = newValue }
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { lines[metadataKey: key] }
    set { lines[metadataKey: key] = newValue.map(Self.oneLine) }
  }

  package func log(event: Logging.LogEvent) {
    var event = event
    var own = (event.metadata ?? [:]).mapValues(Self.oneLine)
    own[LogEvent.metadataKey] = nil
    if let trace = TraceContext.current, own[TraceContext.metadataKey] == nil {
      own[TraceContext.metadataKey] = "\(trace.traceID)"
    }
    event.metadata = own.isEmpty ? nil : own
    event.message = "\(Self.oneLine("\(event.message)"))"
    lines.log(event: event)
  }

  private static func oneLine(_ value: Logger.Metadata.Value) -> Logger.Metadata.Value {
    "\(oneLine("\(value)"))"
  }

  private static func oneLine(_ text: String) -> String {
    text.contains(where: \.isNewline) ? String(text.map { $0.isNewline ? " " : $0 }) : text
  }
}
