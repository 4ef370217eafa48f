/// Why an interface cannot be used, or what went wrong on a socket that is bound to it.
package struct BoundHTTPError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure a caller can act on.
  package enum Code: String, Hashable, Sendable, CustomStringConvertible {
    /// The interface's name or index cannot be one.
    case badInterface
    /// The interface is gone, or another one has its name or index.
    case interfaceLost
    /// The bearer has no route to the address.
    case noRoute
    /// An address cannot be used for a socket.
    case badAddress
    /// A time limit was reached.
    case timeout
    /// The other side closed the connection too early.
    case closed

    package var description: String { rawValue }
  }

  package let code: Code
  /// One sentence: what was found, what was expected, and what to do if anything can be done.
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
