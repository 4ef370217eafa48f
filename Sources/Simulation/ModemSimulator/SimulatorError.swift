import Glibc

/// What a simulated modem cannot do.
public struct SimulatorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure; new ones may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String { case noTerminal, badLink, alreadyPluggedIn, badMessage }
    private let kind: Kind
    public var description: String { kind.rawValue }

    /// The system gave no pseudo-terminal.
    public static let noTerminal = Code(kind: .noTerminal)
    /// The symbolic link cannot be made.
    public static let badLink = Code(kind: .badLink)
    /// The modem already has a port; unplug it first.
    public static let alreadyPluggedIn = Code(kind: .alreadyPluggedIn)
    /// A short message like this cannot exist.
    public static let badMessage = Code(kind: .badMessage)
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
