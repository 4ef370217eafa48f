/// Why the bytes of a short message cannot be read.
package struct ShortMessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  package enum Code: String, Hashable, Sendable, CustomStringConvertible {
    /// The bytes end before the field does.
    case truncated
    /// A length in the message is more than its field may have, or less than it needs.
    case badLength
    /// A code pattern is not of its form.
    case badPattern

    package var description: String { rawValue }
  }

  package let code: Code
  /// One sentence without personal data: the field, its shape and what was expected.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
