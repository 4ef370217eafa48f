/// What is wrong with the bytes of a modem's message. It names fields, counts and sizes, but never
/// a value.
package struct ReplyFlaw: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence.
  package let description: String

  /// - Parameter description: one sentence without personal data.
  package init(_ description: String) { self.description = description }
}
