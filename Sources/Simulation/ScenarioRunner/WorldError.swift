import Glibc

/// Why a world cannot be made, or something in it cannot be done.
package struct WorldError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure; new ones may come.
  package struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String { case scenario, notAllowed, system, process, notReady }
    private let kind: Kind
    package var description: String { kind.rawValue }

    /// The scenario's file cannot be read, or a field of it is not what was expected.
    package static let scenario = Code(kind: .scenario)
    /// The kernel does not let this user make namespaces or devices.
    package static let notAllowed = Code(kind: .notAllowed)
    /// A call to the kernel failed.
    package static let system = Code(kind: .system)
    /// A program cannot be started, or ended when it should not.
    package static let process = Code(kind: .process)
    /// A program did not answer in time.
    package static let notReady = Code(kind: .notReady)
  }

  package let code: Code
  /// One sentence: what was tried, what was expected, and what to do where there is something to do.
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
