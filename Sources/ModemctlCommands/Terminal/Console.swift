import Glibc

/// Where a run of modemctl writes, and what it knows of its surroundings.
public struct Console: Sendable {
  /// Standard output can be written no more.
  struct Lost: Error {
    let status: Int32
  }

  /// Writes results. Throws when nobody reads them any more.
  public var write: @Sendable (String) throws -> Void
  /// Writes messages.
  public var complain: @Sendable (String) -> Void
  /// Asks for a secret: a line without its end; nil at the end of input.
  public var readSecret: @Sendable (_ prompt: String) throws -> String?
  /// A variable of the environment.
  public var variable: @Sendable (String) -> String?
  /// The time of day as people read it.
  public var time: @Sendable () -> String
  public var hasColour: Bool

  public init(
    write: @escaping @Sendable (String) throws -> Void, complain: @escaping @Sendable (String) -> Void,
    readSecret: @escaping @Sendable (_ prompt: String) throws -> String? = { _ in nil },
    variable: @escaping @Sendable (String) -> String? = { _ in nil },
    time: @escaping @Sendable () -> String = { "" }, hasColour: Bool = false
  ) {
    self.write = write
    self.complain = complain
    self.readSecret = readSecret
    self.variable = variable
    self.time = time
    self.hasColour = hasColour
  }

  /// Standard input, output and error of this process; Ctrl-C ends it with status 130.
  public static func standard() -> Console {
    signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
    let variable: @Sendable (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    return Console(
      write: { try put($0, to: STDOUT_FILENO) },
      complain: { try? put($0, to: STDERR_FILENO) },
      readSecret: { try SecretEntry.read(prompt: $0) { text in try? put(text, to: STDERR_FILENO) } },
      variable: variable, time: timeOfDay,
      hasColour: allowsColour(isTerminal: isatty(STDOUT_FILENO) == 1, variable))
  }

  /// Colours are for terminals that know them, and for people who want them (no-color.org).
  static func allowsColour(isTerminal: Bool, _ variable: (String) -> String?) -> Bool {
    isTerminal && (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
  }

  private static func put(_ text: String, to descriptor: Int32) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        // As a shell would report the signal that a reader's leaving usually is.
        throw Lost(status: errno == EPIPE ? 128 + SIGPIPE : ExitStatus.failed.rawValue)
      }
    }
  }

  private static func timeOfDay() -> String {
    var now = Glibc.time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    return [parts.tm_hour, parts.tm_min, parts.tm_sec].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
