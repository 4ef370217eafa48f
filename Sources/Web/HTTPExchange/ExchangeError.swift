/// Why a request has no complete answer, or why TLS trust cannot be established.
package struct ExchangeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure a caller can act on.
  package enum Code: String, Hashable, Sendable, CustomStringConvertible {
    /// The roots of trust cannot be read.
    case badTrust
    /// A time limit was reached.
    case timeout
    /// The other side closed the connection too early, or does not speak as it should.
    case closed
    /// An answer is over its limit of bytes.
    case tooLarge

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
