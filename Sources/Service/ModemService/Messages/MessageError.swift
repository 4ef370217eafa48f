/// Why messages, or the code in one, are not available.
package struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure a caller can act on; new ones may come.
  package enum Code: Hashable, Sendable {
    case noSuchMessage(id: String)
    /// They cannot be read at present.
    case unavailable
    /// The store is full, so no message can arrive.
    case storageFull
    /// None arrived in time; this many other messages did.
    case noCode(messagesSeen: Int)
    case tooManyWaits(limit: Int)
    /// An option is out of range.
    case invalidOption(String, expected: String)
  }

  package let code: Code
  /// One sentence without personal data that explains what to do.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
