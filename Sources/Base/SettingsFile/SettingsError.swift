/// What is wrong with a configuration file: the key and what was expected, never the value.
package struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of mistake.
  package enum Code: String, Hashable, Sendable, CustomStringConvertible {
    /// The file cannot be read, or is too long.
    case unreadable
    /// The text is no JSON object.
    case notJSON
    /// A key that means nothing here.
    case unknownKey
    /// A text where a number should be, and the like.
    case wrongType
    /// A value out of its range.
    case wrongValue

    package var description: String { rawValue }
  }

  package let code: Code
  /// One sentence that names the key.
  package let message: String
  /// The system's error, if there is one.
  package let cause: String?

  package init(_ code: Code, _ message: String, cause: String? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// A value that the key does not accept.
  ///
  /// - Parameters:
  ///   - key: the key's path, as in `bearer.session`.
  ///   - expected: what it accepts, as in `1 to 255`.
  package init(key: String, expected: String) {
    self.init(.wrongValue, "\(key) is not \(expected)")
  }

  package var description: String { cause.map { "\(message): \($0)" } ?? message }
}
