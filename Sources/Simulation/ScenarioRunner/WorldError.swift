import Glibc

/// Why a world cannot be made, or something in it cannot be done.
public struct WorldError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure; new ones may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String { case scenario, notAllowed, system, process, notReady }
    private let kind: Kind
    public var description: String { kind.rawValue }

    /// The scenario's file cannot be read, or a field of it is not what was expected.
    public static let scenario = Code(kind: .scenario)
    /// The kernel does not let this user make namespaces or devices.
    public static let notAllowed = Code(kind: .notAllowed)
    /// A call to the kernel failed.
    public static let system = Code(kind: .system)
    /// A program cannot be started, or ended when it should not.
    public static let process = Code(kind: .process)
    /// A program did not answer in time.
    public static let notReady = Code(kind: .notReady)
  }

  public let code: Code
  /// One sentence: what was tried, what was expected, and what to do where there is something to do.
  public let message: String
  /// The underlying error in words.
  public let cause: String?

  public init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { cause.map { "\(message): \($0)" } ?? message }

  /// A call that failed with `errno`.
  static func system(_ message: String, errno number: Int32 = errno) -> WorldError {
    WorldError(
      number == EPERM || number == EACCES ? .notAllowed : .system, message, cause: String(cString: strerror(number)))
  }
}
