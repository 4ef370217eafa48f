import Glibc

/// What a simulated modem cannot do.
package struct SimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  package enum Code: String, Hashable, Sendable, CustomStringConvertible {
    /// The system gave no pseudo-terminal.
    case noTerminal
    /// The symbolic link cannot be made.
    case badLink
    /// The modem already has a port; unplug it first.
    case alreadyPluggedIn
    /// There can be no such short message.
    case badMessage

    package var description: String { rawValue }
  }

  package let code: Code
  package let message: String
  /// The system's words.
  package let cause: String?

  init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  static func system(_ code: Code, _ message: String) -> SimulatorError {
    SimulatorError(code, message, cause: String(cString: strerror(errno)))
  }

  package var description: String { cause.map { "\(message): \($0)" } ?? message }
}
