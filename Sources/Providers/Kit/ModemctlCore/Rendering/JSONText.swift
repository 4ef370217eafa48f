import FoundationEssentials
import JSONTree

/// Values as JSON for programs, with keys in order so that two runs compare.
package enum JSONText {
  /// One value over several lines.
  package static func document(_ value: some Encodable, nils: JSONWriter.Nils = .asNull) -> String {
    text(value, nils, [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]) + "\n"
  }

  /// One value on one line.
  package static func line(_ value: some Encodable) -> String {
    text(value, .asNull, [.sortedKeys, .withoutEscapingSlashes]) + "\n"
  }

  /// As deep as the JSON that modemd accepts, plus what a reply adds around it.
  private static let limits = JSONReader.Limits(depth: 600, values: .max)

  private static func text(
    _ value: some Encodable, _ nils: JSONWriter.Nils, _ formatting: JSONEncoder.OutputFormatting
  ) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    // Wire types hold nothing that JSON cannot represent.
    guard let written = try? JSONWriter.write(value, nils: nils),
      let tree = try? JSONReader.read(written, limits), let text = try? encoder.encode(tree)
    else { return "null" }
    return String(decoding: text, as: UTF8.self)
  }
}
