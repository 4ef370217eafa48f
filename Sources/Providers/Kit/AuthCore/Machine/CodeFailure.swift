/// Why there is no one-time code.
package struct CodeFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Kind: Hashable, Sendable {
    /// It did not arrive in time.
    case late
    /// It cannot arrive this way: the modem's messages cannot be read, or nobody can be asked.
    case unavailable
  }

  package let kind: Kind
  /// One sentence for people.
  package let description: String

  package init(_ kind: Kind, _ text: String) {
    self.kind = kind
    description = text
  }
}
