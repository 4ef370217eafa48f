/// Something from the service manager that could not be used, or a message to it that could not be
/// sent.
public struct SystemdError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of failure; new ones may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String { case badEnvironment, badSocket, notifyFailed, badCredential }
    private let kind: Kind
    public var description: String { kind.rawValue }

    /// A variable from the service manager does not have the form that its protocol requires.
    public static let badEnvironment = Code(kind: .badEnvironment)
    /// An inherited descriptor is not a listening stream socket.
    public static let badSocket = Code(kind: .badSocket)
    /// A message to the service manager was not delivered.
    public static let notifyFailed = Code(kind: .notifyFailed)
    /// A credential cannot be read, or its name is invalid.
    public static let badCredential = Code(kind: .badCredential)
  }

  public let code: Code
  /// One sentence: what was read, what was expected, and what to do if anything can be done.
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
