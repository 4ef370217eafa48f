/// Something from the service manager that could not be used, or a message to it that could not be
/// sent.
package struct SystemdError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  package enum Code: String, Hashable, Sendable, CustomStringConvertible {
    /// A variable set by the service manager does not have the form its protocol gives it.
    case badEnvironment
    /// An inherited descriptor is not a listening stream socket.
    case badSocket
    /// A message to the service manager was not delivered.
    case notifyFailed
    /// A credential cannot be read, or its name is not one.
    case badCredential

    package var description: String { rawValue }
  }

  package let code: Code
  /// One sentence: what was read, what was expected, and what to do if anything can be done.
  package let message: String
  /// The underlying error in words.
  package let cause: String?

  package init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String { cause.map { "\(message): \($0)" } ?? message }
}
