import Glibc

/// The two streams of the command.
enum Terminal {
  /// A line of the result.
  static func print(_ line: String) {
    write(line + "\n", to: STDOUT_FILENO)
  }

  /// A message for people.
  static func complain(_ sentence: String) {
    write("modemctl: \(sentence)\n", to: STDERR_FILENO)
  }

  /// Whether stdout is a terminal that colours may be sent to (no-color.org).
  static var isColoured: Bool { isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil }

  /// Reads a line from the terminal without showing it, or from stdin where that is no terminal; nil at its end.
  static func readSecret(_ prompt: String) -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return readLine(strippingNewline: true) }
    write(prompt, to: STDERR_FILENO)
    var settings = termios()
    tcgetattr(STDIN_FILENO, &settings)
    let shown = settings
    settings.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
    defer {
      var shown = shown
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
      write("\n", to: STDERR_FILENO)
    }
    return readLine(strippingNewline: true)
  }

  private static func write(_ text: String, to descriptor: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        // Nobody reads any more: there is nobody to tell.
        exit(ExitStatus.failed.rawValue)
      }
    }
  }
}
