/// What is wrong with a configuration file: the key and what was expected, never the value.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of mistake; new ones may come.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String { case unreadable, notJSON, unknownKey, wrongType, wrongValue }
    private let kind: Kind
    public var description: String { kind.rawValue }

    /// The file cannot be read, or is too long.
    public static let unreadable = Code(kind: .unreadable)
    /// The text is not a JSON object.
    public static let notJSON = Code(kind: .notJSON)
    /// A key that does not exist here.
    public static let unknownKey = Code(kind: .unknownKey)
    /// A text where a number should be, and the like.
    public static let wrongType = Code(kind: .wrongType)
    /// A value out of its range.
    public static let wrongValue = Code(kind: .wrongValue)
  }

  public let code: Code
  /// One sentence that names the key.
  public let message: String
  /// The system's error, if there is one.
  public let cause: String?

  public init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// A value that the key does not accept.
  ///
  /// - Parameters:
  ///   - key: the key's path, as in `bearer.session`.
  ///   - expected: what it accepts, as in `1 to 255`.
  public init(key: String, expected: String) {
    self.init(.wrongValue, "\(key) is not \(expected)")
  }

  public var description: String { cause.map { "\(message): \($0)" } ?? message }
}
