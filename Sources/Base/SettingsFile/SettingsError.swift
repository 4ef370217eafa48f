import CodedError

/// The kinds of mistake in a configuration file.
package enum SettingsErrorCode: String, ErrorCode {
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
}

/// What is wrong with a configuration file: the key and what was expected, never the value.
package struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  package typealias Code = SettingsErrorCode

  package let code: Code
  /// One sentence that names the key.
  package let message: String
  /// The path of the key, as in `bearer.session`; nil if it is about no single key.
  package let key: String?
  /// The line of the file, from 1; nil if it is about no line, or none is known.
  package let line: Int?
  /// The keys that there are, if one was given that is like none of them.
  package let knownKeys: [String]
  /// The system's error, if there is one.
  package let cause: String?

  package init(
    _ code: Code, _ message: String, key: String? = nil, line: Int? = nil, knownKeys: [String] = [],
    cause: String? = nil
  ) {
    self.code = code
    self.message = message
    self.key = key
    self.line = line
    self.knownKeys = knownKeys
    self.cause = cause
  }

  /// A value that the key does not accept.
  ///
  /// - Parameters:
  ///   - key: the key's path, as in `bearer.session`.
  ///   - expected: what it accepts, as in `1 to 255`.
  package init(key: String, expected: String) {
    self.init(.wrongValue, "\(key) is not \(expected)", key: key)
  }

  /// The same error in a larger document.
  ///
  /// - Parameter prefix: the path of the part, as in `overrides.26201`.
  package func inside(_ prefix: String) -> SettingsError {
    SettingsError(
      code, "\(prefix).\(message)", key: key.map { "\(prefix).\($0)" } ?? prefix, line: line, knownKeys: knownKeys,
      cause: cause)
  }

  /// The message without the list of keys.
  package var sentence: String { cause.map { "\(message): \($0)" } ?? message }

  package var description: String {
    knownKeys.isEmpty ? sentence : "\(sentence); the keys are \(knownKeys.joined(separator: ", "))"
  }
}
