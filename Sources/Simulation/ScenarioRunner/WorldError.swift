import Glibc

/// Why a world cannot be made, or something in it cannot be done.
package struct WorldError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  package enum Code: String, Hashable, Sendable, CustomStringConvertible {
    /// The scenario's file cannot be read, or a field of it is not what was expected.
    case scenario
    /// The kernel does not let this user make namespaces or devices.
    case notAllowed
    /// A call to the kernel failed.
    case system
    /// A program cannot be started, or ended when it should not.
    case process
    /// A program did not answer in time.
    case notReady

    package var description: String { rawValue }
  }

  package let code: Code
  /// One sentence: what was tried, what was expected, and what to do if anything can be done.
  package let message: String
  /// The underlying error in words.
  package let cause: String?

  package init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String { cause.map { "\(message): \($0)" } ?? message }

  /// A call that failed with `errno`.
  static func system(_ message: String, errno number: Int32 = errno) -> WorldError {
    WorldError(
      number == EPERM || number == EACCES ? .notAllowed : .system, message, cause: String(cString: strerror(number)))
  }
}
