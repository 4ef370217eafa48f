/// Why messages, or the code in one, cannot be had.
public struct MessageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure a caller can act on; new ones may come.
  public enum Code: Hashable, Sendable {
    case noSuchMessage(id: String)
    /// They cannot be read at the moment.
    case unavailable
    /// No message can come for want of room.
    case storageFull
    /// None came in time; so many others did.
    case noCode(messagesSeen: Int)
    case tooManyWaits(limit: Int)
    /// An option is out of its range.
    case invalidOption(String, expected: String)
  }

  public let code: Code
  /// One sentence without personal data that says what to do.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { message }
}
