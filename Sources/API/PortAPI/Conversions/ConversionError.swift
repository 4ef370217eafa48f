import DeviceAPI
import Varlink

/// A wire value that the model cannot hold: the field, and what was expected.
package struct ConversionError: Error, Hashable, Sendable, CustomStringConvertible {
  package let field: String
  package let expected: String

  package var description: String { "\(field): expected \(expected)" }
}

extension Optional {
  /// The value, or an error that names the field.
  func required(_ field: String, _ expected: String) throws -> Wrapped {
    guard let self else { throw ConversionError(field: field, expected: expected) }
    return self
  }
}

extension RawRepresentable<String> {
  /// The model's word for one from the wire; nil if the model has none, as for a word of a later
  /// version.
  init?(word: some OpenWord) { self.init(rawValue: word.rawValue) }
}
