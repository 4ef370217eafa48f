import CodedError

/// What is wrong with a configuration file: the key and what was expected, never the value.
package typealias SettingsError = CodedError<SettingsErrorCode>

/// The kinds of mistake.
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

extension SettingsError {
  /// A value that the key does not accept.
  ///
  /// - Parameters:
  ///   - key: the key's path, as in `bearer.session`.
  ///   - expected: what it accepts, as in `1 to 255`.
  package init(key: String, expected: String) {
    self.init(.wrongValue, "\(key) is not \(expected)")
  }
}
