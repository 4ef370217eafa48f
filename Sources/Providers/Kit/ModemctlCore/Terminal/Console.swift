import Glibc
import ModemModel

/// Where a run of modemctl writes, and what it knows of its surroundings.
package struct Console: Sendable {
  /// Standard output can be written no more, or all was said: modemctl ends with a status and no
  /// word.
  package struct Lost: Error {
    package let status: Int32

    package init(status: Int32) { self.status = status }
  }

  /// Writes results. Throws when nobody reads them any more.
  package var write: @Sendable (String) throws -> Void
  /// Writes messages.
  package var complain: @Sendable (String) -> Void
  /// Asks for a secret: a line without its end; nil at the end of input.
  package var readSecret: @Sendable (_ prompt: String) throws -> String?
  /// Asks for a line of text, which is shown as it is typed; nil at the end of input.
  package var readText: @Sendable (_ prompt: String) throws -> String?
  /// Whether a person can be asked: standard input is a terminal.
  package var isInteractive: Bool
  /// A variable of the environment.
  package var variable: @Sendable (String) -> String?
  /// The time of day as people read it.
  package var time: @Sendable () -> String
  /// The moment, for what is dated.
  package var now: @Sendable () -> Timestamp
  package var hasColour: Bool
  /// Size of the terminal that standard output is; nil where it is none that can be drawn on.
  package var screen: @Sendable () -> Screen?

  /// A terminal in characters.
  package struct Screen: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
      self.columns = columns
      self.rows = rows
    }
  }

  package init(
    write: @escaping @Sendable (String) throws -> Void, complain: @escaping @Sendable (String) -> Void,
    readSecret: @escaping @Sendable (_ prompt: String) throws -> String? = { _ in nil },
    readText: @escaping @Sendable (_ prompt: String) throws -> String? = { _ in nil }, isInteractive: Bool = false,
    variable: @escaping @Sendable (String) -> String? = { _ in nil },
    time: @escaping @Sendable () -> String = { "" },
    now: @escaping @Sendable () -> Timestamp = { Timestamp(milliseconds: 0) }, hasColour: Bool = false,
    screen: @escaping @Sendable () -> Screen? = { nil }
  ) {
    self.write = write
    self.complain = complain
    self.readSecret = readSecret
    self.readText = readText
    self.isInteractive = isInteractive
    self.variable = variable
    self.time = time
    self.now = now
    self.hasColour = hasColour
    self.screen = screen
  }

  /// Standard input, output and error of this process; Ctrl-C ends it with status 130.
  package static func standard() -> Console {
    signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
    let variable: @Sendable (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    return Console(
      write: { try put($0, to: STDOUT_FILENO) },
      complain: { try? put($0, to: STDERR_FILENO) },
      readSecret: { try SecretEntry.read(prompt: $0) { text in try? put(text, to: STDERR_FILENO) } },
      readText: { prompt in
        try? put(prompt, to: STDERR_FILENO)
        return readLine(strippingNewline: true)
      }, isInteractive: isatty(STDIN_FILENO) == 1, variable: variable, time: timeOfDay, now: Timestamp.now,
      hasColour: allowsColour(isTerminal: isatty(STDOUT_FILENO) == 1, variable),
      screen: { variable("TERM") == "dumb" ? nil : screenSize() })
  }

  /// Colours are for terminals that know them, and for people who want them (no-color.org).
  package static func allowsColour(isTerminal: Bool, _ variable: (String) -> String?) -> Bool {
    isTerminal && (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
  }

  private static func put(_ text: String, to descriptor: Int32) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        // The status that a shell would report for the signal that usually follows when a reader
        // leaves.
        throw Lost(status: errno == EPIPE ? 128 + SIGPIPE : ExitStatus.failed.rawValue)
      }
    }
  }

  private static func screenSize() -> Screen? {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    // A terminal that does not know its size, as over some serial lines.
    return Screen(
      columns: size.ws_col == 0 ? 80 : Int(size.ws_col), rows: size.ws_row == 0 ? 24 : Int(size.ws_row))
  }

  @Sendable private static func timeOfDay() -> String {
    var now = time_t(Timestamp.now().milliseconds / 1000)
    var parts = tm()
    localtime_r(&now, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
