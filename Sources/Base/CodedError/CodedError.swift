/// The kinds of failure that a caller of one part of the project can act on.
package protocol ErrorCode: RawRepresentable<String>, Hashable, Sendable, CustomStringConvertible {
  /// A failure's sentence together with the words of what caused it.
  static func text(_ message: String, cause: String) -> String
}

extension ErrorCode {
  package var description: String { rawValue }

  package static func text(_ message: String, cause: String) -> String { "\(message): \(cause)" }
}

/// A failure: its kind for the caller, and a sentence for whoever reads the log.
package struct CodedError<Kind: ErrorCode>: Error, Hashable, Sendable, CustomStringConvertible {
  package typealias Code = Kind

  package let code: Kind
  /// One sentence: what was tried or read, what was expected, and what to do if anything can be
  /// done. It never has a secret.
  package let message: String
  /// The words of the system or of a library.
  package let cause: String?

  package init(_ code: Kind, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  package var description: String { cause.map { Kind.text(message, cause: $0) } ?? message }
}
