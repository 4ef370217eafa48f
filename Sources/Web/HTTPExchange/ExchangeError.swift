/// Why a request has no complete answer, or why TLS trust cannot be established.
public struct ExchangeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure a caller can act on; new ones may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case badTrust, timeout, closed, tooLarge
    }
    private let kind: Kind
    public var description: String { kind.rawValue }

    /// The roots of trust cannot be read.
    public static let badTrust = Code(kind: .badTrust)
    /// A time limit was reached.
    public static let timeout = Code(kind: .timeout)
    /// The other side closed the connection too early, or violated the protocol.
    public static let closed = Code(kind: .closed)
    /// An answer exceeds its limit of bytes.
    public static let tooLarge = Code(kind: .tooLarge)
  }

  public let code: Code
  /// One sentence: what was found, what was expected, and what to do if anything can be done.
  public let message: String
  /// The underlying error in words.
  public let cause: String?

  public init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  public var description: String { cause.map { "\(message): \($0)" } ?? message }
}
