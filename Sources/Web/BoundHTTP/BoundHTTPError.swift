/// Why an interface cannot be used, or what went wrong on a socket that is bound to it.
public struct BoundHTTPError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure a caller can act on; new ones may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case badInterface, interfaceLost, noRoute, badAddress, timeout, closed
    }
    private let kind: Kind
    public var description: String { kind.rawValue }

    /// The interface's name or index is not valid.
    public static let badInterface = Code(kind: .badInterface)
    /// The interface is gone, or its name or index now belongs to another one.
    public static let interfaceLost = Code(kind: .interfaceLost)
    /// The bearer has no route to the address.
    public static let noRoute = Code(kind: .noRoute)
    /// The address cannot be used for a socket.
    public static let badAddress = Code(kind: .badAddress)
    /// A time limit was reached.
    public static let timeout = Code(kind: .timeout)
    /// The other side closed the connection too early.
    public static let closed = Code(kind: .closed)
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
