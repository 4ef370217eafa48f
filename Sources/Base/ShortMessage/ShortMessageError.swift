/// Why the bytes of a short message cannot be read.
public struct ShortMessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  public enum Code: String, Hashable, Sendable, CustomStringConvertible {
    /// The bytes end before the field does.
    case truncated
    /// A length in the message is more than its field may have, or less than it needs.
    case badLength
    /// A code pattern is not of its form.
    case badPattern

    public var description: String { rawValue }
  }

  public let code: Code
  /// One sentence without personal data: the field, its shape and what was expected.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}
