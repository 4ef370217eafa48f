/// Why a flow cannot begin: the call or the configuration is wrong.
package struct AuthError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure a caller can act on; new ones may come.
  package enum Code: Hashable, Sendable {
    /// An argument is not valid.
    case invalidArgument(String, expected: String)
    /// No provider of this name or kind is configured.
    case noProvider
    /// More than one is configured, and none was named.
    case moreThanOneProvider([String])
    /// The provider lacks something for this call, such as a secret.
    case notConfigured
    /// The data on this machine cannot be read or written.
    case storeFailed
  }

  package let code: Code
  /// One sentence that explains what to do, and never holds a secret.
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// An argument that is not valid.
  package static func invalid(_ argument: String, _ expected: String) -> AuthError {
    AuthError(.invalidArgument(argument, expected: expected), "\(argument): expected \(expected)")
  }

  package var description: String { message }
}
