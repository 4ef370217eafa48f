/// Why the bytes of a short message cannot be read.
public struct ShortMessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure; new ones may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String { case truncated, badLength, badPattern }
    private let kind: Kind
    public var description: String { kind.rawValue }

    /// The bytes end before the field does.
    public static let truncated = Code(kind: .truncated)
    /// A length in the message exceeds its field's range, or is below it.
    public static let badLength = Code(kind: .badLength)
    /// A code pattern is malformed.
    public static let badPattern = Code(kind: .badPattern)
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
