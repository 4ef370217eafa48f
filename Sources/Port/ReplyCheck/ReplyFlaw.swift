/// What is wrong with the bytes of a modem's message. It names fields, counts and sizes, but never
/// a value.
public struct ReplyFlaw: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence.
  public let description: String

  /// - Parameter description: one sentence without personal data.
  public init(_ description: String) { self.description = description }
}
