/// Why there is no one-time code.
public struct CodeFailure: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Kind: Hashable, Sendable {
    /// It did not arrive in time.
    case late
    /// It cannot arrive this way: the modem's messages cannot be read, or nobody can be asked.
    case unavailable
  }

  public let kind: Kind
  /// One sentence for people.
  public let description: String

  public init(_ kind: Kind, _ text: String) {
    self.kind = kind
    description = text
  }
}
