/// A wire value that the model cannot hold: the field, and what was expected.
public struct ConversionError: Error, Hashable, Sendable, CustomStringConvertible {
  public let field: String
  public let expected: String

  public var description: String { "\(field): expected \(expected)" }
}

extension Optional {
  /// The value, or an error that names the field.
  func required(_ field: String, _ expected: String) throws -> Wrapped {
    guard let self else { throw ConversionError(field: field, expected: expected) }
    return self
  }
}

extension RawRepresentable where RawValue == String {
  /// The same word in another enum. The wire enums and the model's have the same words; a test holds them together.
  init(word other: some RawRepresentable<String>, _ field: String) throws {
    self = try Self(rawValue: other.rawValue).required(field, "one of the declared words")
  }
}
