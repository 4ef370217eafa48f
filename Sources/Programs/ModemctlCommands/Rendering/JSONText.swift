import FoundationEssentials
import Varlink

/// Values as JSON for programs, with keys in order so that two runs compare.
enum JSONText {
  /// One value over several lines.
  static func document(_ value: some Encodable) -> String {
    text(value, [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]) + "\n"
  }

  /// One value on one line.
  static func line(_ value: some Encodable) -> String {
    text(value, [.sortedKeys, .withoutEscapingSlashes]) + "\n"
  }

  private static func text(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    // The wire types hold nothing that JSON cannot.
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}
