import Glibc

/// What a simulated modem cannot do.
public struct SimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  public enum Code: String, Hashable, Sendable, CustomStringConvertible {
    /// The system gave no pseudo-terminal.
    case noTerminal
    /// The symbolic link cannot be made.
    case badLink
    /// The modem already has a port; unplug it first.
    case alreadyPluggedIn
    /// There can be no such short message.
    case badMessage

    public var description: String { rawValue }
  }

  public let code: Code
  public let message: String
  /// The system's words.
  public let cause: String?

  init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  static func system(_ code: Code, _ message: String) -> SimulatorError {
    SimulatorError(code, message, cause: String(cString: strerror(errno)))
  }

  public var description: String { cause.map { "\(message): \($0)" } ?? message }
}
